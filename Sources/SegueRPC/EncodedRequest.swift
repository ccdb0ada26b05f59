public import SegueWire

/// A JSON-RPC request without its id.
public struct EncodedRequest: Equatable {
  private let method: String
  /// The encoded parameters. They are nil if the method is called without parameters.
  private let parameters: [UInt8]?

  /// Creates a request for a method whose name is known only at run time.
  public init(_ method: String, parameters: [UInt8]?) {
    self.method = method
    self.parameters = parameters
  }

  public init<Request: ProtocolRequest>(_ request: Request) {
    method = Request.method.oldestName
    var json = JSONWriter()
    request.encode(into: &json)
    // The daemon reads a request without parameters faster.
    parameters = json.count > "{}".utf8.count ? json.bytes : nil
  }

  /// Returns the encoded request, including the line feed.
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
