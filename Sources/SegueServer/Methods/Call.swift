internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// A request whose parameters are checked, on its way to be carried out. It is answered once.
@MainActor
struct Call {
  let method: Method
  let session: Session
  private let id: RequestID
  private let values: [JSON?]

  init(_ method: Method, id: RequestID, values: [JSON?], session: Session) {
    self.method = method
    self.id = id
    self.values = values
    self.session = session
  }

  var server: Server { session.server }
  var player: Player { session.server.player }

  // MARK: Parameters

  /// The value of a parameter the method has; nil if it was not given.
  subscript(name: String) -> JSON? {
    guard let index = method.parameters.firstIndex(where: { $0.name == name }) else {
      preconditionFailure("\(method.name) has no parameter \(name)")
    }
    return values[index]
  }

  func integer(_ name: String) -> Int? { self[name]?.int }
  func string(_ name: String) -> String? { self[name]?.string }
  func bool(_ name: String) -> Bool? { self[name]?.bool }
  func time(_ name: String) -> MediaTime? { self[name]?.time }
  func strings(_ name: String) -> [String] { self[name]?.elements?.compactMap(\.string) ?? [] }
  func ids(_ name: String) -> [UInt64] {
    self[name]?.elements?.compactMap { $0.integer.map(UInt64.init(clamping:)) } ?? []
  }

  /// A word the schema has checked already.
  func word<Word: RawRepresentable<String>>(_ name: String) -> Word? {
    string(name).flatMap { Word(rawValue: $0) }
  }

  // MARK: The answer

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
