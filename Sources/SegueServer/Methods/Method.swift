internal import SegueSystem
internal import SegueWire

/// A method of the protocol. This definition is the only one: requests are validated by it, and `rpc.discover` returns
/// it.
final class Method: Sendable {
  let name: String
  let summary: String
  /// The parameters, in the order in which they are given by position.
  let parameters: [Parameter]
  let parameterRule: ParameterRule
  /// The name of the result in the OpenRPC document, and its schema.
  let result: (name: String, schema: Schema)
  /// Whether the method changes what is saved. While saving fails, its response says so.
  let savesState: Bool
  /// The kinds of errors that the method may return, in addition to those that every method may return.
  let errors: [Failure.Kind]
  /// Whether the method waits for other machines, so that requests after it are not delayed: its response may come after
  /// theirs. In a batch, it is carried out like any other method.
  let isDetached: Bool
  let run: @MainActor @Sendable (Call) -> Void

  init(
    name: String, summary: String, parameters: [Parameter] = [], parameterRule: ParameterRule = .any,
    result: (name: String, schema: Schema), savesState: Bool = false, errors: [Failure.Kind] = [],
    isDetached: Bool = false,
    run: @escaping @MainActor @Sendable (Call) -> Void
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.parameterRule = parameterRule
    self.result = result
    self.savesState = savesState
    self.errors = errors
    self.isDetached = isDetached
    self.run = run
  }

  struct Parameter: Sendable {
    let name: String
    let schema: Schema
    let summary: String
    var isRequired = false
    /// The default value as JSON; nil if there is none.
    var defaultValue: String?
  }

  /// A rule for the number of parameters that a request may contain.
  enum ParameterRule: Sendable {
    case any
    case atMostOne
    case exactlyOne
  }
}

extension Method {
  /// All kinds of errors that the method may return.
  var allErrors: [Failure.Kind] { [.invalidParams] + errors + [.internalError] }

  /// Returns `failure` if the method declares its kind. Otherwise returns an `internal_error`, because clients rely on
  /// the OpenRPC document.
  func declared(_ failure: Failure) -> Failure {
    guard !allErrors.contains(failure.kind) else { return failure }
    Log.error("`\(name)` failed with \(failure.kind.rawValue), which it does not declare: \(failure.message)")
    return Failure(.internalError, failure.localizableMessage)
  }
}

extension [Failure.Kind] {
  /// The kinds of errors of methods that read a file, a folder or a URI of the request.
  static let ofFiles: [Failure.Kind] = [.notFound, .denied, .unplayable, .damaged, .tooLarge, .unavailable]

  /// The kinds of errors of methods that request something from a server.
  static let ofNetwork: [Failure.Kind] = [.rateLimited, .timeout, .offline, .badResponse, .certificate, .busy]
}

extension Method {
  /// Returns the validated values of `params` in the order of `parameters`. Throws an error that names the expected
  /// value.
  func bind(_ params: JSON?) throws(Failure) -> [JSON?] {
    if params == nil && parameters.isEmpty { return [] }
    guard let params else {
      try validate([JSON?](repeating: nil, count: parameters.count))
      return [JSON?](repeating: nil, count: parameters.count)
    }
    let values: [JSON?]
    if let elements = params.elements {
      guard elements.count <= parameters.count else {
        throw invalid("takes \(parameterList), but \(elements.count) values were given")
      }
      values = elements + [JSON?](repeating: nil, count: parameters.count - elements.count)
    } else {
      if let unknown = params.names.first(where: { name in !parameters.contains { $0.name == name } }) {
        throw invalid("has no parameter `\(unknown)`; it takes \(parameterList)")
      }
      values = parameters.map { params[$0.name] }
    }
    try validate(values)
    return values
  }

  private func validate(_ values: [JSON?]) throws(Failure) {
    // Given values are checked first: a value of the wrong type is a better explanation than a missing parameter.
    for (parameter, value) in zip(parameters, values) {
      guard let value, !parameter.schema.accepts(value) else { continue }
      throw Failure(.invalidParams, "`\(name)`: `\(parameter.name)` must be \(parameter.schema.wording)")
    }
    for (parameter, value) in zip(parameters, values) where value == nil && parameter.isRequired {
      throw Failure(.invalidParams, "`\(name)`: missing parameter `\(parameter.name)` (\(parameter.schema.wording))")
    }
    let given = values.count { $0 != nil }
    switch parameterRule {
    case .any: break
    case .atMostOne: if given > 1 { throw invalid("takes at most one of \(parameterList)") }
    case .exactlyOne: if given != 1 { throw invalid("takes exactly one of \(parameterList)") }
    }
  }

  private var parameterList: LocalizableMessage {
    parameters.isEmpty
      ? LocalizableMessage("no parameters") : .plain(parameters.map { "`\($0.name)`" }.joined(separator: ", "))
  }

  private func invalid(_ message: LocalizableMessage) -> Failure { Failure(.invalidParams, "`\(name)` \(message)") }
}

/// The table of all methods.
struct MethodTable: Sendable {
  let methods: [Method]
  private let byName: [String: Method]

  init(_ methods: [Method]) {
    self.methods = methods
    byName = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
  }

  static let standard = MethodTable(
    transportMethods + modeMethods + gainMethods + chapterMethods + queueMethods + outputMethods + settingMethods
      + libraryMethods + searchMethods + lyricsMethods + favoriteMethods + historyMethods + playlistMethods + artMethods
      + catalogMethods
      + subscriptionMethods + daemonMethods)

  /// Validates the parameters of `request` and calls its method.
  @MainActor
  func carryOut(_ request: Request, for session: Session) {
    guard let method = byName[request.method] else {
      return Responder(to: request.id, of: session, by: nil).fail(
        Failure(.methodNotFound, "unknown method `\(request.method)`; `rpc.discover` lists all methods"))
    }
    let responder = Responder(to: request.id, of: session, by: method)
    let values: [JSON?]
    do throws(Failure) {
      values = try method.bind(request.params)
    } catch {
      return responder.fail(error)
    }
    if method.isDetached, let number = session.detachRequest() {
      return method.run(
        Call(method, values: values, responder: Responder(to: request.id, of: session, by: method, detached: number)))
    }
    method.run(Call(method, values: values, responder: responder))
  }
}
