internal import SeguePlayer
internal import SegueWire

/// The object through which a method responds to its request, with a value or with the same value encoded. A method responds
/// exactly once, in the session's turn or later.
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

  /// Allows later requests to be carried out before this one is answered, if the method permits it and the request is not part
  /// of a batch.
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

  func fail(_ failure: Failure) {
    let failure = method?.declared(failure) ?? failure
    respond { $0.response(to: id, failure: failure) }
  }

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
