// Thread: the loop. Method calls are replied to when the player has completed them. Nothing here blocks.

internal import Glibc
public import SegueLoop
public import SeguePlayer
public import SegueSystem
internal import SegueWire

/// The player as an MPRIS 2.2 object on the session bus, for media keys, panels and playerctl.
@MainActor
public final class MPRIS {
  private let player: Player
  private let trackList: MPRISTrackList
  private var object: BusObject
  private var bus: MessageBus?
  private var positionTracker = MPRISPositionTracker()
  /// The revision of the player that was last published.
  private var publishedRevision: UInt64 = 0
  /// The current track at that revision.
  private var publishedTrack: UInt64?
  /// The number of seeks at that revision.
  private var publishedJumps: UInt64 = 0

  /// The timer after which another current track is published without its cover.
  private var coverTimer: Timer?

  /// The time for which the publication of another track waits for its cover, so that most tracks are published once,
  /// and none noticeably late.
  private static let maximumCoverDelay = MediaTime.milliseconds(40)

  static let name = "org.mpris.MediaPlayer2"
  private static let path = "/org/mpris/MediaPlayer2"

  /// Looks for a session bus, now and whenever one may have appeared. `quit` is called when a client wants to end the
  /// daemon.
  public init(loop: EventLoop, player: Player, quit: @escaping @MainActor () -> Void) throws(SystemError) {
    self.player = player
    trackList = MPRISTrackList(player)
    let mailbox = loop.mailbox
    let application = MPRISApplication.interface {
      // Deferred, because quitting releases the connection that is dispatching this call.
      mailbox.post { quit() }
    }
    object = BusObject([application, MPRISPlayback(player: player).interface, trackList.interface])
    bus = try MessageBus(
      on: loop, at: { .session }, names: ["\(Self.name).segue", "\(Self.name).segue.instance\(getpid())"],
      path: Self.path,
      onCall: { [unowned self] in object.handle($0) }, onEvent: { [unowned self] in handle($0) })
    coverTimer = try Timer(on: loop) { [unowned self] in publishChanges(waitsForCover: false) }
    player.observe { [weak self] topic in self?.handleChange(of: topic) }
  }

  private func handle(_ event: MessageBus.Event) {
    switch event {
    case .lost: break
    case .connected(let name):
      Log.debug("connected to the session bus as \(name ?? "an unnamed client")")
      publishedRevision = player.revision
      publishedTrack = player.status.track?.id
      publishedJumps = player.jumps
      // A client that finds the player reads all properties first.
      trackList.update()
      object.markPublished()
      positionTracker.synchronize(with: player.status)
    }
  }

  private func handleChange(of topic: Topic) {
    switch topic {
    case .player, .queue: publishChanges()
    case .library, .output, .settings, .favorites, .playlists, .ratings, .history, .sound: break
    }
  }

  /// Publishes another current track, if its publication has waited for its cover.
  public func handleCoverSearchEnd() { publishChanges() }

  /// Publishes everything that has changed since the last call: the tracks at once, and the rest after a short time if
  /// the cover of another current track is not known yet. If the bus is not ready, publishes when it is.
  private func publishChanges(waitsForCover: Bool = true) {
    // Two topics in one iteration are published together.
    guard let bus, publishedRevision != player.revision,
      bus.isReadyToEmit(completion: { [weak self] in self?.publishChanges() })
    else { return }
    // A client may ask for the metadata of a track that it has just added.
    for signal in trackList.update() { bus.emit(signal.name, of: MPRISTrackList.name, signal.values) }
    emitChanges(of: MPRISTrackList.name, on: bus)
    let track = player.status.track?.id
    if waitsForCover, track != publishedTrack, player.isCoverUnknown {
      if coverTimer?.isArmed == false { coverTimer?.arm(after: Self.maximumCoverDelay) }
      return
    }
    coverTimer?.disarm()
    publishedRevision = player.revision
    publishedTrack = track
    // The track and the playback status are in one signal: when the track changes, clients start to count its position,
    // and must know whether it is playing.
    emitChanges(of: MPRISPlayback.name, on: bus)
    if let position = positionTracker.update(player.status, hasJumped: player.jumps != publishedJumps) {
      bus.emit("Seeked", of: MPRISPlayback.name, [.int64(position.microseconds)])
    }
    publishedJumps = player.jumps
  }

  private func emitChanges(of interface: String, on bus: MessageBus) {
    if let changes = object.takeChanges(of: interface) {
      bus.emit("PropertiesChanged", of: BusObject.properties, changes)
    }
  }
}

// MARK: Replies

extension BusCall {
  /// Returns a completion handler that replies to the call, with an error if the player reports one.
  /// - Parameter ignored: A kind of failure that is not reported to the caller.
  func completion<Value>(ignoring ignored: Failure.Kind? = nil) -> Completion<Value> {
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

  /// Returns the error of a failed result; nil if the result is a success.
  init?<Value>(_ result: Result<Value, Failure>) {
    guard case .failure(let failure) = result else { return nil }
    self.init(failure)
  }
}
