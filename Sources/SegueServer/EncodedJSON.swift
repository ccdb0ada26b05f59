// Thread: any; it is created there, read on the loop, and immutable.

internal import SegueWire

/// A JSON value that was encoded before, perhaps on another thread. Its bytes are copied only into a response.
final class EncodedJSON: JSONEncodable {
  private let json: JSONWriter

  init(_ json: consuming JSONWriter) { self.json = json }

  convenience init(_ value: some JSONEncodable) {
    var json = JSONWriter()
    value.encode(into: &json)
    self.init(json)
  }

  /// The number of bytes.
  var count: Int { json.count }

  /// Writes the bytes in `range`, which continue what `target` holds.
  func writeSlice(_ range: Range<Int>, into target: inout JSONWriter) {
    json.withBytes { target.continuation(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  func encode(into json: inout JSONWriter) { self.json.withBytes { json.raw($0) } }
}

/// A response that is written in slices because it is longer than a session's share of a turn.
struct SlicedResponse {
  private let id: RequestID
  private let result: EncodedJSON
  private let isDurable: Bool
  private var written = 0

  /// Creates the response to the request `id`, as `JSONWriter.response` writes it. Returns nil if `result` is short
  /// enough to be written at once.
  init?(to id: RequestID, result: EncodedJSON, isDurable: Bool) {
    guard result.count > Self.sliceLength else { return nil }
    self.id = id
    self.result = result
    self.isDurable = isDurable
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
    if remaining == 0 { json.endResponse(to: id, isDurable: isDurable) }
  }

  private static let sliceLength = 64 * 1024
}
