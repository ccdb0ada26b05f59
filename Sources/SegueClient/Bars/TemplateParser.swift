/// Reads a template: words, and expressions between `{{` and `}}`.
struct TemplateParser {
  struct Failure: Error {
    /// Of the character, from 0.
    let place: Int
    let reason: String
    var hints: [String] = []
  }

  /// Parentheses and signs within each other: more is a slip.
  private static let deepest = 100

  private let text: [Character]
  private var place = 0
  private var depth = 0

  init(_ text: String) { self.text = Array(text) }

  mutating func parts() throws(Failure) -> [Template.Part] {
    var parts: [Template.Part] = []
    var words = ""
    while let character = peek {
      guard character == "{", place + 1 < text.count, text[place + 1] == "{" else {
        words.append(character)
        place += 1
        continue
      }
      if !words.isEmpty { parts.append(.words(words)) }
      words = ""
      let start = place
      place += 2
      parts.append(.hole(try sum()))
      guard take("}"), peek == "}" else {
        if peek == nil { throw Failure(place: start, reason: "{{ is never closed by }}") }
        throw unexpected(wanted: "}}")
      }
      place += 1
    }
    if !words.isEmpty { parts.append(.words(words)) }
    return parts
  }

  /// The template, and a mark below the place.
  func pointing(at place: Int) -> [String] {
    let shown = text.map { $0.isNewline ? " " : $0 }
    return [
      String(shown),
      String(repeating: " ", count: Columns.of(String(shown.prefix(place)).visible)) + "^",
    ]
  }

  /// Products, added and taken away.
  private mutating func sum() throws(Failure) -> Expression {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepest { throw Failure(place: place, reason: "that is too much in parentheses") }
    return try chain(of: [.plus, .minus]) { parser throws(Failure) in try parser.product() }
  }

  private mutating func product() throws(Failure) -> Expression {
    try chain(of: [.times, .over]) { parser throws(Failure) in try parser.operand() }
  }

  /// What `next` reads, once or several times with one of `signs` between: the first two are reckoned first.
  private mutating func chain(
    of signs: [Expression.Operator], _ next: (inout Self) throws(Failure) -> Expression
  ) throws(Failure) -> Expression {
    var start = blankFree()
    var left = try next(&self)
    while let sign = sign(of: signs) {
      try requireNumber(left, at: start)
      start = blankFree()
      let right = try next(&self)
      try requireNumber(right, at: start)
      left = .arithmetic(sign, left, right)
    }
    return left
  }

  private mutating func operand() throws(Failure) -> Expression {
    let start = blankFree()
    switch peek {
    case "(":
      place += 1
      let inner = try sum()
      guard take(")") else { throw unexpected(wanted: ")") }
      return inner
    case "+", "-":
      let isNegative = peek == "-"
      place += 1
      depth += 1
      defer { depth -= 1 }
      if depth > Self.deepest { throw Failure(place: place, reason: "that is too many signs") }
      let at = blankFree()
      let inner = try operand()
      try requireNumber(inner, at: at)
      return isNegative ? .negative(inner) : inner
    case "\"": return .text(try quoted())
    case let character? where character.isDigitOrPoint:
      let digits = String(takeWhile(\.isDigitOrPoint))
      guard let number = Double(digits) else { throw Failure(place: start, reason: "“\(digits)” is no number") }
      return .number(number)
    case let character? where character.beginsName: return try named(at: start)
    default: throw unexpected(wanted: "a name, a number or a text in quotes")
    }
  }

  private mutating func quoted() throws(Failure) -> String {
    let start = place
    place += 1
    let words = takeWhile { $0 != "\"" }
    guard peek != nil else { throw Failure(place: start, reason: "the quotes are never closed") }
    place += 1
    return String(words)
  }

  /// A variable, or a function with what it is given.
  private mutating func named(at start: Int) throws(Failure) -> Expression {
    let name = String(takeWhile(\.continuesName))
    guard peek == "(" else {
      if let variable = TemplateVariable(named: name) { return .variable(variable) }
      throw Failure(
        place: start, reason: "there is no variable “\(name)”",
        hints: Self.meant(name, TemplateVariable.all.map(\.name), else: "segue help status   lists them"))
    }
    guard let function = TemplateFunction(rawValue: name) else {
      throw Failure(
        place: start, reason: "there is no function “\(name)”",
        hints: Self.meant(
          name, TemplateFunction.allCases.map(\.rawValue),
          else: "there are " + TemplateFunction.allCases.map(\.rawValue).joined(separator: ", ")))
    }
    return .call(function, try arguments(of: function, at: start))
  }

  private mutating func arguments(of function: TemplateFunction, at start: Int) throws(Failure) -> [Expression] {
    var arguments: [Expression] = []
    repeat {
      place += 1
      let at = blankFree()
      let argument = try sum()
      if arguments.count == function.numericArgument { try requireNumber(argument, at: at) }
      arguments.append(argument)
      _ = blankFree()
    } while peek == ","
    guard take(")") else { throw unexpected(wanted: ")") }
    guard arguments.count == function.arity else {
      throw Failure(
        place: start,
        reason:
          "\(function.rawValue) takes \(function.arity == 1 ? "one argument" : "two arguments"), not \(arguments.count)"
      )
    }
    if function == .emoji {
      guard case .variable = arguments[0] else {
        throw Failure(place: start, reason: "emoji takes a variable: status or volume")
      }
    }
    return arguments
  }

  private func requireNumber(_ expression: Expression, at start: Int) throws(Failure) {
    if !expression.isNumeric { throw Failure(place: start, reason: "a number is wanted here, and this is a text") }
  }

  private func unexpected(wanted: String) -> Failure {
    Failure(
      place: place,
      reason: peek.map { "“\($0)” where \(wanted) is wanted" } ?? "it ends where \(wanted) is wanted")
  }

  private static func meant(_ word: String, _ known: [String], else other: String) -> [String] {
    [Suggestion.nearest(to: word, among: known).map { "did you mean \($0)?" } ?? other]
  }

  private var peek: Character? { place < text.count ? text[place] : nil }

  /// Where the next thing begins.
  private mutating func blankFree() -> Int {
    while let character = peek, character.isWhitespace { place += 1 }
    return place
  }

  /// Goes past `character` if it is the next thing.
  private mutating func take(_ character: Character) -> Bool {
    _ = blankFree()
    guard peek == character else { return false }
    place += 1
    return true
  }

  private mutating func sign(of wanted: [Expression.Operator]) -> Expression.Operator? {
    _ = blankFree()
    guard let sign = peek.flatMap(Expression.Operator.init), wanted.contains(sign) else { return nil }
    place += 1
    return sign
  }

  private mutating func takeWhile(_ belongs: (Character) -> Bool) -> ArraySlice<Character> {
    let taken = text[place...].prefix(while: belongs)
    place = taken.endIndex
    return taken
  }
}

extension Character {
  fileprivate var isDigitOrPoint: Bool { isASCII && isWholeNumber || self == "." }
  fileprivate var beginsName: Bool { isASCII && isLetter || self == "_" }
  fileprivate var continuesName: Bool { beginsName || isASCII && isWholeNumber || self == ":" }
}
