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

  func answer(_ value: some JSONEncodable) {
    if id.isNotification {
      session.complete()
    } else if session.isInTurn {
      session.complete { $0.response(to: id, result: value) }
    } else {
      session.completeLater { $0.response(to: id, result: value) }
    }
  }

  func fail(_ failure: Failure) {
    if id.isNotification {
      session.complete()
    } else if session.isInTurn {
      session.complete { $0.response(to: id, failure: failure) }
    } else {
      session.completeLater { $0.response(to: id, failure: failure) }
    }
  }

  func answer<Value: JSONEncodable>(_ result: Result<Value, Failure>) {
    switch result {
    case .success(let value): answer(value)
    case .failure(let failure): fail(failure)
    }
  }
}
