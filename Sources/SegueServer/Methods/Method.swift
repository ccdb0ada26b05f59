internal import SegueSystem
internal import SegueWire

/// A method of the protocol: its one definition, from which requests are checked and `rpc.discover` is written.
final class Method: Sendable {
  let name: String
  let summary: String
  /// In the order they take when they are given by position.
  let parameters: [Parameter]
  let choice: Choice
  /// The result's name in the document, and what it is.
  let result: (name: String, schema: Schema)
  /// The kinds of errors that the method may answer, besides those that each may.
  let errors: [Failure.Kind]
  let run: @MainActor @Sendable (Call) -> Void

  init(
    name: String, summary: String, parameters: [Parameter] = [], choice: Choice = .any,
    result: (name: String, schema: Schema), errors: [Failure.Kind] = [],
    run: @escaping @MainActor @Sendable (Call) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.choice = choice
    self.result = result
    self.errors = errors
    self.run = run
  }

  struct Parameter: Sendable {
    let name: String
    let schema: Schema
    let summary: String
    var isRequired = false
    /// What its absence stands for, as JSON; nil where it stands for nothing in particular.
    var defaultValue: String?
  }

  /// How the parameters go together.
  enum Choice: Sendable {
    case any
    case atMostOne
    case exactlyOne
  }
}

extension Method {
  /// All kinds of errors that the method may answer.
  var allErrors: [Failure.Kind] { [.invalidParams] + errors + [.internalError] }

  /// Returns `failure` as it is answered: one of a kind that the document does not name for the method becomes an
  /// `internal_error`, for clients rely on the document.
  func answered(_ failure: Failure) -> Failure {
    guard !allErrors.contains(failure.kind) else { return failure }
    Log.error("`\(name)` failed with \(failure.kind.rawValue), which it does not declare: \(failure.message)")
    return Failure(.internalError, failure.message)
  }
}

extension [Failure.Kind] {
  /// The kinds of errors of whatever reads a file, a folder or a URI that the request names.
  static let ofFiles: [Failure.Kind] = [.notFound, .denied, .unplayable, .damaged, .tooLarge, .unavailable]
}

extension Method {
  /// The values of `params` in the order of `parameters`, checked. Throws what is wrong and what would be right.
  func bind(_ params: JSON?) throws(Failure) -> [JSON?] {
    if params == nil && parameters.isEmpty { return [] }
    guard let params else {
      try check([JSON?](repeating: nil, count: parameters.count))
      return [JSON?](repeating: nil, count: parameters.count)
    }
    let values: [JSON?]
    if let elements = params.elements {
      guard elements.count <= parameters.count else {
        throw refusal("takes \(parameterList), and \(elements.count) values were given")
      }
      values = elements + [JSON?](repeating: nil, count: parameters.count - elements.count)
    } else {
      if let unknown = params.names.first(where: { name in !parameters.contains { $0.name == name } }) {
        throw refusal("has no parameter `\(unknown)`; it takes \(parameterList)")
      }
      values = parameters.map { params[$0.name] }
    }
    try check(values)
    return values
  }

  private func check(_ values: [JSON?]) throws(Failure) {
    // What was given comes first: a misspelt type says more than a missing neighbour.
    for (parameter, value) in zip(parameters, values) {
      guard let value, !parameter.schema.accepts(value) else { continue }
      throw refusal("wants \(parameter.schema.wording) as `\(parameter.name)`")
    }
    for (parameter, value) in zip(parameters, values) where value == nil && parameter.isRequired {
      throw refusal("needs `\(parameter.name)`: \(parameter.schema.wording)")
    }
    let given = values.count { $0 != nil }
    switch choice {
    case .any: break
    case .atMostOne: if given > 1 { throw refusal("takes one of \(parameterList), not several") }
    case .exactlyOne: if given != 1 { throw refusal("takes exactly one of \(parameterList)") }
    }
  }

  private var parameterList: String {
    parameters.isEmpty ? "none" : parameters.map { "`\($0.name)`" }.joined(separator: ", ")
  }

  private func refusal(_ message: String) -> Failure { Failure(.invalidParams, "`\(name)` \(message)") }
}
