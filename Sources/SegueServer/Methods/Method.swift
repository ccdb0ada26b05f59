internal import SegueSystem
internal import SegueWire

/// A method of the protocol and the function that carries out its requests.
struct Method: Sendable {
  /// The type of its requests.
  let type: any ProtocolRequest.Type
  fileprivate let run: @MainActor @Sendable (_ params: JSON?, RequestID, Session) -> Void

  /// Creates a method. `run` responds to the request, now or later, or throws the error of its response.
  init<Request: ProtocolRequest>(
    _ type: Request.Type, run: @escaping @MainActor @Sendable (Call<Request>) throws(Failure) -> Void
  ) {
    self.type = type
    self.run = { params, id, session in
      var responder = Responder<Request.Result>(to: id, of: session, by: Request.method)
      do throws(Failure) {
        let request = try Request(RequestParameters(params, of: Request.method))
        responder.detachIfPossible()
        try run(Call(request: request, responder: responder))
      } catch {
        responder.fail(error)
      }
    }
  }
}

extension MethodDescription {
  /// Returns `failure` if the method declares its kind. Otherwise returns an `internal_error`, because clients rely on
  /// the OpenRPC document.
  func declared(_ failure: Failure) -> Failure {
    guard !errors.contains(failure.kind) else { return failure }
    Log.error("`\(name)` failed with \(failure.kind.rawValue), which it does not declare: \(failure.message)")
    return Failure(.internalError, failure.localizableMessage)
  }
}

/// The table of all methods.
struct MethodTable: Sendable {
  private let methods: [String: Method]

  init(_ methods: [Method]) {
    self.methods = Dictionary(
      uniqueKeysWithValues: methods.flatMap { method in
        ([method.type.method.name] + method.type.method.aliases).map { ($0, method) }
      })
  }

  subscript(name: String) -> Method? { methods[name] }

  static let standard = MethodTable(
    transportMethods + modeMethods + gainMethods + chapterMethods + queueMethods + outputMethods + settingMethods
      + libraryMethods + searchMethods + lyricsMethods + favoriteMethods + historyMethods + playlistMethods + artMethods
      + catalogMethods
      + subscriptionMethods + daemonMethods)

  /// Carries out a request of `session`.
  @MainActor
  func carryOut(_ request: Request, for session: Session) {
    guard let method = self[request.method] else {
      return Responder<Nothing>(to: request.id, of: session, by: nil).fail(
        Failure(.methodNotFound, "unknown method `\(request.method)`; `rpc.discover` lists all methods"))
    }
    method.run(request.params, request.id, session)
  }
}
