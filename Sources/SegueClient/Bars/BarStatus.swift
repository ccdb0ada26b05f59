internal import SegueSystem
internal import SegueWire

/// What a bar is told: the player's state, or that there is no daemon.
struct BarStatus {
  /// Stopped and without a track where nobody is there.
  let player: Status
  /// As the daemon sent it; nil where nobody is there.
  let answer: JSON?

  /// Nobody is there.
  init() {
    answer = nil
    player = Status(
      state: .stopped, position: nil, duration: nil, durationKind: nil, monotonic: .now, rate: 0, track: nil,
      index: nil, length: 0, version: 0, volume: 0, muted: false, repeatMode: .all, shuffle: .off, consume: false,
      sleep: nil, output: Output(), audio: nil)
  }

  init(_ answer: JSON) {
    self.answer = answer
    player = Status(answer)
  }

  var isThere: Bool { answer != nil }
  var track: Track? { player.track }
  /// `playing`, `paused`, `stopped` or `offline`.
  var word: String { isThere ? player.state.rawValue : "offline" }
}
