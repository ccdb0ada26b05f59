// Decoding thread only.
internal import SegueFFmpeg

/// The sample table of a track of an MP4 file (ISO/IEC 14496-12, 8.5 to 8.7). It states the positions and durations of
/// the packets.
struct SampleTable {
  /// The duration in the track's time scale; nil if the table is too long to be summed up.
  let duration: Int64?
  /// The number of packets in the table of sizes; 0 in a fragmented file.
  private let count: Int64
  /// The number of packets in the table of durations.
  private let timed: Int64?
  /// The end of the last packet in the file; nil if the table does not state it.
  private let end: Int64?

  /// The maximum number of entries. Audio needs few, since all packets except the last have the same duration.
  private static let maximumEntries: Int64 = 4096

  /// Reads the boxes in `table`, the body of an `stbl` box.
  init?(_ file: SourceFile, in table: Range<Int64>) {
    guard let times = Box.find("stts", in: file, table), let sizes = Box.find("stsz", in: file, table),
      let fixed = file.bigEndian(at: sizes.lowerBound + 4, bytes: 4),
      let count = file.bigEndian(at: sizes.lowerBound + 8, bytes: 4)
    else { return nil }
    self.count = count
    (timed, duration) = Self.sums(file, times) ?? (nil, nil)
    end = Self.lastChunk(file, table, count).flatMap { start, packets in
      guard packets <= Self.maximumEntries, packets <= count else { return nil }
      if fixed > 0 { return start + packets * fixed }
      let first = sizes.lowerBound + 12 + 4 * (count - packets)
      guard first + 4 * packets <= sizes.upperBound, let bytes = file.bytes(first..<first + 4 * packets) else {
        return nil
      }
      return stride(from: 0, to: bytes.count, by: 4).reduce(start) { end, at in
        end + bytes[at..<at + 4].reduce(0) { $0 << 8 | Int64($1) }
      }
    }
  }

  /// Returns the part of the packets that a file of `size` bytes contains. If the table is inconsistent, it is unknown.
  func coverage(_ size: Int64) -> Coverage {
    guard count > 0, count == timed, let end else { return .unknown }
    // The packets of a track are distributed over the file.
    return end <= size ? .whole : .share(Double(size) / Double(end))
  }

  private static func sums(_ file: SourceFile, _ times: Range<Int64>) -> (count: Int64, duration: Int64)? {
    guard let entries = file.bigEndian(at: times.lowerBound + 4, bytes: 4), entries <= maximumEntries,
      times.lowerBound + 8 + 8 * entries <= times.upperBound
    else { return nil }
    var (count, duration) = (Int64(0), Int64(0))
    for at in stride(from: times.lowerBound + 8, to: times.lowerBound + 8 + 8 * entries, by: 8) {
      guard let number = file.bigEndian(at: at, bytes: 4), let delta = file.bigEndian(at: at + 4, bytes: 4) else {
        return nil
      }
      // The product is less than 2^64, but may overflow a signed number.
      let (product, overflow) = number.multipliedReportingOverflow(by: delta)
      guard !overflow, duration <= Int64.max - product else { return nil }
      count += number
      duration += product
    }
    return (count, duration)
  }

  /// Returns the start of the last chunk and its number of packets.
  private static func lastChunk(
    _ file: SourceFile, _ table: Range<Int64>, _ count: Int64
  ) -> (start: Int64, packets: Int64)? {
    let short = Box.find("stco", in: file, table)
    guard let offsets = short ?? Box.find("co64", in: file, table), let groups = Box.find("stsc", in: file, table),
      let chunks = file.bigEndian(at: offsets.lowerBound + 4, bytes: 4), chunks > 0,
      let entries = file.bigEndian(at: groups.lowerBound + 4, bytes: 4), entries > 0
    else { return nil }
    let width = short == nil ? 8 : 4
    let last = offsets.lowerBound + 8 + Int64(width) * (chunks - 1)
    let group = groups.lowerBound + 8 + 12 * (entries - 1)
    guard last + Int64(width) <= offsets.upperBound, group + 12 <= groups.upperBound,
      let start = file.bigEndian(at: last, bytes: width), let packets = file.bigEndian(at: group + 4, bytes: 4),
      start >= 0, start < 1 << 62
    else { return nil }
    return (start, packets)
  }
}
