// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueTags

/// The bytes of a live stream from the first whole frame on. A listener joins a station in the middle of a frame of
/// MPEG audio or of AAC. libavformat would then read about five seconds of audio before it is certain of the format
/// (`mp3_read_probe` and `adts_aac_probe` in FFmpeg), and a station that sends nothing in advance takes as long for
/// that.
final class StationStart: RemoteBytes {
  private let bytes: any RemoteBytes
  /// The beginning of the bytes, which has been read already.
  private var start: [UInt8] = []
  /// The number of bytes before the first whole frame.
  private var skipped = 0

  /// The number of bytes at the beginning in which frames are searched.
  private static let maximumSize = 16 * 1024
  /// Files and the streams of containers begin with these bytes.
  private static let otherBeginnings = ["ID3", "RIFF", "OggS", "fLaC"]

  init(of bytes: any RemoteBytes) throws(MediaError) {
    self.bytes = bytes
    while start.count < Self.maximumSize {
      guard try readMore() else { return }
      if Self.otherBeginnings.contains(where: { start.starts(with: $0.utf8) }) { return }
      switch FrameChain.search(start) {
      case .found(let offset):
        skipped = offset
        return
      case .absent: return
      case .needsMore: break
      }
    }
  }

  /// Reads the next bytes of the beginning. Returns false at the end.
  private func readMore() throws(MediaError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Self.maximumSize - start.count)
    var result = Result<Int, MediaError>.success(0)
    buffer.withUnsafeMutableBytes { buffer in
      result = Result { () throws(MediaError) in try bytes.read(at: Int64(start.count), into: buffer) }
    }
    let count = try result.get()
    start += buffer[..<count]
    return count > 0
  }

  var size: Int64? { bytes.size.map { $0 - Int64(skipped) } }
  var isSeekable: Bool { false }

  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    let position = position + Int64(skipped)
    guard position < start.count else { return try bytes.read(at: position, into: target) }
    let rest = start[Int(position)...].prefix(target.count)
    target.copyBytes(from: rest)
    return rest.count
  }
}

/// Consecutive frames of MPEG audio or of ADTS (AAC).
enum FrameChain: Equatable {
  /// The first frame begins at this offset.
  case found(Int)
  /// More bytes are needed.
  case needsMore
  case absent

  /// The number of frames that follow each other by chance nowhere.
  private static let length = 4
  /// The maximum number of bytes before the first frame: the rest of another one.
  private static let maximumOffset = 2048

  /// Searches frames at the beginning of `bytes`.
  static func search(_ bytes: [UInt8]) -> FrameChain {
    bytes.withUnsafeBytes { bytes in
      var isComplete = bytes.count > maximumOffset
      for offset in 0..<min(bytes.count, maximumOffset) where bytes[offset] == 0xFF {
        switch frames(of: bytes, at: offset) {
        case .found: return .found(offset)
        case .needsMore: isComplete = false
        case .absent: break
        }
      }
      return isComplete ? .absent : .needsMore
    }
  }

  /// Returns whether a chain begins at `offset`.
  private static func frames(of bytes: UnsafeRawBufferPointer, at offset: Int) -> FrameChain {
    var position = offset
    var first: UInt32?
    for _ in 0..<length {
      guard position + ADTSHeaders.size <= bytes.count else { return .needsMore }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      guard let frame = MPEGFrameHeader(rest).map({ ($0.kind, $0.size) }) ?? ADTSHeaders.frame(rest),
        first ?? frame.0 == frame.0
      else { return .absent }
      first = frame.0
      position += frame.1
    }
    return .found(offset)
  }
}
