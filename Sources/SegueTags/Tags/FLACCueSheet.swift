// Thread: the decoding thread.
internal import SegueFFmpeg

/// The cue sheet in a metadata block of FLAC (RFC 9639, 8.7), which has positions and no titles.
struct FLACCueSheet {
  /// The sheet as text.
  let text: String

  /// The maximum number of tracks in a sheet.
  private static let maximumTracks: Int64 = 255
  /// The size of the header of a sheet and of a track, and of an index, in bytes.
  private static let (headerSize, trackSize, indexSize) = (Int64(396), Int64(36), Int64(12))
  /// The number of positions per second in a cue sheet.
  private static let framesPerSecond: Int64 = 75

  /// Returns nil if the FLAC stream at `start` of `file` has no cue sheet.
  init?(_ file: FileInput, at start: Int64) {
    guard let rate = file.bigEndian(at: start + 18, bytes: 4).map({ $0 >> 12 }), rate > 0 else { return nil }
    var position = start + 4
    for _ in 0..<CommentHeader.maximumBlocks {
      guard let head = file.bigEndian(at: position, bytes: 4) else { return nil }
      position += 4
      if head >> 24 & 0x7F == 5 {
        guard let text = Self.text(file, at: position, rate) else { return nil }
        self.text = text
        return
      }
      if head >> 31 == 1 { return nil }
      position += head & 0xFF_FFFF
    }
    return nil
  }

  private static func text(_ file: FileInput, at start: Int64, _ rate: Int64) -> String? {
    guard let count = file.bigEndian(at: start + headerSize - 1, bytes: 1) else { return nil }
    var text = ""
    var position = start + headerSize
    for _ in 0..<min(count, maximumTracks) {
      guard let offset = file.bigEndian(at: position, bytes: 8),
        let number = file.bigEndian(at: position + 8, bytes: 1),
        let flags = file.bigEndian(at: position + 21, bytes: 1),
        let indexes = file.bigEndian(at: position + 35, bytes: 1)
      else { return nil }
      position += trackSize
      // The last track is the lead-out, which has no index.
      guard indexes > 0 else { break }
      text += "TRACK \(number) \(flags >> 7 == 0 ? "AUDIO" : "MODE1/2352")\n"
      for _ in 0..<indexes {
        guard let distance = file.bigEndian(at: position, bytes: 8),
          let index = file.bigEndian(at: position + 8, bytes: 1)
        else { return nil }
        position += indexSize
        if let time = time(offset, distance, rate) { text += "INDEX \(index) \(time)\n" }
      }
    }
    return text.isEmpty ? nil : text
  }

  /// Returns the position `distance` samples after `offset`; nil if no file is that long.
  private static func time(_ offset: Int64, _ distance: Int64, _ rate: Int64) -> String? {
    let limit: Int64 = 1 << 40
    guard (0..<limit).contains(offset), (0..<limit).contains(distance) else { return nil }
    let frames = ((offset + distance) * framesPerSecond + rate / 2) / rate
    return "\(frames / framesPerSecond / 60):\(frames / framesPerSecond % 60):\(frames % framesPerSecond)"
  }
}
