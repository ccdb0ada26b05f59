internal import SegueSystem
internal import SegueWire

/// The state that a status bar displays: the state of the player, or the absence of the daemon.
struct BarStatus {
  /// The state of the player. It is stopped and has no track while the daemon is not running.
  let player: Status
  /// The state as the daemon sent it. It is nil while the daemon is not running.
  let response: JSON?

  /// Creates the state for a daemon that is not running.
  init() {
    response = nil
    player = Status(
      state: .stopped, position: nil, duration: nil, durationKind: nil, monotonic: .now, rate: 0, track: nil,
      index: nil, length: 0, version: 0, volume: 0, muted: false, repeatMode: .all, shuffle: .off, consume: false,
      speed: .normal, sleep: nil, output: Output(), audio: nil, stream: nil, next: nil)
  }

  init(_ response: JSON) {
    self.response = response
    player = Status(response)
  }

  /// Whether the daemon is running.
  var isOnline: Bool { response != nil }
  var track: QueueEntry? { player.track }
  /// The state as `playing`, `paused`, `stopped` or `offline`.
  var stateName: String { isOnline ? player.state.rawValue : "offline" }
}

/// The values that a template is evaluated with.
struct TemplateContext {
  let status: BarStatus
  let now: MonotonicTime
  let style: Style
  /// Whether the bar interprets Pango markup, so that all text from tags is escaped, with or without `markup_escape`.
  let isMarkup: Bool
}
