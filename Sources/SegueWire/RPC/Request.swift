internal import Glibc
internal import SegueSystem

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

extension Request {
  /// Reads a request of the form that status bars and scripts send frequently: `jsonrpc`, `id` and `method`, each at
  /// most once, in any order, with integers or strings of unescaped ASCII. Returns nil for every other line, valid or
  /// not, which the JSON parser then reads. This takes a tenth of the time of the JSON parser.
  init?(plain line: UnsafeRawBufferPointer) {
    var scanner = PlainScanner(line)
    guard scanner.take("{") else { return nil }
    var method: String?
    var id: RequestID?
    var hasVersion = false
    repeat {
      guard let name = scanner.string(), scanner.take(":") else { return nil }
      if name.isEqual("method"), method == nil, let text = scanner.string() {
        method = String(decoding: text, as: UTF8.self)
      } else if name.isEqual("id"), id == nil, let value = scanner.id() {
        id = value
      } else if name.isEqual("jsonrpc"), !hasVersion, let version = scanner.string(),
        version.isEqual("2.0")
      {
        hasVersion = true
      } else {
        return nil
      }
    } while scanner.take(",")
    guard scanner.take("}"), scanner.isAtEnd, let method else { return nil }
    self.init(method: method, params: nil, id: id ?? .notification)
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate func isEqual(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount, let start = base.baseAddress else { return false }
    return memcmp(start + startIndex, text.utf8Start, count) == 0
  }
}

/// A scanner of the tokens of a simple request.
private struct PlainScanner {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// Consumes `token` and the spaces after it.
  mutating func take(_ token: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: token) else { return false }
    position += 1
    skipSpaces()
    return true
  }

  /// Consumes a string and returns its content.
  mutating func string() -> Slice<UnsafeRawBufferPointer>? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      guard (0x20..<0x7F).contains(bytes[end]), bytes[end] != UInt8(ascii: "\\") else { return nil }
      end += 1
    }
    guard end < bytes.count else { return nil }
    position = end + 1
    skipSpaces()
    return bytes[start..<end]
  }

  /// Consumes a string, or an integer of at most 18 digits.
  mutating func id() -> RequestID? {
    if let text = string() { return .string(String(decoding: text, as: UTF8.self)) }
    let start = position
    var value: Int64 = 0
    while position < bytes.count, (0x30...0x39).contains(bytes[position]), position - start < 18 {
      value = value * 10 + Int64(bytes[position] - 0x30)
      position += 1
    }
    // JSON does not allow a leading zero. The JSON parser reads numbers with a fraction or an exponent.
    guard position > start, position - start == 1 || bytes[start] != 0x30 else { return nil }
    skipSpaces()
    return .integer(value)
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }
}

/// The parameters of a request in the order of the method's declaration. A request decodes itself in this order: all
/// values that are given, then the missing ones, then rules for several parameters. A value of the wrong type is a
/// better explanation of a mistake than a missing parameter.
public struct RequestParameters {
  private let method: MethodDescription
  private let values: [JSON?]

  /// Throws an error if `params`, an object or an array, contains more than the method takes.
  public init(_ params: JSON?, of method: MethodDescription) throws(Failure) {
    self.method = method
    let none = [JSON?](repeating: nil, count: method.parameters.count)
    guard let params else {
      values = none
      return
    }
    if let elements = params.elements {
      guard elements.count <= none.count else {
        throw method.invalid("takes \(method.list(method.parameters)), but \(elements.count) values were given")
      }
      values = elements + none.dropFirst(elements.count)
    } else {
      if let unknown = params.names.first(where: { name in !method.parameters.contains { $0.name == name } }) {
        throw method.invalid("has no parameter `\(unknown)`; it takes \(method.list(method.parameters))")
      }
      values = method.parameters.map { params[$0.name] }
    }
  }

