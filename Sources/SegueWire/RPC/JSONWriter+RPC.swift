extension JSONWriter {
  /// Writes a response with `result`. If the change is not `isDurable`, because it could not be saved, a member beside
  /// the result says so.
  public mutating func response(to id: RequestID, result: some JSONEncodable, isDurable: Bool = true) {
    beginResponse()
    result.encode(into: &self)
    endResponse(to: id, isDurable: isDurable)
  }

  /// Writes the part of a response before its result, for a result that is written in parts. The caller then calls
  /// `endResponse`.
  public mutating func beginResponse() {
    beginObject()
    member("jsonrpc", "2.0")
    key("result")
  }

  /// Writes a response with an error.
  public mutating func response(to id: RequestID, failure: Failure) {
    beginObject()
    member("jsonrpc", "2.0")
    key("error")
    failure.encode(into: &self)
    endResponse(to: id)
  }

  /// Writes a notification of a change. `data` is the encoded whole state of the topic.
  public mutating func event(topic: String, sequence: UInt64, data: [UInt8]) {
    beginObject()
    member("jsonrpc", "2.0")
    member("method", "event")
    key("params")
    beginObject()
    member("topic", topic)
    member("seq", sequence)
    key("data")
    raw(data)
    endObject()
    endObject()
    endLine()
  }

  /// Writes the part of a response after its result.
  public mutating func endResponse(to id: RequestID, isDurable: Bool = true) {
    if !isDurable { member("durable", false) }
    comma()
    key("id")
    switch id {
    case .string(let text): string(text)
    case .integer(let number): integer(number)
    // The id is repeated unchanged: `1.0` stays `1.0`.
    case .real(let number): raw("\(number)".utf8)
    case .null, .notification: null()
    }
    endObject()
  }
}
