/// A validator for JSON texts (RFC 8259) that does not build a tree of values. Such a tree may take a hundred times the
/// memory of the text and a hundred times as long.
///
/// The validator accepts every text that the parser accepts. It also accepts numbers beyond the range of the parser.
struct JSONValidator {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// The containers around `position`, outermost first; true for an object, false for an array.
  private var containers: [Bool] = []

  /// The maximum nesting depth of the parser (Jansson's JSON_PARSER_MAX_DEPTH), including the innermost value.
  private static let maximumDepth = 2_048

  /// Returns the number of values in `bytes`, including nested ones. Throws if the text is not JSON.
  static func countValues(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> Int {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONSyntaxError(reason: "invalid UTF-8", offset: 0)
    }
    var validator = JSONValidator(bytes: bytes)
    var count = 0
    repeat { count += 1 } while try validator.moveBeyondValue()
    return count
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Consumes a scalar, or the opening bracket of a container, and moves to the next value. Returns false at the end.
  private mutating func moveBeyondValue() throws(JSONSyntaxError) -> Bool {
    skipSpaces()
    switch current {
    case UInt8(ascii: "{"): if try enterContainer(isObject: true) { return true }
    case UInt8(ascii: "["): if try enterContainer(isObject: false) { return true }
    case UInt8(ascii: "\""): try takeString()
    case UInt8(ascii: "t"): try take("true")
    case UInt8(ascii: "f"): try take("false")
    case UInt8(ascii: "n"): try take("null")
    default: try takeNumber()
    }
    return try moveToNextElement()
  }

  /// Enters a container. Consumes an empty container and returns false.
  private mutating func enterContainer(isObject: Bool) throws(JSONSyntaxError) -> Bool {
    position += 1
    skipSpaces()
    if current == Self.end(ofObject: isObject) {
      position += 1
      return false
    }
    guard containers.count + 1 < Self.maximumDepth else { throw failure("nested too deeply") }
    containers.append(isObject)
    if isObject { try takeName() }
    return true
  }

  /// Moves from the end of a value to the next value. Returns false after the last value.
  private mutating func moveToNextElement() throws(JSONSyntaxError) -> Bool {
    while true {
      skipSpaces()
      guard let isObject = containers.last else {
        guard position == bytes.count else { throw failure("unexpected data after the value") }
        return false
      }
      switch current {
      case UInt8(ascii: ","):
        position += 1
        if isObject {
          skipSpaces()
          try takeName()
        }
        return true
      case Self.end(ofObject: isObject):
        position += 1
        containers.removeLast()
      default: throw failure(isObject ? "expected ',' or '}'" : "expected ',' or ']'")
      }
    }
  }

  private static func end(ofObject isObject: Bool) -> UInt8 { UInt8(ascii: isObject ? "}" : "]") }

  private mutating func takeName() throws(JSONSyntaxError) {
    try takeString()
    skipSpaces()
    try take(":")
  }

  // MARK: Tokens

  private mutating func takeString() throws(JSONSyntaxError) {
    try take("\"")
    while let byte = current, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure("unescaped control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\\") { try takeEscape() }
    }
    try take("\"")
  }

  private mutating func takeEscape() throws(JSONSyntaxError) {
    guard let letter = current, "\"\\/bfnrtu".utf8.contains(letter) else { throw failure("unknown escape sequence") }
    position += 1
    guard letter == UInt8(ascii: "u") else { return }
    switch try takeHexadecimal() {
    case 0xD800..<0xDC00:
      try take("\\u")
      guard (0xDC00..<0xE000).contains(try takeHexadecimal()) else { throw failure("unpaired surrogate") }
    case 0xDC00..<0xE000: throw failure("unpaired surrogate")
    default: break
    }
  }

  private mutating func takeHexadecimal() throws(JSONSyntaxError) -> Int {
    var value = 0
    for _ in 0..<4 {
      guard let digit = current.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw failure("expected four hexadecimal digits")
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private mutating func takeNumber() throws(JSONSyntaxError) {
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") { position += 1 } else { try takeDigits() }
    if current == UInt8(ascii: ".") {
      position += 1
      try takeDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try takeDigits()
    }
  }

  private mutating func takeDigits() throws(JSONSyntaxError) {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    if position == start { throw failure("expected a value") }
  }

  private mutating func take(_ token: StaticString) throws(JSONSyntaxError) {
    for offset in 0..<token.utf8CodeUnitCount {
      guard current == token.utf8Start[offset] else { throw failure("expected '\(token)'") }
      position += 1
    }
  }

  private mutating func skipSpaces() {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: position) }
}

extension JSON {
  /// Parses exactly one value of any kind, unless it contains more than `maximumValueCount` values, including nested
  /// ones. Throws an error with the position of the first mistake.
  public init(parsing bytes: [UInt8], maximumValueCount: Int) throws(JSONSyntaxError) {
    // A value takes at least a byte and a comma, so a short text need not be counted.
    if bytes.count > 2 * maximumValueCount {
      // `withUnsafeBytes` rethrows untyped.
      let counted: Result<Int, JSONSyntaxError> = bytes.withUnsafeBytes { buffer in
        Result { () throws(JSONSyntaxError) in try JSONValidator.countValues(buffer) }
      }
      guard try counted.get() <= maximumValueCount else {
        throw JSONSyntaxError(reason: "more than \(maximumValueCount) values", offset: 0)
      }
    }
    try self.init(parsing: bytes)
  }
}
