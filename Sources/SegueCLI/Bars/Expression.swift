/// An expression between `{{` and `}}` in the template language of playerctl(1).
indirect enum Expression: Sendable {
  enum Operator: Character {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }

  /// A quoted text.
  case text(String)
  case number(Double)
  case variable(TemplateVariable)
  case call(TemplateFunction, [Expression])
  case negative(Expression)
  case arithmetic(Operator, Expression, Expression)

  /// Returns the value, or nil if a part of the expression is unknown or not a number where one is needed.
  func value(in context: TemplateContext) -> TemplateValue? {
    switch self {
    case .text(let text): .trusted(text)
    case .number(let number): .real(number)
    case .variable(let variable): variable.value(context)
    case .call(let function, let arguments): function.value(arguments, in: context)
    case .negative(let operand): operand.value(in: context)?.negated
    case .arithmetic(let operation, let left, let right):
      if let left = left.value(in: context), let right = right.value(in: context) {
        Self.evaluate(operation, left, right)
      } else {
        nil
      }
    }
  }

  /// Whether the value can be a number.
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

  /// Returns the result. It is an integer if both operands are; numbers in the template itself are never integers.
  private static func evaluate(_ operation: Operator, _ left: TemplateValue, _ right: TemplateValue) -> TemplateValue? {
    if case .integer(let a) = left, case .integer(let b) = right {
      let (result, overflows) =
        switch operation {
        case .add: a.addingReportingOverflow(b)
        case .subtract: a.subtractingReportingOverflow(b)
        case .multiply: a.multipliedReportingOverflow(by: b)
        case .divide: a.dividedReportingOverflow(by: b)
        }
      return overflows ? nil : .integer(result)
    }
    guard let a = left.number, let b = right.number else { return nil }
    let result =
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      }
    return result.isFinite ? .real(result) : nil
  }
}
