internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode

/// A parser of templates, which consist of literal text and of expressions between `{{` and `}}`.
struct TemplateParser {
  struct Failure: Error {
    /// The index of the character.
    let position: Int
    let reason: String
    var hints: [String] = []
  }

  /// The maximum depth of nested parentheses and signs.
  private static let maximumDepth = 100

  private let text: [Character]
  private var position = 0
  private var depth = 0

  init(_ text: String) { self.text = Array(text) }

  mutating func parts() throws(Failure) -> [Template.Part] {
    var parts: [Template.Part] = []
    var literal = ""
    while let character = peek {
      guard character == "{", position + 1 < text.count, text[position + 1] == "{" else {
        literal.append(character)
        position += 1
        continue
      }
      if !literal.isEmpty { parts.append(.literal(literal)) }
      literal = ""
      let start = position
      position += 2
      parts.append(.expression(try sum()))
      guard consume("}"), peek == "}" else {
        if peek == nil { throw Failure(position: start, reason: tr("unclosed {{")) }
        throw unexpected(expected: "}}")
      }
      position += 1
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    return parts
  }

  /// Returns the template and a line with a mark below the position.
  func marker(at position: Int) -> [String] {
    let shown = text.map { $0.isNewline ? " " : $0 }
    return [
      String(shown),
      String(repeating: " ", count: DisplayWidth.of(String(shown.prefix(position)).visible)) + "^",
    ]
  }

  /// Parses products that are added or subtracted.
  private mutating func sum() throws(Failure) -> Expression {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw Failure(position: position, reason: tr("too many nested parentheses")) }
    return try chain(of: [.add, .subtract]) { parser throws(Failure) in try parser.product() }
  }

  private mutating func product() throws(Failure) -> Expression {
    try chain(of: [.multiply, .divide]) { parser throws(Failure) in try parser.operand() }
  }

  /// Parses operands with `next` and the left-associative operators `operators` between them.
  private mutating func chain(
    of operators: [Expression.Operator], _ next: (inout Self) throws(Failure) -> Expression
  ) throws(Failure) -> Expression {
    var start = skipWhitespace()
    var left = try next(&self)
    while let operation = operation(of: operators) {
      try requireNumber(left, at: start)
      start = skipWhitespace()
      let right = try next(&self)
      try requireNumber(right, at: start)
      left = .arithmetic(operation, left, right)
    }
    return left
  }

  private mutating func operand() throws(Failure) -> Expression {
    let start = skipWhitespace()
    switch peek {
    case "(":
      position += 1
      let inner = try sum()
      guard consume(")") else { throw unexpected(expected: ")") }
      return inner
    case "+", "-":
      let isNegative = peek == "-"
      position += 1
      depth += 1
      defer { depth -= 1 }
      if depth > Self.maximumDepth { throw Failure(position: position, reason: tr("too many signs")) }
      let at = skipWhitespace()
      let inner = try operand()
      try requireNumber(inner, at: at)
      return isNegative ? .negative(inner) : inner
    case "\"": return .text(try quoted())
    case let character? where character.isDigitOrPoint:
      let digits = String(takeWhile(\.isDigitOrPoint))
      guard let number = Double(digits) else {
        throw Failure(position: start, reason: tr("invalid number “%1$s”", digits))
      }
      return .number(number)
    case let character? where character.startsName: return try named(at: start)
    default: throw unexpected(expected: tr("a name, a number or a quoted text"))
    }
  }

  private mutating func quoted() throws(Failure) -> String {
    let start = position
    position += 1
    let words = takeWhile { $0 != "\"" }
    guard peek != nil else { throw Failure(position: start, reason: tr("unclosed quotes")) }
    position += 1
    return String(words)
  }

  /// Parses a variable, or a function with its arguments.
  private mutating func named(at start: Int) throws(Failure) -> Expression {
    let name = String(takeWhile(\.continuesName))
    guard peek == "(" else {
      if let variable = TemplateVariable(named: name) { return .variable(variable) }
      throw Failure(
        position: start, reason: tr("unknown variable “%1$s”", name),
        hints: Self.hints(name, TemplateVariable.all.map(\.name), else: tr("segue help status   lists the variables")))
    }
    guard let function = TemplateFunction(rawValue: name) else {
      throw Failure(
        position: start, reason: tr("unknown function “%1$s”", name),
        hints: Self.hints(
          name, TemplateFunction.words,
          else: tr("the functions are %1$s", TemplateFunction.words.joined(separator: ", "))))
    }
    return .call(function, try arguments(of: function, at: start))
  }

  private mutating func arguments(of function: TemplateFunction, at start: Int) throws(Failure) -> [Expression] {
    var arguments: [Expression] = []
    repeat {
      position += 1
      let at = skipWhitespace()
      let argument = try sum()
      if arguments.count == function.numericArgument { try requireNumber(argument, at: at) }
      arguments.append(argument)
      _ = skipWhitespace()
    } while peek == ","
    guard consume(")") else { throw unexpected(expected: ")") }
    guard arguments.count == function.arity else {
      throw Failure(
        position: start,
        reason: function.arity == 1
          ? tr("%1$s takes one argument, not %2$d", function.rawValue, arguments.count)
          : tr("%1$s takes two arguments, not %2$d", function.rawValue, arguments.count))
    }
    if function == .emoji {
      guard case .variable = arguments[0] else {
        throw Failure(position: start, reason: tr("emoji takes a variable: status or volume"))
      }
    }
    return arguments
  }

  private func requireNumber(_ expression: Expression, at start: Int) throws(Failure) {
    if !expression.isNumeric { throw Failure(position: start, reason: tr("expected a number, found a text")) }
  }

  private func unexpected(expected: String) -> Failure {
    Failure(
      position: position,
      reason: peek.map { tr("expected %1$s, found “%2$s”", expected, $0) }
        ?? tr("expected %1$s, found the end", expected))
  }

  private static func hints(_ word: String, _ known: [String], else other: String) -> [String] {
    [EditDistance.nearest(to: word, in: known).map { tr("did you mean %1$s?", $0) } ?? other]
  }

  private var peek: Character? { position < text.count ? text[position] : nil }

  /// Skips whitespace and returns the position of the next token.
  private mutating func skipWhitespace() -> Int {
    while let character = peek, character.isWhitespace { position += 1 }
    return position
  }

  /// Skips whitespace and consumes `character` if it follows. Returns whether it does.
  private mutating func consume(_ character: Character) -> Bool {
    _ = skipWhitespace()
    guard peek == character else { return false }
    position += 1
    return true
  }

  private mutating func operation(of wanted: [Expression.Operator]) -> Expression.Operator? {
    _ = skipWhitespace()
    guard let operation = peek.flatMap(Expression.Operator.init), wanted.contains(operation) else { return nil }
    position += 1
    return operation
  }

  private mutating func takeWhile(_ isMember: (Character) -> Bool) -> ArraySlice<Character> {
    let taken = text[position...].prefix(while: isMember)
    position = taken.endIndex
    return taken
  }
}

extension Character {
  fileprivate var isDigitOrPoint: Bool { isASCII && isWholeNumber || self == "." }
  fileprivate var startsName: Bool { isASCII && isLetter || self == "_" }
  fileprivate var continuesName: Bool { startsName || isASCII && isWholeNumber || self == ":" }
}
