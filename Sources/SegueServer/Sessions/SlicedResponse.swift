internal import SegueWire

/// A response that is written in slices because it is longer than a session's share of a turn.
struct SlicedResponse {
  private let id: RequestID
  private let result: EncodedJSON
  private var written = 0

  /// Creates the response to the request `id`. Returns nil if `result` is short enough to be written at once.
  init?(to id: RequestID, result: EncodedJSON) {
    guard result.count > Self.sliceLength else { return nil }
    self.id = id
    self.result = result
  }

  /// Whether the first slice was written.
  var isBegun: Bool { written > 0 }

  /// The number of bytes of the result that are not written yet.
  var remaining: Int { result.count - written }

  /// Writes the next slice. The first slice includes the beginning of the response, and the last slice includes its
  /// end.
  mutating func writeSlice(into json: inout JSONWriter) {
    if !isBegun { json.beginResponse() }
    let end = min(written + Self.sliceLength, result.count)
    result.writeSlice(written..<end, into: &json)
    written = end
    if remaining == 0 { json.endResponse(to: id) }
  }

  private static let sliceLength = 64 * 1024
}
