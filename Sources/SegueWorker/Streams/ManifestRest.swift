// Thread: the decoding thread.
internal import SegueFFmpeg
internal import SegueSystem
internal import SegueWire

/// The manifest of a recorded stream of HLS without the segments before a position.
final class ManifestRest: RemoteBytes {
  /// The sum of the durations of the segments that are left out.
  let beginning: MediaTime
  private let bytes: [UInt8]

  /// A larger manifest is read as it is. Servers do not send one (`RemotePlaylist`).
  private static let maximumSize: Int64 = 1 << 20
  /// The longest duration of a segment that is believed.
  private static let maximumDuration = 86_400.0

  /// Reads the manifest from `source`. The first segment that remains is the one that contains `position`. Returns nil
  /// if `source` has no manifest of known size.
  init?(of source: any RemoteBytes, containing position: MediaTime) throws(MediaError) {
    guard let size = source.size, size <= Self.maximumSize else { return nil }
    let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(size), alignment: 1)
    defer { whole.deallocate() }
    var count = 0
    while count < whole.count {
      let read = try source.read(at: Int64(count), into: UnsafeMutableRawBufferPointer(rebasing: whole[count...]))
      if read == 0 { break }
      count += read
    }
    (bytes, beginning) = Self.rest(of: Array(whole[..<count]), containing: position)
  }

  var size: Int64? { Int64(bytes.count) }
  var isSeekable: Bool { true }

  func read(at position: Int64, into target: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
    let part = bytes.dropFirst(Int(clamping: position)).prefix(target.count)
    target.copyBytes(from: part)
    return part.count
  }

  /// Returns the manifest without the segments that end at or before `position`, and the sum of their durations.
  static func rest(of whole: [UInt8], containing position: MediaTime) -> ([UInt8], MediaTime) {
    var kept: [UInt8] = []
    // The lines of the segment that is being read.
    var segment: [UInt8] = []
    var (duration, beginning) = (MediaTime.zero, MediaTime.zero)
    var range = ByteRange()
    for line in whole.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("#EXTINF:") {
        segment += line + [0x0A]
        duration = Self.duration(text.dropFirst("#EXTINF:".count))
      } else if text.hasPrefix("#EXT-X-BYTERANGE:") {
        range.advance(to: text.dropFirst("#EXT-X-BYTERANGE:".count))
        segment += "#EXT-X-BYTERANGE:\(range.count)@\(range.start)\n".utf8
      } else if text.hasPrefix("#") {
        // These lines concern the segments after them, or the whole manifest.
        kept += line + [0x0A]
      } else {
        if beginning + duration > position {
          kept += segment + line + [0x0A]
          // Everything from here on remains.
          return (kept + whole[line.endIndex...], beginning)
        }
        beginning = beginning + duration
        (segment, duration) = ([], .zero)
      }
    }
    return (whole, .zero)
  }

  private static func duration(_ text: Substring) -> MediaTime {
    let seconds = Double(text.prefix { $0 != "," }.filter { $0 != " " }) ?? 0
    return seconds > 0 ? .seconds(min(seconds, maximumDuration)) : .zero
  }
}

/// A range of the bytes of a resource that is a segment.
private struct ByteRange {
  private(set) var start: Int64 = 0
  private(set) var count: Int64 = 0

  /// Reads the range `count@start`, or `count`, which begins at the end of the previous one.
  mutating func advance(to text: Substring) {
    let parts = text.filter { $0 != " " }.split(separator: "@", maxSplits: 1)
    let follower = start.addingReportingOverflow(count).partialValue
    count = parts.first.flatMap { Int64($0) } ?? 0
    start = parts.count > 1 ? Int64(parts[1]) ?? 0 : follower
  }
}
