internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// A request whose parameters are valid, as a method receives it.
@MainActor
struct Call {
  let method: Method
  /// The object through which the method responds. A method that responds later keeps the responder and not the call,
  /// because decoded parameters may take a hundred times the memory of their text.
  let responder: Responder
  private let values: [JSON?]

  init(_ method: Method, values: [JSON?], responder: Responder) {
    self.method = method
    self.values = values
    self.responder = responder
  }

  var session: Session { responder.session }
  var server: Server { session.server }
  var player: Player { session.server.player }

  // MARK: Parameters

  /// The value of a parameter of the method; nil if the request does not contain it.
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
    self[name]?.integers?.map(UInt64.init(clamping:)) ?? []
  }

  /// The value of a parameter whose schema is a choice of words.
  func word<Word: RawRepresentable<String>>(_ name: String) -> Word? {
    string(name).flatMap { Word(rawValue: $0) }
  }
}
