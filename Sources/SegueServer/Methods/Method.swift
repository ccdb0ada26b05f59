// Thread: the loop. The closures that `respond` takes run on the thread that reads the index, where results are
// encoded.

internal import SegueLibrary
internal import SeguePlayer
internal import SegueSQLite
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
        let values = try RequestParameters(params, of: Request.method)
        do throws(Failure) { try values.check(session.rights) } catch { return responder.refuse(error) }
        let request = try Request(values)
        responder.detachIfPossible()
        let call = Call(request: request, responder: responder)
        if session.rights == .all { try run(call) } else { call.runIfPermitted(run) }
      } catch {
        responder.fail(error)
      }
    }
  }
}

/// A request as a method receives it.
@MainActor
struct Call<Request: ProtocolRequest> {
  let request: Request
  let responder: Responder<Request.Result>

  var session: Session { responder.session }
  var server: Server { session.server }
  var player: Player { session.server.player }

  /// Carries out a request of a restricted client, unless it contains a URI of what the user does not have: files of
  /// this machine and servers in its network are not for others. Programs of the user may name any.
  fileprivate func runIfPermitted(_ run: @escaping @MainActor @Sendable (Self) throws(Failure) -> Void) {
    player.findUnknown(request.namedURIs, mayOpenStreams: session.rights >= .own) { unknown in
      switch unknown {
      case .success(nil):
        do throws(Failure) { try run(self) } catch { responder.fail(error) }
      case .success(let uri?):
        responder.refuse(
          Failure(.denied, "\(uri): not in the library or the queue, and this connection may name nothing else"))
      case .failure(let failure): responder.refuse(failure)
      }
    }
  }

  /// Responds with the result of `body`, which reads the index.
  func respond(
    reading body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Result<Request.Result, Failure>
  ) {
    let responder = responder
    player.index.read(
      { reader throws(StoreError) in try body(reader).map { EncodedJSON($0) } }, then: { responder.send($0) })
  }

  /// Responds with the value that `body` reads from the index.
  func respond(
    with body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Request.Result
  ) {
    respond(reading: { reader throws(StoreError) in .success(try body(reader)) })
  }
}

extension Call where Request: PagedRequest {
  /// The page that `offset` and `limit` select.
  var page: PageRequest {
    PageRequest(offset: request.offset, limit: min(request.limit, ResponseLimits.listLength))
  }
}

/// The object through which a method responds to its request, with a value or with the same value encoded. A method
/// responds exactly once, in the session's turn or later.
@MainActor
struct Responder<Value: JSONEncodable> {
  let session: Session
  private let id: RequestID
  /// The method of the request; nil if the request names no existing method.
  private let method: MethodDescription?
  /// The number of a request that does not delay those after it; nil for every other request.
  private var detached: Int?

  init(to id: RequestID, of session: Session, by method: MethodDescription?) {
    self.id = id
    self.session = session
    self.method = method
  }

  /// Allows later requests to be carried out before this one is answered, if the method permits it and the request is
  /// not part of a batch.
  mutating func detachIfPossible() {
    if method?.isDetached == true { detached = session.detachRequest() }
  }

  func send(_ value: Value) {
    let isDurable = isDurable
    respond { $0.response(to: id, result: value, isDurable: isDurable) }
  }

  /// Whether what the method has changed, if anything, was saved.
  private var isDurable: Bool { method?.savesState != true || session.server.player.saveError == nil }

  /// Sends a result that was encoded before. A long result is sent in slices.
  func send(_ json: EncodedJSON) {
    let isDurable = isDurable
    if !id.isNotification, let response = SlicedResponse(to: id, result: json, isDurable: isDurable) {
      if let detached {
        session.respond(toDetached: detached, .sliced(response))
      } else {
        session.respond(inSlices: response)
      }
    } else {
      respond { $0.response(to: id, result: json, isDurable: isDurable) }
    }
  }

  func send(_ result: Result<EncodedJSON, Failure>) {
    switch result {
    case .success(let json): send(json)
    case .failure(let failure): fail(failure)
    }
  }

  func send(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): send(value)
    case .failure(let failure): fail(failure)
    }
  }

  /// Sends a result that may be long: another thread encodes it.
  func sendOffLoop(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): session.server.encodeOffLoop(value) { send($0) }
    case .failure(let failure): fail(failure)
    }
  }

  func fail(_ failure: Failure) { refuse(method?.declared(failure) ?? failure) }

  /// Responds that the request is not carried out. `failure` may be of a kind that the method does not declare.
  func refuse(_ failure: Failure) { respond { $0.response(to: id, failure: failure) } }

  private func respond(_ write: @escaping (inout JSONWriter) -> Void) {
    if let detached {
      session.respond(toDetached: detached, id.isNotification ? nil : .whole(write))
    } else if id.isNotification {
      session.finishNotification()
    } else if session.isInTurn {
      session.respond(write)
    } else {
      session.respondLater(write)
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
    playerMethods + queueMethods + trackMethods + libraryMethods + searchMethods + userMethods
      + historyMethods + playlistMethods + catalogMethods + daemonMethods)

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
