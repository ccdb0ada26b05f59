// Decoding thread only.
internal import SegueFFmpeg

/// The last block of a WavPack file. Every block states the number of its first sample.
enum WavPackLastBlock {
  private static let step: Int64 = 65_536
  /// The maximum distance of the last block from the end of the file in bytes. A block has at most half a second, which
  /// takes that many bytes only if there are many channels with a high rate.
  private static let reach: Int64 = 1 << 20

  /// Returns the part of the samples stated by the first block, at `start`, that `file` contains, according to its last
  /// block.
  static func coverage(_ file: SourceFile, from start: Int64) -> Coverage {
    guard let end = TrailingTags.audioEnd(file), let total = file.littleEndian(at: start + 12, bytes: 4),
      (1..<0xFFFF_FFFF).contains(total)
    else { return .unknown }
    var limit = end
    while limit > start, end - limit < reach {
      let from = max(start, limit - step)
      // A marker may cross the border between two steps.
      guard let piece = file.bytes(from..<min(end, limit + 3)) else { return .unknown }
      for at in stride(from: piece.count - 4, through: 0, by: -1)
      where piece[at] == UInt8(ascii: "w") && piece[at..<at + 4].elementsEqual("wvpk".utf8) {
        guard let block = Block(file, at: from + Int64(at)), block.count > 0 else { continue }
        return Coverage(block.end <= end ? block.first + block.count : min(block.first, total - 1), of: total)
      }
      limit = from
    }
    return .unknown
  }

  private struct Block {
    let end: Int64
    let first: Int64
    let count: Int64

    /// Returns nil if there is no block of a known version.
    init?(_ file: SourceFile, at position: Int64) {
      guard let size = file.littleEndian(at: position + 4, bytes: 4),
        let version = file.littleEndian(at: position + 8, bytes: 2),
        let first = file.littleEndian(at: position + 16, bytes: 4),
        let count = file.littleEndian(at: position + 20, bytes: 4),
        (24..<1 << 20).contains(size), (0x402...0x410).contains(version)
      else { return nil }
      (end, self.first, self.count) = (position + 8 + size, first, count)
    }
  }
}
