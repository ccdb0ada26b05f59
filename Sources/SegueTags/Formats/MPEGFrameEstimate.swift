package import SegueFFmpeg
package import SegueSystem

/// A frame of an MPEG audio layer 3 file without a tag that is near a wanted position. Its number is computed from its
/// offset, so it is exact if the bit rate is constant.
package struct MPEGFrameEstimate {
  private let offset: Int64
  /// The position of the first sample of the frame, counted from the first frame of the file.
  private let sample: Int64

  /// The number of bytes in which a frame is looked for, which is more than two frames of any bit rate.
  private static let searchSize = 4096

  /// Finds a frame near the sample `wanted` of `file`, whose first frame is at `start` and which has about `total`
  /// samples. Returns nil if there is none.
  package init?(_ file: FileInput, from start: Int64, near wanted: Int64, of total: Int64) {
    guard let size = file.size, let first = MPEGFrameIndex.header(in: file, at: start), total > 0 else { return nil }
    let frameSize = Double(size - start) * Double(first.samples) / Double(total)
    // The position may be far behind the end that the file states.
    let expected = start + Int64(min(Double(wanted / Int64(first.samples)) * frameSize, Double(size)))
    guard let found = Self.firstFrame(of: first.kind, in: file, from: max(start, expected)) else { return nil }
    offset = found
    sample = Int64((Double(found - start) / frameSize).rounded()) * Int64(first.samples)
  }

  /// Adds the frame to the index of libavformat. Frame 0 has `timestamp`.
  package func add(to demuxer: Demuxer, firstTimestamp timestamp: Int64, rate: SampleRate) {
    demuxer.addIndexEntry(
      offset: offset, timestamp: timestamp + TimeBase(rate).convert(sample, to: demuxer.timeBase))
  }

  /// Returns the offset of the first frame at `position` or after it that another frame follows.
  private static func firstFrame(of kind: UInt32, in file: FileInput, from position: Int64) -> Int64? {
    let bytes = file.bytes(at: position, count: searchSize)
    for index in bytes.indices.dropLast(3) {
      let word = bytes[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard let header = MPEGFrameHeader(word), header.kind == kind else { continue }
      let offset = position + Int64(index)
      if MPEGFrameIndex.header(in: file, at: offset + Int64(header.size))?.kind == kind { return offset }
    }
    return nil
  }
}
