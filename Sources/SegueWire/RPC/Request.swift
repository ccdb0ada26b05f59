/// A JSON-RPC 2.0 request.
public struct Request {
  public var method: String
  /// An object or an array; nil when there are none.
  public var params: JSON?
  public var id: RequestID
}

/// What an answer is matched by. It comes back as it was sent.
public enum RequestID: Sendable {
  /// None was sent: the request is a notification, carried out and not answered.
  case notification
  /// Sent, or owed to a request nobody can tell the id of.
  case null
  case string(String)
  case integer(Int64)
  /// A number that was written with a fraction or an exponent.
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

/// A request that cannot be carried out, and the id its error goes to.
public struct InvalidRequest: Error {
  public var failure: Failure
  public var id: RequestID

  public init(_ kind: Failure.Kind, _ message: String, code: Int? = nil, id: RequestID = .null) {
    failure = Failure(kind, message, code: code)
    self.id = id
  }
}

/// What a line held.
public enum IncomingMessage {
  /// A request without parameters, recognised at a glance.
  case plain(Request)
  case single(JSON)
  /// One element or more.
  case batch(Batch)
}

extension IncomingMessage {
  /// Reads a line. An empty array is no batch but an error (JSON-RPC 2.0, section 6).
  public init(line: UnsafeRawBufferPointer) throws(InvalidRequest) {
    if let request = Request(plain: line) {
      self = .plain(request)
    } else if line.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") {
      guard try JSON.countValues(line) > 1 else {
        throw InvalidRequest(.invalidRequest, "a batch holds at least one request")
      }
      self = .batch(Batch(sound: line))
    } else {
      self = .single(try JSON(request: line))
    }
  }
}

extension JSON {
  /// The most values that one request holds, itself and all that is in it: to read so many takes the loop some
  /// milliseconds, in which nobody else is answered.
  private static let maximumValueCount = 65_536

  /// Reads what should be one request.
  init(request text: UnsafeRawBufferPointer) throws(InvalidRequest) {
    // A value takes a byte and a comma at least: a short text holds too few to be gone through twice.
    if text.count > 2 * Self.maximumValueCount, try Self.countValues(text) > Self.maximumValueCount {
      throw InvalidRequest(.tooLarge, "a request holds at most \(Self.maximumValueCount) values: send it in several")
    }
    do {
      try self.init(parsing: text)
    } catch {
      throw InvalidRequest(noJSON: error)
    }
  }

  fileprivate static func countValues(_ text: UnsafeRawBufferPointer) throws(InvalidRequest) -> Int {
    do { return try JSONValidator.countValues(text) } catch { throw InvalidRequest(noJSON: error) }
  }
}

extension InvalidRequest {
  fileprivate init(noJSON error: JSONSyntaxError) { self.init(.parseError, "this is no JSON: \(error)") }
}

extension Request {
  /// Reads one request (JSON-RPC 2.0, section 4), except that `jsonrpc` may be left out.
  public init(_ json: JSON) throws(InvalidRequest) {
    guard json.kind == .object else {
      throw InvalidRequest(.invalidRequest, "a request is an object")
    }
    var id = RequestID.notification
    if let given = json["id"] {
      guard let read = RequestID(given) else {
        throw InvalidRequest(.invalidRequest, "`id` is a string, a number or null")
      }
      id = read
    }
    // An invalid request is no notification: its sender hears of it, if need be under the id null.
    func invalid(_ message: String) -> InvalidRequest {
      InvalidRequest(.invalidRequest, message, id: id.isNotification ? .null : id)
    }
    if let version = json["jsonrpc"], version.string != "2.0" { throw invalid("`jsonrpc` is \"2.0\"") }
    guard let method = json["method"]?.string else { throw invalid("`method` is a string") }
    let params = json["params"]
    if let params, params.kind != .object, params.kind != .array { throw invalid("`params` is an object or an array") }
    self.method = method
    self.params = params
    self.id = id
  }
}
