internal import SegueOutput

/// The sink on which streams are to play, and whether they do.
///
/// If the sink vanishes, the server moves the stream to another one, and the stream is to return when its sink does. If
/// a sink was chosen here, a user who moves the stream at the server chooses another one: following streams play there
/// as well, until a sink is chosen here. If none was chosen, the server decides where they play.
struct SinkPlacement {
  /// The name of the sink that was chosen here; nil for the server's default.
  private var chosen: String?
  /// The name of the sink to which a user has moved the stream at the server since.
  private var moved: String?
  /// Whether the stream plays on another sink, because its own was missing.
  private(set) var isDisplaced = false
  /// The server's number of the sink on which the stream plays.
  private var index: UInt32?

  /// The name of the sink on which streams are to play; nil if the server decides.
  var target: String? { moved ?? chosen }

  mutating func choose(_ name: String?) {
    chosen = name
    moved = nil
    isDisplaced = false
  }

  /// Records that a stream is opened on the sink `target`.
  mutating func handleOpening() { isDisplaced = false }

  /// Records that `target` is missing. The stream is opened on the sink that is the target now, or else on the server's
  /// default until `target` appears. Returns the name of the sink; nil for the default.
  mutating func handleMissingTarget() -> String? {
    if moved != nil, chosen != nil {
      moved = nil
      return chosen
    }
    isDisplaced = target != nil
    return nil
  }

  /// Records that a stream has been opened on the sink with this number.
  mutating func handleOpened(on index: UInt32) { self.index = index }

  /// Records that the stream plays on the sink with this number, which the server has moved it to without a request.
  /// `sinks`: all sinks of the server.
  mutating func handleMove(to newIndex: UInt32, of sinks: [SinkDescription]) {
    let oldIndex = index
    index = newIndex
    guard let target, let sink = sinks.first(where: { $0.index == newIndex }) else { return }
    if sink.name == target {
      isDisplaced = false
    } else if !sinks.contains(where: { $0.index == oldIndex }) || isDisplaced && sink.isDefault {
      // The old sink has vanished, or another sink has become the default for all streams that have no sink of their
      // own.
      isDisplaced = true
    } else {
      moved = sink.name
      isDisplaced = false
    }
  }
}
