internal import SegueWire

/// The way back of a request. It is answered once, in the session's turn or later.
@MainActor
struct Responder {
  let session: Session
  private let id: RequestID
  /// The method of the request. It is nil if the request names none.
  private let method: Method?

  init(to id: RequestID, of session: Session, by method: Method?) {
    self.id = id
    self.session = session
    self.method = method
  }

  func answer(_ value: some JSONEncodable) { send { $0.response(to: id, result: value) } }

  /// Answers with JSON that was written before; in slices if it is long.
  func answer(_ json: EncodedJSON) {
    if !id.isNotification, let answer = SlicedResponse(to: id, result: json) {
      session.complete(answer)
    } else {
      send { $0.response(to: id, result: json) }
    }
  }

  func answer(_ result: Result<EncodedJSON, Failure>) {
    switch result {
    case .success(let json): answer(json)
    case .failure(let failure): fail(failure)
    }
  }

  /// Answers with what may be long: its JSON is written on another thread.
  func answerOffLoop(_ result: Result<some JSONEncodable, Failure>) {
    switch result {
    case .success(let value): session.server.encode(value) { answer($0) }
    case .failure(let failure): fail(failure)
    }
  }

  func fail(_ failure: Failure) {
    let failure = method?.answered(failure) ?? failure
    send { $0.response(to: id, failure: failure) }
  }

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
