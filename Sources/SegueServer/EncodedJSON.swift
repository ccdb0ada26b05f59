// Created on any thread and read on the loop; immutable.

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
