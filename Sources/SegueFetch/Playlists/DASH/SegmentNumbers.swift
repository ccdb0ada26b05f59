/// The numbers of the segments of a live stream, by which the HLS demuxer finds its position in a manifest that was
/// requested again. Manifests of DASH state times instead.
final class SegmentNumbers {
  private var times: [Double] = []
  private var first: Int64 = 0

  /// Returns the number of the first of the segments that begin at `times`, in seconds. A segment keeps its number over
  /// all calls.
  func first(of times: [Double]) -> Int64 {
    if let start = times.first, !self.times.isEmpty {
      // The times are computed from the same integers in every manifest, except for rounding.
      let known = self.times.firstIndex { $0 > start - 0.01 } ?? self.times.count
      first += Int64(known)
    }
    self.times = times
    return first
  }
}
