/// A JSON-RPC 2.0 request.
public struct Request {
  public var method: String
  /// The parameters, an object or an array; nil if there are none.
  public var params: JSON?
  public var id: RequestID
}

/// The id of a request. The response repeats it unchanged.
public enum RequestID: Sendable {
  /// The request has no id: it is a notification, which is carried out without a response.
  case notification
  /// The id is null, or it could not be read from an invalid request.
  case null
  case string(String)
  case integer(Int64)
  /// A number with a fraction or an exponent.
  case real(Double)

  fileprivate init?(_ json: JSON) {
    switch json.kind {
    case .null: self = .null
    case .string: self = .string(json.string ?? "")
    case .integer: self = .integer(json.integer ?? 0)
    case .real: self = .real(json.double ?? 0)
    case .object, .array, .bool: return nil
    }
  }

  public var isNotification: Bool {
    if case .notification = self { true } else { false }
  }
}

/// An error for a request that cannot be carried out, with the id of its response.
public struct InvalidRequest: Error {
  public var failure: Failure
  public var id: RequestID

  public init(_ kind: Failure.Kind, _ message: LocalizableMessage, code: Int? = nil, id: RequestID = .null) {
    failure = Failure(kind, message, code: code)
    self.id = id
  }
}

/// The content of one line of input.
public enum IncomingMessage {
  /// A request without parameters that was read without the JSON parser.
  case plain(Request)
  case single(JSON)
  /// A batch with at least one element.
  case batch(RequestBatch)
}

extension IncomingMessage {
  /// Reads a line. An empty array is an error (JSON-RPC 2.0, section 6).
  public init(line: UnsafeRawBufferPointer) throws(InvalidRequest) {
    if let request = Request(plain: line) {
      self = .plain(request)
    } else if line.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") {
      guard try JSON.countValues(line) > 1 else {
        throw InvalidRequest(.invalidRequest, "a batch must contain at least one request")
      }
      self = .batch(RequestBatch(valid: line))
    } else {
      self = .single(try JSON(request: line))
    }
  }
}

extension JSON {
  /// The maximum number of values in a request, including nested ones. Parsing that many values takes some
  /// milliseconds, during which the loop does nothing else.
  private static let maximumValueCount = 65_536

  /// Parses a text that should be one request.
  init(request text: UnsafeRawBufferPointer) throws(InvalidRequest) {
    // A value takes at least a byte and a comma, so a short text need not be validated first.
    if text.count > 2 * Self.maximumValueCount, try Self.countValues(text) > Self.maximumValueCount {
      throw InvalidRequest(
        .tooLarge, "a request may contain at most \(Self.maximumValueCount) values; split it")
    }
    do {
      try self.init(parsing: text)
    } catch {
      throw InvalidRequest(syntaxError: error)
    }
  }

  fileprivate static func countValues(_ text: UnsafeRawBufferPointer) throws(InvalidRequest) -> Int {
    do { return try JSONValidator.countValues(text) } catch { throw InvalidRequest(syntaxError: error) }
  }
}

extension InvalidRequest {
  fileprivate init(syntaxError error: JSONSyntaxError) { self = InvalidRequest(.parseError, "invalid JSON: \(error)") }
}

extension Request {
  /// Reads one request (JSON-RPC 2.0, section 4), except that `jsonrpc` may be left out.
  public init(_ json: JSON) throws(InvalidRequest) {
    guard json.kind == .object else {
      throw InvalidRequest(.invalidRequest, "a request must be an object")
    }
    var id = RequestID.notification
    if let given = json["id"] {
      guard let read = RequestID(given) else {
        throw InvalidRequest(.invalidRequest, "`id` must be a string, a number or null")
      }
      id = read
    }
    // An invalid request without an id is not a notification: its error is sent with the id null.
    func invalid(_ message: LocalizableMessage) -> InvalidRequest {
      InvalidRequest(.invalidRequest, message, id: id.isNotification ? .null : id)
    }
    if let version = json["jsonrpc"], version.string != "2.0" { throw invalid("`jsonrpc` must be \"2.0\"") }
    guard let method = json["method"]?.string else { throw invalid("`method` must be a string") }
    let params = json["params"]
    if let params, params.kind != .object, params.kind != .array {
      throw invalid("`params` must be an object or an array")
    }
    self.method = method
    self.params = params
    self.id = id
  }
}