  /// Throws `denied` if the rights do not include the method or one of the parameters that are given.
  public func check(_ rights: Rights) throws(Failure) {
    guard rights < .all else { return }
    try rights.require(method.rights, for: "`\(method.name)`")
    for (parameter, value) in zip(method.parameters, values) where value != nil {
      try rights.require(parameter.rights, for: "`\(parameter.name)` of `\(method.name)`")
    }
  }

  /// Returns the value of the parameter at `index` that `read` returns; nil if it is not given. Throws an error if
  /// `read` returns nil.
  public func read<Value>(_ index: Int, _ read: (JSON) -> Value?) throws(Failure) -> Value? {
    guard let json = values[index] else { return nil }
    guard let value = read(json) else {
      let parameter = method.parameters[index]
      throw Failure(.invalidParams, "`\(method.name)`: `\(parameter.name)` must be \(parameter.values.wording)")
    }
    return value
  }

  /// Returns the value of the parameter at `index`, which must be given.
  public func require<Value>(_ value: Value?, _ index: Int) throws(Failure) -> Value {
    guard let value else {
      let parameter = method.parameters[index]
      throw Failure(
        .invalidParams, "`\(method.name)`: missing parameter `\(parameter.name)` (\(parameter.values.wording))")
    }
    return value
  }

  /// Returns the value that is given of the parameters at `indices`, which exclude each other; nil if none is.
  public func atMostOne<Value>(of indices: [Int], _ values: Value?...) throws(Failure) -> Value? {
    let given = values.compactMap(\.self)
    if given.count > 1 { throw method.invalid("takes at most one of \(list(indices))") }
    return given.first
  }

  /// Returns the value that is given of the parameters at `indices`, of which exactly one must be.
  public func exactlyOne<Value>(of indices: [Int], _ values: Value?...) throws(Failure) -> Value {
    let given = values.compactMap(\.self)
    guard given.count == 1 else { throw method.invalid("takes exactly one of \(list(indices))") }
    return given[0]
  }

  private func list(_ indices: [Int]) -> LocalizableMessage { method.list(indices.map { method.parameters[$0] }) }
}

extension MethodDescription {
  fileprivate func list(_ parameters: [Parameter]) -> LocalizableMessage {
    parameters.isEmpty
      ? LocalizableMessage("no parameters") : .plain(parameters.map { "`\($0.name)`" }.joined(separator: ", "))
  }

  fileprivate func invalid(_ message: LocalizableMessage) -> Failure { Failure(.invalidParams, "`\(name)` \(message)") }
}

// MARK: Values

extension JSON {
  /// The integer in `range`; nil for every other value.
  func int(in range: some RangeExpression<Int>) -> Int? { int.flatMap { range.contains($0) ? $0 : nil } }

  /// The integer in `range`; nil for every other value.
  func integer(in range: some RangeExpression<Int64>) -> Int64? { integer.flatMap { range.contains($0) ? $0 : nil } }

  /// An integer that is not negative; nil for every other value.
  var unsigned: UInt64? { integer.flatMap { UInt64(exactly: $0) } }

  /// The number in `range`; nil for every other value.
  func double(in range: some RangeExpression<Double>) -> Double? {
    double.flatMap { range.contains($0) ? $0 : nil }
  }

  /// The time whose seconds are in `range`; nil for every other value.
  func time(in range: some RangeExpression<Double>) -> MediaTime? {
    double(in: range).map { MediaTime(seconds: $0) }
  }

  /// A speed at which tracks can be played; nil for every other value.
  var speed: PlaybackSpeed? { double.flatMap(PlaybackSpeed.init(factor:)) }

  /// The value true; nil for every other value.
  var onlyTrue: Void? { bool == true ? () : nil }

  /// The word of an enumeration; nil for every other value.
  public func word<Word: RawRepresentable<String>>(_ type: Word.Type) -> Word? { string.flatMap(Word.init) }

  /// The value that `read` returns, or null; nil if it is neither.
  func nullable<Value>(_ read: (JSON) -> Value?) -> Value?? { isNull ? .some(nil) : read(self).map { .some($0) } }
}
