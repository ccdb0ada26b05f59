// Thread: the loop. A server that does not answer is told nothing more; nobody waits for it.

public import SegueLoop
public import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// Shows on the desktop which track is heard, if that is wanted: one notification, in the place of the one before.
@MainActor
public final class Notifier {
  private let loop: EventLoop
  private let player: Player
  /// A connection of its own, while notifications are wanted.
  private var bus: MessageBus?
  /// What was told last, whether there was anybody to show it or not.
  private var told: TrackNotification?
  /// How often playing had been stopped by then.
  private var stops = 0
  /// A call has not been answered yet; what comes meanwhile is told after it, the last of it only.
  private var isAsking = false
  /// What was shown last, and by whom.
  private var shown: (server: String, id: UInt32)?

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  public init(loop: EventLoop, player: Player) {
    self.loop = loop
    self.player = player
    followSetting()
  }

  /// `topic` changed.
  public func note(_ topic: Topic) {
    switch topic {
    case .player: tell()
    case .settings: followSetting()
    case .queue, .library, .output: break
    }
  }

  private func followSetting() {
    let isWanted = player.wantsNotifications
    guard isWanted != (bus != nil) else { return }
    (bus, told, shown, isAsking) = (nil, nil, nil, false)
    guard isWanted else { return }
    do throws(SystemError) {
      bus = try MessageBus(on: loop, at: { .session }, onEvent: { [weak self] in self?.hear($0) })
    } catch {
      Log.warning("there will be no notifications: \(error)")
    }
  }

  private func hear(_ news: MessageBus.News) {
    switch news {
    case .connected: tell()
    case .lost: (shown, isAsking) = (nil, false)
    }
  }

  private func tell() {
    let status = player.status
    // After a stop the same track begins anew, even where the play that follows comes before anybody is told of the stop.
    if status.state == .stopped || stops != player.stops { (told, stops) = (nil, player.stops) }
    guard let connection = bus?.live, !isAsking, let news = TrackNotification(status), news != told else { return }
    told = news
    isAsking = true
    // Who answers is asked by its unique name then: a server that took its place has other numbers.
    connection.call("GetCapabilities", of: Self.name, at: Self.path, on: Self.name, [], answering: "as") {
      [weak self] result in
      self?.hearCapabilities(result)
    }
  }

  private func hearCapabilities(_ result: Result<(sender: String, values: [BusValue]), BusError>) {
    guard case .success((let server, let values)) = result, case .strings(let capabilities)? = values.first,
      let connection = bus?.live
    else {
      // Nobody shows notifications. With the next track one is looked for again.
      isAsking = false
      return
    }
    // Another may be heard by now, or nothing.
    guard let news = TrackNotification(player.status) else {
      (told, isAsking) = (nil, false)
      return
    }
    told = news
    let arguments = news.arguments(
      replacing: shown?.server == server ? shown?.id ?? 0 : 0, isMarkup: capabilities.contains("body-markup"))
    connection.call("Notify", of: Self.name, at: Self.path, on: server, arguments, answering: "u") {
      [weak self] result in
      self?.hearShown(result)
    }
  }

  private func hearShown(_ result: Result<(sender: String, values: [BusValue]), BusError>) {
    if case .success((let server, let values)) = result, case .uint32(let id)? = values.first { shown = (server, id) }
    isAsking = false
    tell()
  }
}
