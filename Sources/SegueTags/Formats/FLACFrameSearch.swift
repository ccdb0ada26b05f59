// Thread: the decoding thread.
package import SegueFFmpeg
package import SegueSystem

/// A frame of a FLAC file that begins shortly before a wanted sample. The search examines far fewer places of the file
/// than that of libavformat, of which each costs a request to the server of the file, or parsing some frames.
package struct FLACFrameSearch {
  /// The number of the first sample of the frame.
  package let sample: Int64
  private let offset: Int64

  /// The number of places that are examined.
  private static let maximumPlaces = 8

  /// The first byte and the first sample of a frame.
  private typealias Place = (offset: Int64, sample: Int64)

  /// Finds a frame that begins at the sample `wanted` of `file` or at most a second before it. The first frame begins
  /// at `start`. Returns nil if there is none, or if the numbers of the frames are not plausible.
  package init?(_ file: FileInput, _ header: FLACStreamInfo, from start: Int64, for wanted: Int64) {
    guard let size = file.size, header.isPlausible(size: size - start), wanted < header.total else { return nil }
    var (low, high) = ((offset: start, sample: Int64(0)), (offset: size, sample: header.total))
    let table = FLACSeekTable(file, header)
    if let table { (low, high) = table.narrowed(low, high, around: wanted, from: start) }
    for place in 0..<Self.maximumPlaces {
      if wanted - low.sample <= header.rate {
        (offset, sample) = low
        return
      }
      let position = Self.position(
        of: wanted, between: low, high, header, halving: place >= Self.maximumPlaces / 2 || (place == 0 && table == nil)
      )
      guard let found = FLACNumbering.firstFrame(in: file, at: position, header),
        (low.sample...high.sample).contains(found.frame.first), found.frame.rate ?? header.rate == header.rate
      else { return nil }
      // If files were joined, numbers begin again, usually in the middle, where a file without a table is examined
      // first.
      let (part, whole) = (Double(position - start), Double(size - start))
      guard Double(found.frame.first) / Double(header.total) > part / whole / 16 else { return nil }
      if found.frame.first <= wanted {
        low = (found.offset, found.frame.first)
      } else {
        high = (found.offset, found.frame.first)
      }
    }
    return nil
  }

  /// Returns a position at which a frame is looked for: the one at which `wanted` would be half a second later if the
  /// bit rate were constant, or the one in the middle.
  private static func position(
    of wanted: Int64, between low: Place, _ high: Place, _ header: FLACStreamInfo, halving: Bool
  ) -> Int64 {
    let (bytes, samples) = (high.offset - low.offset, high.sample - low.sample)
    guard !halving, samples > 0 else { return low.offset + bytes / 2 }
    let distance = max(0, wanted - header.rate / 2 - low.sample)
    return low.offset + Int64(Double(bytes) * Double(distance) / Double(samples))
  }

  /// Adds the frame to the index of libavformat, in which frame 0 has `timestamp`.
  package func add(to demuxer: Demuxer, firstTimestamp timestamp: Int64, rate: SampleRate) {
    demuxer.addIndexEntry(
      offset: offset, timestamp: timestamp + TimeBase(rate).convert(sample, to: demuxer.timeBase))
  }
}

/// The seek table of a FLAC file (RFC 9639, 8.5), whose points are in ascending order.
private struct FLACSeekTable {
  private let file: FileInput
  private let position: Int64
  private let count: Int64

  private static let pointSize: Int64 = 18

  /// Returns nil if the file has none.
  init?(_ file: FileInput, _ header: FLACStreamInfo) {
    var position = header.firstFrame
    // Few blocks precede the table. Those with pictures are skipped.
    for _ in 0..<8 {
      guard let block = file.bigEndian(at: position, bytes: 4) else { return nil }
      let size = block & 0xFF_FFFF
      if block >> 24 & 0x7F == 3 {
        (self.file, self.position, count) = (file, position + 4, size / Self.pointSize)
        return
      }
      if block >> 31 & 1 == 1 { return nil }
      position += 4 + size
    }
    return nil
  }

  /// Returns the points around `wanted`, or `low` and `high`. The first frame begins at `start`.
  func narrowed(
    _ low: (offset: Int64, sample: Int64), _ high: (offset: Int64, sample: Int64), around wanted: Int64,
    from start: Int64
  ) -> ((offset: Int64, sample: Int64), (offset: Int64, sample: Int64)) {
    var (low, high) = (low, high)
    var points = 0..<count
    while !points.isEmpty {
      let middle = (points.lowerBound + points.upperBound) / 2
      let at = position + middle * Self.pointSize
      guard let sample = file.bigEndian(at: at, bytes: 8), let offset = file.bigEndian(at: at + 8, bytes: 8) else {
        break
      }
      // A placeholder, of which all bits are set, follows the points.
      let isPoint = sample >= 0 && offset >= 0 && offset < high.offset - start && sample < high.sample
      if isPoint, sample <= wanted {
        if sample > low.sample, start + offset > low.offset { low = (start + offset, sample) }
        points = middle + 1..<points.upperBound
      } else {
        if isPoint, start + offset > low.offset { high = (start + offset, sample) }
        points = points.lowerBound..<middle
      }
    }
    return (low, high)
  }
}

extension FLACStreamInfo {
  /// Whether `size` bytes of frames can be those of one stream.
  fileprivate func isPlausible(size: Int64) -> Bool {
    guard total > 0, size > 0 else { return false }
    guard maximumFrameSize > 0, blockSize > 0 else { return true }
    return size <= maximumFrameSize * (total / blockSize + 1) + 131_072
  }
}
