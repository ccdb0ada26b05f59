// Made on any thread, read on the loop; nothing of it changes once it is made.

internal import SegueWire

/// JSON that was written before, perhaps much of it on another thread: never copied but into an answer.
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

  /// Writes a part of the bytes, which continues what `target` holds.
  func writeSlice(_ range: Range<Int>, into target: inout JSONWriter) {
    json.withBytes { target.continuation(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  func encode(into json: inout JSONWriter) { self.json.withBytes { json.raw($0) } }
}
