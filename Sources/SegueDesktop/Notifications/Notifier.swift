// Thread: the loop. Nothing waits for the notification server. While it does not reply, it gets no more calls.

public import SegueLoop
public import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// A notifier that shows the current track on the desktop if the setting is on. Each notification replaces the one
/// before.
@MainActor
public final class Notifier {
  private let loop: EventLoop
  private let player: Player
  /// The connection to the bus, which exists while the setting is on.
  private var bus: MessageBus?
  /// The last notification, even if there was no server to show it.
  private var last: TrackNotification?
  /// The number of stops of the player when `last` was created.
  private var stops = 0
  /// Whether a call is pending. Only the last change during the call is shown afterwards.
  private var isCallPending = false
  /// The notification that is on the screen, and the server that shows it.
  private var shown: (server: String, id: UInt32)?

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  public init(loop: EventLoop, player: Player) {
    self.loop = loop
    self.player = player
    applySetting()
    player.observe { [weak self] topic in self?.handleChange(of: topic) }
  }

  private func handleChange(of topic: Topic) {
    switch topic {
    case .player: notify()
    case .settings: applySetting()
    case .queue, .library, .output, .favorites, .playlists, .ratings, .history, .sound: break
    }
  }

  private func applySetting() {
    let isEnabled = player.wantsNotifications
    guard isEnabled != (bus != nil) else { return }
    (bus, last, shown, isCallPending) = (nil, nil, nil, false)
    guard isEnabled else { return }
    do throws(SystemError) {
      bus = try MessageBus(on: loop, at: { .session }, onEvent: { [weak self] in self?.handle($0) })
    } catch {
      Log.warning("no notifications can be shown: \(error)")
    }
  }

  private func handle(_ event: MessageBus.Event) {
    switch event {
    case .connected: notify()
    case .lost: (shown, isCallPending) = (nil, false)
    }
  }

  private func notify() {
    let status = player.status
    // After a stop, the same track is shown again, even if it plays again before the stop is reported.
    if status.state == .stopped || stops != player.stops { (last, stops) = (nil, player.stops) }
    guard let connection = bus?.readyConnection, !isCallPending, let notification = TrackNotification(status),
      notification != last
    else { return }
    last = notification
    isCallPending = true
    // The reply names the server, which is then called by its unique name: another server would have other ids.
    connection.call("GetCapabilities", of: Self.name, at: Self.path, on: Self.name, [], replyTypes: "as") {
      [weak self] result in
      self?.handleCapabilities(result)
    }
  }

  private func handleCapabilities(_ result: Result<(sender: String, values: [BusValue]), BusError>) {
    guard case .success((let server, let values)) = result, case .strings(let capabilities)? = values.first,
      let connection = bus?.readyConnection
    else {
      // There is no notification server. The next track is another attempt.
      isCallPending = false
      return
    }
    // The track may have changed or ended meanwhile.
    guard let notification = TrackNotification(player.status) else {
      (last, isCallPending) = (nil, false)
      return
    }
    last = notification
    let arguments = notification.arguments(
      replacing: shown?.server == server ? shown?.id ?? 0 : 0, supportsMarkup: capabilities.contains("body-markup"))
    connection.call("Notify", of: Self.name, at: Self.path, on: server, arguments, replyTypes: "u") {
      [weak self] result in
      self?.handleShown(result)
    }
  }

  private func handleShown(_ result: Result<(sender: String, values: [BusValue]), BusError>) {
    if case .success((let server, let values)) = result, case .uint32(let id)? = values.first { shown = (server, id) }
    isCallPending = false
    notify()
  }
}
