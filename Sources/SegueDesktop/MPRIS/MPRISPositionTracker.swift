internal import SegueSystem
internal import SegueWire

/// A model of the position that MPRIS clients assume, which decides when they need a `Seeked` signal.
///
/// Clients get no position while playback proceeds as they expect: a new track begins at 0, and the position advances
/// with the clock, at the property `Rate`, while the status is Playing, and not otherwise (MPRIS, `Seeked`).
struct MPRISPositionTracker {
  private var track: UInt64?
  private var position = MediaTime.zero
  private var time = MonotonicTime.now
  /// The rate at which clients let the position advance.
  private var rate = 0.0

  /// The maximum error of clients for which no signal is sent. Without a seek, an error occurs if the sound begins
  /// late, or stalls while the sound server or a stream does not respond.
  private static let tolerance = MediaTime.seconds(2)

  /// Updates the model: clients have just read the position.
  mutating func synchronize(with status: Status, at now: MonotonicTime = .now) {
    track = status.track?.id
    position = status.mprisPosition(at: now)
    time = now
    rate = status.state == .playing ? status.mprisRate : 0
  }

  /// Updates the model and returns the position that clients need; nil if they assume the right one.
  /// - Parameter hasJumped: Whether the position has changed by a seek.
  mutating func update(_ status: Status, hasJumped: Bool, at now: MonotonicTime = .now) -> MediaTime? {
    let isSameTrack = status.track?.id == track
    let assumed =
      !isSameTrack || status.state == .stopped ? .zero : position + MediaTime(seconds: (now - time).seconds * rate)
    synchronize(with: status, at: now)
    // A stopped player is at the start.
    guard status.track != nil, status.state != .stopped else {
      position = .zero
      return nil
    }
    let error = position - assumed
    // Clients expect another track to begin at its start.
    let isUnexpected = isSameTrack && hasJumped || max(error, .zero - error) > Self.tolerance
    if !isUnexpected { position = assumed }
    return isUnexpected ? position : nil
  }
}

extension Status {
  /// The rate for MPRIS: that at which the track is played, else the speed, except that a live stream has only one.
  var mprisRate: Double { rate > 0 ? rate : durationKind == .unbounded ? 1 : speed.factor }

  /// Returns the position for MPRIS: a stopped player is at the start, wherever it will resume.
  func mprisPosition(at now: MonotonicTime) -> MediaTime {
    state == .stopped ? .zero : position(at: now) ?? .zero
  }
}
