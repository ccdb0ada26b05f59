internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// A request whose parameters are checked, on its way to be carried out.
@MainActor
struct Call {
  let method: Method
  /// What takes its time keeps this, not the call: the parameters may be a hundred times what their line was.
  let reply: Responder
  private let values: [JSON?]

  init(_ method: Method, values: [JSON?], reply: Responder) {
    self.method = method
    self.values = values
    self.reply = reply
  }

  var session: Session { reply.session }
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
}
