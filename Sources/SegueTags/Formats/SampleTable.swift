// Thread: the decoding thread.
internal import SegueFFmpeg

/// The sample table of a track of an MP4 file (ISO/IEC 14496-12, 8.5 to 8.7). It states the positions and durations of
/// the packets.
struct SampleTable {
  /// The durations of the packets; nil if the table is too long or damaged.
  let durations: PacketDurations?
  /// The number of packets in the table of sizes; 0 in a fragmented file.
  private let count: Int64
  /// The end of the last packet in the file; nil if the table does not state it.
  private let end: Int64?

  /// The maximum number of packets of a chunk whose sizes are added up.
  private static let maximumChunkPackets: Int64 = 4096
  /// The maximum number of entries of the table of durations. Most files need two, since all packets except the last
  /// have the same duration. Others have one for each packet.
  private static let maximumDurations: Int64 = 4 << 20
  /// The number of entries that are read at once.
  private static let pieceLength: Int64 = 1024

  /// Reads the boxes in `table`, the body of an `stbl` box.
  init?(_ file: FileInput, in table: Range<Int64>) {
    guard let times = Box.find("stts", in: file, table), let sizes = Box.find("stsz", in: file, table),
      let fixed = file.bigEndian(at: sizes.lowerBound + 4, bytes: 4),
      let count = file.bigEndian(at: sizes.lowerBound + 8, bytes: 4)
    else { return nil }
    self.count = count
    durations = Self.durations(file, times)
    end = Self.lastChunk(file, table, count).flatMap { start, packets in
      guard packets <= Self.maximumChunkPackets, packets <= count else { return nil }
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
    guard count > 0, count == durations?.count, let end else { return .unknown }
    // The packets of a track are distributed over the file.
    return end <= size ? .whole : .share(Double(size) / Double(end))
  }

  private static func durations(_ file: FileInput, _ times: Range<Int64>) -> PacketDurations? {
    guard let entries = file.bigEndian(at: times.lowerBound + 4, bytes: 4), entries <= maximumDurations,
      times.lowerBound + 8 + 8 * entries <= times.upperBound
    else { return nil }
    var durations = PacketDurations()
    for index in stride(from: 0, to: entries, by: Int64.Stride(pieceLength)) {
      let count = Int(8 * min(pieceLength, entries - index))
      let piece = file.bytes(at: times.lowerBound + 8 + 8 * index, count: count)
      guard piece.count == count else { return nil }
      for at in stride(from: 0, to: count, by: 8) {
        let number = piece[at..<at + 4].reduce(0) { $0 << 8 | Int64($1) }
        guard durations.add(number, of: piece[at + 4..<at + 8].reduce(0) { $0 << 8 | Int64($1) }) else { return nil }
      }
    }
    return durations
  }

  /// Returns the start of the last chunk and its number of packets.
  private static func lastChunk(
    _ file: FileInput, _ table: Range<Int64>, _ count: Int64
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
