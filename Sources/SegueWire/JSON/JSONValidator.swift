/// Whether a text is JSON (RFC 8259), found out without making anything of it: a tree of all its values takes up to a
/// hundred times its room, and a hundred times as long.
///
/// It accepts whatever the reader accepts. In addition it accepts a number beyond the reader's range.
struct JSONValidator {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// The containers around `position`, the outermost first: whether each is an object.
  private var containers: [Bool] = []

  /// As deep as the reader goes (Jansson's JSON_PARSER_MAX_DEPTH), the innermost value counted.
  private static let deepest = 2_048

  /// The number of values in `bytes`: objects, arrays, strings, numbers and words, each by itself.
  static func countValues(_ bytes: UnsafeRawBufferPointer) throws(JSONSyntaxError) -> Int {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw JSONSyntaxError(reason: "no UTF-8", offset: 0)
    }
    var grammar = JSONValidator(bytes: bytes)
    var count = 0
    repeat { count += 1 } while try grammar.moveBeyondValue()
    return count
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Takes a scalar, or the bracket that a container begins with, and goes on to the next value. False at the end.
  private mutating func moveBeyondValue() throws(JSONSyntaxError) -> Bool {
    skipSpaces()
    switch current {
    case UInt8(ascii: "{"): if try opens(isObject: true) { return true }
    case UInt8(ascii: "["): if try opens(isObject: false) { return true }
    case UInt8(ascii: "\""): try takeString()
    case UInt8(ascii: "t"): try take("true")
    case UInt8(ascii: "f"): try take("false")
    case UInt8(ascii: "n"): try take("null")
    default: try takeNumber()
    }
    return try moveToNextElement()
  }

  /// Enters a container; false if there is nothing in it, which has then been taken whole.
  private mutating func opens(isObject: Bool) throws(JSONSyntaxError) -> Bool {
    position += 1
    skipSpaces()
    if current == Self.end(ofObject: isObject) {
      position += 1
      return false
    }
    guard containers.count + 1 < Self.deepest else { throw failure("too deep") }
    containers.append(isObject)
    if isObject { try takeName() }
    return true
  }

  /// Goes from behind a value to the next; false when that was the last of all.
  private mutating func moveToNextElement() throws(JSONSyntaxError) -> Bool {
    while true {
      skipSpaces()
      guard let isObject = containers.last else {
        guard position == bytes.count else { throw failure("the end was expected") }
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
      default: throw failure(isObject ? "',' or '}' was expected" : "',' or ']' was expected")
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
      guard byte >= 0x20 else { throw failure("a control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\\") { try takeEscape() }
    }
    try take("\"")
  }

  private mutating func takeEscape() throws(JSONSyntaxError) {
    guard let letter = current, "\"\\/bfnrtu".utf8.contains(letter) else { throw failure("an unknown escape") }
    position += 1
    guard letter == UInt8(ascii: "u") else { return }
    switch try takeHexadecimal() {
    case 0xD800..<0xDC00:
      try take("\\u")
      guard (0xDC00..<0xE000).contains(try takeHexadecimal()) else { throw failure("half a surrogate pair") }
    case 0xDC00..<0xE000: throw failure("half a surrogate pair")
    default: break
    }
  }

  private mutating func takeHexadecimal() throws(JSONSyntaxError) -> Int {
    var value = 0
    for _ in 0..<4 {
      guard let digit = current.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw failure("four hexadecimal digits were expected")
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
    if position == start { throw failure("a value was expected") }
  }

  private mutating func take(_ token: StaticString) throws(JSONSyntaxError) {
    for offset in 0..<token.utf8CodeUnitCount {
      guard current == token.utf8Start[offset] else { throw failure("'\(token)' was expected") }
      position += 1
    }
  }

  private mutating func skipSpaces() {
    while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: position) }
}
