internal import SegueSystem
internal import SegueWire

/// Where those who listen believe the position to be. Nobody tells them of it while it goes on as they expect: from 0 in
/// a new track, by the clock while the player says that it plays, and not otherwise (MPRIS, `Seeked`).
struct MPRISPositionTracker {
  private var track: UInt64?
  private var position = MediaTime.zero
  private var time = MonotonicTime.now
  private var isRunning = false

  /// A sound that begins so late, or stands still for so long while the server or a stream is waited for, leaves their
  /// clocks wrong without anybody having moved the position.
  private static let tolerance = MediaTime.seconds(2)

  /// They have just asked.
  mutating func read(_ status: Status, at now: MonotonicTime = .now) {
    track = status.track?.id
    position = status.mprisPosition(at: now)
    time = now
    isRunning = status.state == .playing
  }

  /// The position they have to be told, as far as they cannot know it from what has happened. `hasJumped`: it was moved.
  mutating func follow(_ status: Status, hasJumped: Bool, at now: MonotonicTime = .now) -> MediaTime? {
    let isSame = status.track?.id == track
    let believed = !isSame || status.state == .stopped ? .zero : isRunning ? position + (now - time) : position
    read(status, at: now)
    // Stopped means at the start.
    guard status.track != nil, status.state != .stopped else {
      position = .zero
      return nil
    }
    let error = position - believed
    // Who is told of another track expects its start.
    let isNews = isSame && hasJumped || max(error, .zero - error) > Self.tolerance
    if !isNews { position = believed }
    return isNews ? position : nil
  }
}

extension Status {
  /// The position as MPRIS has it: stopped means at the start, wherever playing would begin.
  func mprisPosition(at now: MonotonicTime) -> MediaTime {
    state == .stopped ? .zero : position(at: now) ?? .zero
  }
}
