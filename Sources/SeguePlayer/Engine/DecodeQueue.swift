internal import SegueRing
internal import SegueSystem
internal import SegueWorkerProtocol

/// The generations that a worker was given and has not finished, in the order in which it decodes them. It contains
/// only facts that this process knows itself: a worker that a malicious file controls may report anything.
struct DecodeQueue {
  /// A generation that the worker has to decode.
  struct Decode: SupervisedJob {
    let request: DecodeRequest
    /// The URI at which the file or stream was found, and the source that was opened there.
    let uri: String
    let source: MediaSource
    let isFile: Bool
    /// Whether the worker should decode it from a source that is open already, and has not responded.
    var isRestarting = false
    /// Whether its connection is lost. The fetch process tries to connect again for as long as the generation is
    /// wanted.
    var isInterrupted = false
    /// Whether all of it is decoded, and only its end is not in the ring yet. The worker may decode the next
    /// generation.
    var isDecoded = false
    var kills = 0

    var item: Transport.Item { request.item }
    var generation: Generation { item.generation }
  }

  /// The relation of an event's generation to those of the queue.
  enum EventOrder {
    /// The generation is the one that the worker decodes.
    case expected
    /// The generation was cut off, or has ended, or is decoded, which the event contradicts.
    case stale
    /// Another generation comes first: only a malicious worker reports this one already.
    case premature
  }

  private(set) var pending: [Decode] = []

  /// The pending generations that are not decoded. The worker decodes the first one.
  var undecoded: ArraySlice<Decode> { pending.drop(while: \.isDecoded) }

  func contains(_ generation: Generation) -> Bool { pending.contains { $0.generation == generation } }

  /// Returns how `event` of `generation` relates to the queue.
  func order(of event: DecodingEvent, _ generation: Generation) -> EventOrder {
    guard let index = pending.firstIndex(where: { $0.generation == generation }) else { return .stale }
    guard index == 0 else { return .premature }
    return pending[0].isDecoded && !event.canFollowDecoding ? .stale : .expected
  }

  mutating func append(_ new: Decode) { pending.append(new) }

  /// Removes everything after `after`, or everything if that is nil. Later events of it are stale, though the worker
  /// may not have received the command yet.
  mutating func cut(after: Generation?) {
    pending.removeSubrange((pending.firstIndex { $0.generation == after }.map { $0 + 1 } ?? 0)...)
  }

  /// Removes a generation that was decoded to its end, which is in the ring.
  mutating func remove(_ generation: Generation) { pending.removeAll { $0.generation == generation } }

  /// Changes the facts about a generation.
  mutating func update(_ generation: Generation, _ body: (inout Decode) -> Void) {
    guard let index = pending.firstIndex(where: { $0.generation == generation }) else { return }
    body(&pending[index])
  }
}

extension DecodingEvent {
  /// Whether the event may be sent of a generation after `decoded`.
  fileprivate var canFollowDecoding: Bool {
    switch self {
    case .ended, .incomplete, .title, .resumed: true
    case .opened, .sourceNeeded, .failed, .cutOff, .decoded, .faded, .interrupted: false
    }
  }
}
