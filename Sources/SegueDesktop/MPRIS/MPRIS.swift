// Thread: the loop. What is asked of the player is answered when the player answers; nothing here waits.

internal import Glibc
public import SegueLoop
public import SeguePlayer
public import SegueSystem
internal import SegueWire

/// The player as desktops know players: MPRIS 2.2 on the session bus (media keys, panels, playerctl).
@MainActor
public final class MPRIS {
  let player: Player
  let mailbox: Mailbox
  let quit: @MainActor () -> Void
  private var object = BusObject([])
  private var bus: MessageBus?
  private var clock = MPRISPositionTracker()
  /// The player's, of what listeners have heard of.
  private var revision: UInt64 = 0
  private var jumps: UInt64 = 0
  var tracks = TrackListWindow()

  static let name = "org.mpris.MediaPlayer2"
  static let playbackName = name + ".Player"
  static let trackListName = name + ".TrackList"
  private static let path = "/org/mpris/MediaPlayer2"

  /// Looks for a session bus, now and whenever one may have come. `quit` is called when somebody there asks for the
  /// daemon's end.
  public init(loop: EventLoop, player: Player, quit: @escaping @MainActor () -> Void) throws(SystemError) {
    self.player = player
    self.quit = quit
    mailbox = loop.mailbox
    object = BusObject([application, playback, trackList])
    bus = try MessageBus(
      on: loop, at: { .session }, names: ["\(Self.name).segue", "\(Self.name).segue.instance\(getpid())"],
      path: Self.path,
      onCall: { [unowned self] in object.answer($0) }, onEvent: { [unowned self] in hear($0) })
  }

  private func hear(_ news: MessageBus.News) {
    switch news {
    case .lost: break
    case .connected(let name):
      Log.debug("on the session bus as \(name ?? "nobody")")
      revision = player.revision
      // Who finds us there asks for all of it first.
      tracks.follow(player)
      object.beginTelling()
      clock.read(player.status)
      jumps = player.jumps
    }
  }

  /// `topic` changed: listeners are told what they do not know, all of it at once. Called at most once a topic and turn of
  /// the loop.
  public func note(_ topic: Topic) {
    switch topic {
    case .player, .queue: tell()
    case .library, .output, .settings: break
    }
  }

  /// What is told is what has changed since the last time; so whoever could not be told is told later, once.
  private func tell() {
    // Two topics in one turn are one piece of news.
    guard let bus, revision != player.revision, bus.isReadyToEmit(then: { [weak self] in self?.tell() }) else { return }
    revision = player.revision
    // Of what plays, and that it plays, in one: who is told of a new track begins to count.
    announce(Self.playbackName, on: bus)
    if let position = clock.follow(player.status, hasJumped: player.jumps != jumps) {
      bus.emit("Seeked", of: Self.playbackName, [.int64(position.microseconds)])
    }
    jumps = player.jumps
    for signal in tracks.follow(player) { bus.emit(signal.name, of: Self.trackListName, signal.values) }
    announce(Self.trackListName, on: bus)
  }

  private func announce(_ interface: String, on bus: MessageBus) {
    if let changes = object.changes(of: interface) { bus.emit("PropertiesChanged", of: BusObject.properties, changes) }
  }
}

// MARK: Answers

extension BusCall {
  /// Answers when the player has: that it is done, or why not. `ignored`: what is none of the caller's fault, and has no
  /// effect.
  func done<Value>(ignoring ignored: Failure.Kind? = nil) -> Completion<Value> {
    { result in
      if case .failure(let failure) = result, failure.kind != ignored {
        self.fail(BusError(failure))
      } else {
        self.reply()
      }
    }
  }
}

extension BusError {
  init(_ failure: Failure) { self.init(.failed, failure.message) }

  /// Of a `Result`'s failure, if it is one.
  init?<Value>(_ result: Result<Value, Failure>) {
    guard case .failure(let failure) = result else { return nil }
    self.init(failure)
  }
}
