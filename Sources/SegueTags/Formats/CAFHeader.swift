// Decoding thread only.
internal import SegueFFmpeg

/// The chunks of a Core Audio file that state the length of the audio.
struct CAFHeader {
  /// The bytes of a frame; 0 for codecs with packets of variable size.
  private let bytesPerFrame: Int64
  private let data: Range<Int64>
  /// The numbers of valid frames and of delay frames before them, from the packet table.
  private let table: (valid: Int64, priming: Int64)?
  private let fileSize: Int64

  init?(_ file: SourceFile) {
    guard let size = file.size, file.bigEndian(at: 0, bytes: 4) == 0x6361_6666 else { return nil }
    var (frame, data, table) = (Int64?.none, Range<Int64>?.none, (valid: Int64, priming: Int64)?.none)
    var position: Int64 = 8
    // The limit is greater than the number of chunks in any genuine file.
    for _ in 0..<1000 {
      guard let kind = file.bigEndian(at: position, bytes: 4), let length = file.bigEndian(at: position + 4, bytes: 8)
      else { break }
      let body = position + 12
      switch kind {
      // "desc": the bytes and the frames of a packet follow the rate, the codec and its flags.
      case 0x6465_7363:
        guard let bytes = file.bigEndian(at: body + 16, bytes: 4), let frames = file.bigEndian(at: body + 20, bytes: 4)
        else {
          return nil
        }
        frame = frames == 1 ? bytes : 0
      // "data", which begins with an edit count. A chunk of unknown size is the last one.
      case 0x6461_7461:
        guard body + 4 <= size, length == -1 || (4..<1 << 60).contains(length) else { return nil }
        data = body + 4..<(length == -1 ? size : body + length)
      // "pakt"
      case 0x7061_6B74:
        if let valid = file.bigEndian(at: body + 8, bytes: 8), let priming = file.bigEndian(at: body + 16, bytes: 4),
          valid > 0
        {
          table = (valid, priming)
        }
      default: break
      }
      guard length >= 0, length < size - body else { break }
      position = body + length
    }
    guard let frame, let data, !data.isEmpty else { return nil }
    (bytesPerFrame, self.data, self.table, fileSize) = (frame, data, table, size)
  }

  /// The number of valid frames.
  var count: Int64? { bytesPerFrame > 0 ? Int64(data.count) / bytesPerFrame : table?.valid }
  /// The number of delay frames before the valid frames.
  var delay: Int64 { bytesPerFrame > 0 ? 0 : table?.priming ?? 0 }
  var coverage: Coverage {
    // Some writers count whole packets as valid frames, and state no delay.
    if bytesPerFrame == 0, delay == 0 { return .unknown }
    return Coverage(min(fileSize, data.upperBound) - data.lowerBound, of: Int64(data.count))
  }
}
