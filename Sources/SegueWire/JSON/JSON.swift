internal import CJansson
internal import Glibc
public import SegueSystem

/// A parsed JSON value: a view into a parsed document, which it retains.
///
/// Jansson parses the text (RFC 8259, strict UTF-8, nesting up to 2,048). A value belongs to the thread that parsed it:
/// two threads may not hold views into the same document.
public struct JSON {
  /// The kind of a value.
  public enum Kind: Sendable {
    case object, array, string, integer, real, bool, null
  }

  private let document: Document
  private let value: UnsafeMutablePointer<json_t>

  /// Seeds the hash tables of Jansson, once per process. Otherwise Jansson would open a file to do so.
  private static let seeding: Void = json_object_seed(Int.random(in: 1...Int.max))

  private init(_ document: Document, _ value: UnsafeMutablePointer<json_t>) {
    self.document = document
    self.value = value
  }

  /// Parses exactly one value of any kind. Throws an error with the position of the first mistake.
  public init(parsing bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
    // Jansson takes a NUL after the value for the end of the text.
    if let start = bytes.baseAddress, let found = memchr(start, 0, bytes.count) {
      throw JSONSyntaxError(reason: "unexpected NUL byte", offset: start.distance(to: UnsafeRawPointer(found)))
    }
    Self.seeding
    var failure = json_error_t()
    if let root = Self.load(bytes, &failure) {
      self.init(Document(owning: root), root)
      return
    }
    if json_error_code(&failure) == json_error_null_byte_in_key,
      let root = Self.replacingNULsInNames(of: bytes).withUnsafeBytes({ Self.load($0, &failure) })
    {
      self.init(Document(owning: root), root)
      return
    }
    if bytes.isEmpty { throw JSONSyntaxError(reason: "empty input", offset: 0) }
    let reason = withUnsafeBytes(of: failure.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    throw JSONSyntaxError(reason: reason, offset: Int(failure.position))
  }

  private static func load(
    _ bytes: UnsafeRawBufferPointer, _ failure: inout json_error_t
  ) -> UnsafeMutablePointer<json_t>? {
    let text = bytes.bindMemory(to: CChar.self)
    return text.baseAddress.flatMap { json_loadb($0, text.count, segue_json_load_flags, &failure) }
  }

  /// Returns `text` with every escaped NUL in the name of a member replaced by U+2400, the symbol for NUL. Jansson
  /// refuses such names although they are valid JSON. No member of the protocol contains either character in its name.
  private static func replacingNULsInNames(of text: UnsafeRawBufferPointer) -> [UInt8] {
    var bytes = Array(text)
    var escapedNULs: [Int] = []
    var isInString = false
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\"") where isInString:
        isInString = false
        let next = bytes[(index + 1)...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        // Only the name of a member is followed by a colon.
        guard next == UInt8(ascii: ":") else { break }
        for start in escapedNULs { bytes.replaceSubrange(start..<(start + 6), with: #"\u2400"#.utf8) }
      case UInt8(ascii: "\""):
        isInString = true
        escapedNULs = []
      case UInt8(ascii: "\\") where isInString:
        if bytes[index...].starts(with: #"\u0000"#.utf8) { escapedNULs.append(index) }
        index += 1
      default: break
      }
      index += 1
    }
    return bytes
  }

  public init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    // `withUnsafeBytes` rethrows untyped.
    let parsed: Result<JSON, JSONSyntaxError> = bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONSyntaxError) in try JSON(parsing: buffer) }
    }
    self = try parsed.get()
  }

  public init(parsing text: String) throws(JSONSyntaxError) { try self.init(parsing: Array(text.utf8)) }

  public var kind: Kind {
    switch json_type(UInt32(segue_json_typeof(value))) {
    case JSON_OBJECT: .object
    case JSON_ARRAY: .array
    case JSON_STRING: .string
    case JSON_INTEGER: .integer
    case JSON_REAL: .real
    case JSON_TRUE, JSON_FALSE: .bool
    default: .null
    }
  }

  public var isNull: Bool { kind == .null }

  /// The text of a string; nil for every other kind.
  public var string: String? {
    guard let text = json_string_value(value) else { return nil }
    let length = json_string_length(value)
    return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
  }

  /// Calls `body` with the UTF-8 of a string, or with nil for every other kind.
  public func withUTF8<Result>(_ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
    body(json_string_value(value).map { UnsafeRawBufferPointer(start: $0, count: json_string_length(value)) })
  }

  /// The value of a number without a fraction, if it fits: 3.0 is an integer, 3.5 and "3" are not.
  public var integer: Int64? {
    switch kind {
    case .integer: json_integer_value(value)
    case .real: Int64(exactly: json_real_value(value))
    case .object, .array, .string, .bool, .null: nil
    }
  }

  /// The value of a number; nil for every other kind.
  public var double: Double? {
    switch kind {
    case .integer: Double(json_integer_value(value))
    case .real: json_real_value(value)
    case .object, .array, .string, .bool, .null: nil
    }
  }

  /// The value of `integer` as an `Int`.
  public var int: Int? { integer.map(Int.init) }

  /// The time in seconds, if the value is a number.
  public var time: MediaTime? { double.map { MediaTime(seconds: $0) } }

  /// The time in seconds since 1970, if the value is a number in its range.
  public var unixTime: UnixTime? {
    guard let seconds = double, abs(seconds) < 9e9 else { return nil }
    return UnixTime(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  /// The time of CLOCK_MONOTONIC in seconds, if the value is a number.
  public var monotonicTime: MonotonicTime? { time.map { MonotonicTime(nanoseconds: $0.nanoseconds) } }

  public var bool: Bool? {
    guard kind == .bool else { return nil }
    return segue_json_typeof(value) == Int32(JSON_TRUE.rawValue)
  }

  /// The member `name` of an object; nil if there is none, and for every other kind.
  public subscript(name: String) -> JSON? { json_object_get(value, name).map { JSON(document, $0) } }

  /// The number of elements of an array or members of an object; 0 for every other kind.
  public var count: Int { kind == .array ? json_array_size(value) : json_object_size(value) }

  /// The elements of an array; nil for every other kind.
  public var elements: [JSON]? {
    guard kind == .array else { return nil }
    return (0..<json_array_size(value)).map { JSON(document, json_array_get(value, $0)!) }
  }

  /// Returns what `read` returns for the elements; nil if the value is no array, or if `read` returns nil for one of
  /// them. Unlike `elements`, this creates no array of JSON values: a request may have tens of thousands of elements.
  public func array<Value>(_ read: (JSON) -> Value?) -> [Value]? {
    guard kind == .array else { return nil }
    let count = json_array_size(value)
    var values: [Value] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      guard let value = read(JSON(document, json_array_get(value, index)!)) else { return nil }
      values.append(value)
    }
    return values
  }

  /// Returns the strings in the array `name`; empty if there is no such array.
  public func strings(_ name: String) -> [String] {
    let array = json_object_get(value, name)
    return (0..<json_array_size(array)).compactMap { JSON(document, json_array_get(array, $0)!).string }
  }

  /// Returns the words in the array `name` that the enumeration has; empty if there is no such array.
  public func words<Word: RawRepresentable<String>>(_ name: String) -> [Word] {
    strings(name).compactMap(Word.init(rawValue:))
  }

  /// Returns the decoded member `name`; nil if there is none, or if it is null.
  public func member<Value: JSONDecodable>(_ name: String) -> Value? {
    guard let member = self[name], !member.isNull else { return nil }
    return Value(member)
  }

  /// Returns the decoded elements of the array `name`; empty if there is no such array.
  public func list<Value: JSONDecodable>(_ name: String) -> [Value] { self[name]?.elements?.map { Value($0) } ?? [] }

  /// The names of an object's members, in the order of the text; empty for every other kind.
  public var names: [String] {
    var names: [String] = []
    var iterator = json_object_iter(value)
    while let member = iterator {
      names.append(String(cString: json_object_iter_key(member)))
      iterator = json_object_iter_next(value, member)
    }
    return names
  }

  /// The only owner of a parsed tree.
  private final class Document {
    private let root: UnsafeMutablePointer<json_t>

    init(owning root: UnsafeMutablePointer<json_t>) { self.root = root }

    deinit { segue_json_decref(root) }
  }
}

/// An error in a JSON text.
public struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
  public let reason: String
  /// The byte at which parsing stopped, from 0.
  public let offset: Int

  public var description: String { "\(reason) (at byte \(offset))" }
}
