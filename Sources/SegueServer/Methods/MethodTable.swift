internal import SegueWire

/// Every method there is.
struct MethodTable: Sendable {
  let methods: [Method]
  private let byName: [String: Method]

  init(_ methods: [Method]) {
    self.methods = methods
    byName = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
  }

  static let standard = MethodTable(
    transportMethods + modeMethods + gainMethods + chapterMethods + queueMethods + outputMethods + settingMethods
      + libraryMethods + searchMethods + favoriteMethods + historyMethods + playlistMethods + artMethods
      + subscriptionMethods
      + daemonMethods)

  /// Checks `request` and hands it to its method.
  @MainActor
  func carryOut(_ request: Request, for session: Session) {
    guard let method = byName[request.method] else {
      return Responder(to: request.id, of: session, by: nil).fail(
        Failure(.methodNotFound, "there is no method `\(request.method)`; `rpc.discover` lists those there are"))
    }
    let reply = Responder(to: request.id, of: session, by: method)
    let values: [JSON?]
    do throws(Failure) {
      values = try method.bind(request.params)
    } catch {
      return reply.fail(error)
    }
    method.run(Call(method, values: values, reply: reply))
  }
}
