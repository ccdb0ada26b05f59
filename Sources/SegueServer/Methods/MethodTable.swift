internal import SegueWire

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
    method.run(Call(method, values: values, responder: responder))
  }
}
