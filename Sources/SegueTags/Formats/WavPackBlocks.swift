// Thread: the decoding thread.
internal import Glibc
package import SegueFFmpeg

/// The blocks of a WavPack file. Every block states the number of its first sample.
package enum WavPackBlocks {
  private static let step: Int64 = 65_536
  private static let mark = Array("wvpk".utf8)
  /// The maximum number of bytes in which the block after a damaged part is looked for.
  private static let maximumDamage: Int64 = 64 << 20
  /// The same for a file on a server.
  private static let maximumRemoteDamage: Int64 = 1 << 20
  /// The maximum distance of the last block from the end of the file in bytes. A block has at most half a second, which
  /// takes that many bytes only if there are many channels with a high rate.
  private static let reach: Int64 = 1 << 20

  /// Returns the part of the samples stated by the first block, at `start`, that `file` contains, according to its last
  /// block.
  static func coverage(_ file: FileInput, from start: Int64) -> Coverage {
    guard let end = TrailingTags.audioEnd(file), let total = file.littleEndian(at: start + 12, bytes: 4),
      (1..<0xFFFF_FFFF).contains(total)
    else { return .unknown }
    var limit = end
    while limit > start, end - limit < reach {
      let from = max(start, limit - step)
      // A marker may cross the border between two steps.
      guard let piece = file.bytes(from..<min(end, limit + 3)) else { return .unknown }
      for at in piece.withUnsafeBytes(marks).reversed() {
        guard let block = Block(file, at: from + Int64(at)), block.count > 0 else { continue }
        return Coverage(block.end <= end ? block.first + block.count : min(block.first, total - 1), of: total)
      }
      limit = from
    }
    return .unknown
  }

  /// Returns the position of the first block behind `position` with which a packet begins; nil if there is none near
  /// it.
  package static func next(in file: FileInput, after position: Int64) -> Int64? {
    guard let end = TrailingTags.audioEnd(file) else { return nil }
    var from = position + 1
    let limit = min(end, from + (file.isRemote ? maximumRemoteDamage : maximumDamage))
    while from < limit, let piece = file.bytes(from..<min(end, from + step + 3)) {
      let found = piece.withUnsafeBytes { bytes in
        marks(in: bytes).first { at in
          Block(file, at: from + Int64(at)).map { $0.isInitial && $0.end <= end } ?? false
        }
      }
      if let found { return from + Int64(found) }
      from += step
    }
    return nil
  }

  /// Returns the offsets of the marks of blocks in `bytes`.
  private static func marks(in bytes: UnsafeRawBufferPointer) -> [Int] {
    guard let start = bytes.baseAddress else { return [] }
    var (marks, at) = ([Int](), 0)
    // Proof: the range that is searched is a part of the buffer.
    while at + mark.count <= bytes.count,
      let found = memchr(start + at, Int32(mark[0]), bytes.count - mark.count + 1 - at)
    {
      at = UnsafeRawPointer(found) - start
      if bytes[at..<at + mark.count].elementsEqual(mark) { marks.append(at) }
      at += 1
    }
    return marks
  }

  private struct Block {
    let end: Int64
    let first: Int64
    let count: Int64
    /// Whether it has the first channels of a packet.
    let isInitial: Bool

    /// Returns nil if there is no block of a known version.
    init?(_ file: FileInput, at position: Int64) {
      guard let size = file.littleEndian(at: position + 4, bytes: 4),
        let version = file.littleEndian(at: position + 8, bytes: 2),
        let first = file.littleEndian(at: position + 16, bytes: 4),
        let count = file.littleEndian(at: position + 20, bytes: 4),
        let flags = file.littleEndian(at: position + 24, bytes: 4),
        (24..<1 << 20).contains(size), (0x402...0x410).contains(version)
      else { return nil }
      (end, self.first, self.count) = (position + 8 + size, first, count)
      isInitial = flags & 1 << 11 != 0
    }
  }
}
