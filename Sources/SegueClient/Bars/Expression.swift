internal import SegueSystem

/// What stands between `{{` and `}}`, as playerctl(1) reads it.
indirect enum Expression: Sendable {
  enum Operator: Character {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case over = "/"
  }

  /// A text in quotes.
  case text(String)
  case number(Double)
  case variable(TemplateVariable)
  case call(TemplateFunction, [Expression])
  case negative(Expression)
  case arithmetic(Operator, Expression, Expression)

  /// Its value; nil for what is not known, and for what cannot be reckoned with.
  func value(in moment: TemplateContext) -> TemplateValue? {
    switch self {
    case .text(let text): .own(text)
    case .number(let number): .real(number)
    case .variable(let variable): variable.value(moment)
    case .call(let function, let arguments): function.value(arguments, in: moment)
    case .negative(let operand): operand.value(in: moment)?.negated
    case .arithmetic(let sign, let left, let right):
      if let left = left.value(in: moment), let right = right.value(in: moment) {
        Self.reckon(sign, left, right)
      } else {
        nil
      }
    }
  }

  /// Whether this is a number, where it is known at all; what may be either is taken for one.
  var isNumeric: Bool {
    switch self {
    case .text: false
    case .variable(let variable): variable.isNumeric
    case .call(let function, _): function.isNumeric
    case .number, .negative, .arithmetic: true
    }
  }

  func visitVariables(_ visit: (TemplateVariable) -> Void) {
    switch self {
    case .text, .number: break
    case .variable(let variable): visit(variable)
    case .call(_, let arguments): for argument in arguments { argument.visitVariables(visit) }
    case .negative(let operand): operand.visitVariables(visit)
    case .arithmetic(_, let left, let right):
      left.visitVariables(visit)
      right.visitVariables(visit)
    }
  }

  /// Whole numbers stay whole; numbers of the template itself are none.
  private static func reckon(_ sign: Operator, _ left: TemplateValue, _ right: TemplateValue) -> TemplateValue? {
    if case .integer(let a) = left, case .integer(let b) = right {
      let (result, overflows) =
        switch sign {
        case .plus: a.addingReportingOverflow(b)
        case .minus: a.subtractingReportingOverflow(b)
        case .times: a.multipliedReportingOverflow(by: b)
        case .over: a.dividedReportingOverflow(by: b)
        }
      return overflows ? nil : .integer(result)
    }
    guard let a = left.number, let b = right.number else { return nil }
    let result =
      switch sign {
      case .plus: a + b
      case .minus: a - b
      case .times: a * b
      case .over: a / b
      }
    return result.isFinite ? .real(result) : nil
  }
}
