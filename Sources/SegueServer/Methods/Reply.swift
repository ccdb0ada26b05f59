internal import SegueWire

/// The way back of a request. It is answered once, in the session's turn or later.
@MainActor
struct Reply {
  let session: Session
  private let id: RequestID

  init(to id: RequestID, of session: Session) {
    self.id = id
    self.session = session
  }

  func answer(_ value: some JSONEncodable) { send { $0.response(to: id, result: value) } }

  func fail(_ failure: Failure) { send { $0.response(to: id, failure: failure) } }

  func answer<Value: JSONEncodable>(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): answer(value)
    case .failure(let failure): fail(failure)
    }
  }

  private func send(_ write: @escaping (inout JSONWriter) -> Void) {
    if id.isNotification {
      session.complete()
    } else if session.isInTurn {
      session.complete(write)
    } else {
      session.completeLater(write)
    }
  }
}
