extension JSONWriter {
  /// An answer that carries `result`.
  public mutating func response(to id: RequestID, result: some JSONEncodable) {
    beginResponse()
    result.encode(into: &self)
    endResponse(to: id)
  }

  /// The part of an answer before its result, for a result that is written bit by bit. To be followed by `endResponse`.
  public mutating func beginResponse() {
    beginObject()
    member("jsonrpc", "2.0")
    key("result")
  }

  /// An answer that carries an error.
  public mutating func response(to id: RequestID, failure: Failure) {
    beginObject()
    member("jsonrpc", "2.0")
    key("error")
    failure.encode(into: &self)
    endResponse(to: id)
  }

  /// A notification of a change: `data` is the topic's whole state, written before.
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

  /// The part of an answer behind its result.
  public mutating func endResponse(to id: RequestID) {
    comma()
    key("id")
    switch id {
    case .string(let text): string(text)
    case .integer(let number): integer(number)
    // A fraction stays one: `1.0` comes back as `1.0`.
    case .real(let number): raw("\(number)".utf8)
    case .null, .notification: null()
    }
    endObject()
  }
}
