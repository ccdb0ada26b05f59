/// The facts that the requests of one playback have in common.
final class StreamSession {
  let cookies = CookieJar()
  /// Whether resources are requested without a range if all of their bytes are wanted, because a server has refused a
  /// range.
  private(set) var omitsRanges = false
  /// The numbers of the segments of a live stream of DASH.
  let segmentNumbers = SegmentNumbers()
  /// The numbers of the segments of a live stream of HLS.
  let mediaSequence = MediaSequence()

  /// Handles that a server has refused a request for all bytes of a resource. Returns whether it is to be repeated
  /// without a range. If that has been done before, the range was not the reason.
  func repeatsWithoutRange() -> Bool {
    omitsRanges.toggle()
    return omitsRanges
  }
}
