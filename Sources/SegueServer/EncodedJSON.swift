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

  func encode(into json: inout JSONWriter) { self.json.withBytes { json.raw($0) } }
}
