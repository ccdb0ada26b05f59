internal import SegueWire

/// A call of the daemon, before it has its number.
struct Request {
  let method: String
  /// The parameters as JSON; nil for none.
  let parameters: [UInt8]?

  init(_ method: String) {
    self.method = method
    parameters = nil
  }

  init(_ method: String, json: [UInt8]?) {
    self.method = method
    parameters = json
  }

  /// Named parameters, which `write` puts between the braces.
  init(_ method: String, _ write: (inout JSONWriter) -> Void) {
    self.method = method
    var json = JSONWriter()
    json.beginObject()
    write(&json)
    json.endObject()
    parameters = json.bytes
  }

  /// The request as a line.
  func line(id: Int) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("jsonrpc", "2.0")
    json.member("id", id)
    json.member("method", method)
    if let parameters {
      json.key("params")
      json.raw(parameters)
    }
    json.endObject()
    json.endLine()
    return json.bytes
  }
}
