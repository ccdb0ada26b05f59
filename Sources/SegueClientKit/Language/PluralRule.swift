/// The rule that selects the plural form of a translation: an expression of C without assignments, such as
/// `n % 10 == 1 && n % 100 != 11 ? 0 : 1` ("Additional functions for plural forms" in the manual of gettext).
struct PluralRule: Sendable {
  private indirect enum Expression: Sendable {
    case count
    case number(UInt)
    case not(Expression)
    case binary(Expression, Operator, Expression)
    case choice(Expression, Expression, Expression)
  }

  /// The binary operators. Those of one element bind equally.
  private enum Operator: String, Sendable {
    case or = "||"
    case and = "&&"
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case greater = ">"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
    case modulo = "%"

    static let byPrecedence: [[Operator]] = [
      [.or], [.and], [.equal, .unequal], [.lessOrEqual, .greaterOrEqual, .less, .greater], [.plus, .minus],
      [.times, .over, .modulo],
    ]
  }

  private let expression: Expression

  /// The rule for languages in which the singular is used for one thing only.
  static let english = PluralRule(.binary(.count, .unequal, .number(1)))

  private init(_ expression: Expression) { self.expression = expression }

  /// The maximum length of a declaration in bytes, which limits the recursion of the parser.
  private static let maximumLength = 1_000

  /// Reads the line `Plural-Forms: nplurals=2; plural=n != 1;` of a header. Returns nil if it has no valid expression.
  init?(declaration: Substring) {
    guard declaration.utf8.count <= Self.maximumLength else { return nil }
    for part in declaration.split(separator: ";") {
      let assignment = part.drop { $0 == " " }
      guard assignment.hasPrefix("plural="), let expression = Parser.parse(assignment.dropFirst("plural=".count)) else {
        continue
      }
      self.init(expression)
      return
    }
    return nil
  }

  /// Returns the index of the form for a count. A division by zero selects the first form.
  func form(for count: UInt) -> Int { Int(clamping: Self.value(expression, count) ?? 0) }

  private static func value(_ expression: Expression, _ count: UInt) -> UInt? {
    switch expression {
    case .count: return count
    case .number(let number): return number
    case .not(let operand): return value(operand, count).map { $0 == 0 ? 1 : 0 }
    case .choice(let condition, let first, let second):
      return value(condition, count).flatMap { value($0 != 0 ? first : second, count) }
    case .binary(let left, let operation, let right):
      guard let left = value(left, count), let right = value(right, count) else { return nil }
      return apply(operation, left, right)
    }
  }

  private static func apply(_ operation: Operator, _ left: UInt, _ right: UInt) -> UInt? {
    switch operation {
    case .or: left != 0 || right != 0 ? 1 : 0
    case .and: left != 0 && right != 0 ? 1 : 0
    case .equal: left == right ? 1 : 0
    case .unequal: left != right ? 1 : 0
    case .less: left < right ? 1 : 0
    case .greater: left > right ? 1 : 0
    case .lessOrEqual: left <= right ? 1 : 0
    case .greaterOrEqual: left >= right ? 1 : 0
    case .plus: left &+ right
    case .minus: left &- right
    case .times: left &* right
    case .over: right == 0 ? nil : left / right
    case .modulo: right == 0 ? nil : left % right
    }
  }

  /// A parser of expressions by recursive descent.
  private struct Parser {
    private var rest: Substring

    private init(_ text: Substring) { rest = text }

    static func parse(_ text: Substring) -> Expression? {
      // Spaces separate nothing, because no two names or numbers stand side by side.
      var parser = Parser(Substring(text.filter { $0 != " " && $0 != "\t" }))
      guard let expression = parser.choice(), parser.rest.isEmpty else { return nil }
      return expression
    }

    private mutating func take(_ symbol: String) -> Bool {
      guard rest.hasPrefix(symbol) else { return false }
      rest = rest.dropFirst(symbol.count)
      return true
    }

    private mutating func choice() -> Expression? {
      guard let condition = binary(0) else { return nil }
      guard take("?") else { return condition }
      guard let first = choice(), take(":"), let second = choice() else { return nil }
      return .choice(condition, first, second)
    }

    /// Parses operators of this precedence and those that bind more tightly.
    private mutating func binary(_ precedence: Int) -> Expression? {
      guard precedence < Operator.byPrecedence.count else { return unary() }
      guard var left = binary(precedence + 1) else { return nil }
      while let operation = Operator.byPrecedence[precedence].first(where: { rest.hasPrefix($0.rawValue) }) {
        rest = rest.dropFirst(operation.rawValue.count)
        guard let right = binary(precedence + 1) else { return nil }
        left = .binary(left, operation, right)
      }
      return left
    }

    private mutating func unary() -> Expression? { take("!") ? unary().map(Expression.not) : primary() }

    private mutating func primary() -> Expression? {
      if take("n") { return .count }
      if take("(") {
        guard let inside = choice(), take(")") else { return nil }
        return inside
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return UInt(digits).map(Expression.number)
    }
  }
}
