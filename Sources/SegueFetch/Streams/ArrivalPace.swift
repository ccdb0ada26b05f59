internal import SegueSystem

/// The pace at which a station sends. A station that has sent some seconds at once at the beginning is read in batches
/// afterwards, because every arrival wakes two processes. The audio that was sent at once covers the time between
/// batches. After an interruption nothing of it may be left: then the station is measured anew.
struct ArrivalPace {
  private var start: MonotonicTime?
  private var lastArrival: MonotonicTime?
  /// The bytes that arrived within `burstTime`, and those that arrived after it.
  private var burst: Int64 = 0
  private var later: Int64 = 0
  /// The first arrival since the worker had no room, and the last one.
  private var free: (first: MonotonicTime, last: MonotonicTime)?

  /// The time in which what a station sends at once has arrived.
  private static let burstTime = MediaTime.seconds(2)
  /// The time after which the rate is known.
  private static let measuringTime = MediaTime.seconds(6)
  private static let maximumPause = 1.0
  /// The time without an arrival that is an interruption.
  private static let interruption = MediaTime.seconds(2)
  /// A shorter pause would save nothing.
  private static let minimumPause = 0.2

  mutating func received(_ count: Int, at now: MonotonicTime) {
    if let lastArrival, now - lastArrival > Self.interruption { (start, burst, later) = (nil, 0, 0) }
    lastArrival = now
    let start = start ?? now
    self.start = start
    free = (free?.first ?? now, now)
    if now - start <= Self.burstTime { burst += Int64(count) } else { later += Int64(count) }
  }

  /// Records that the worker has no room for what has arrived.
  mutating func wasBlocked() { free = nil }

  /// The time in which the worker had room for everything that arrived, so that the server alone determined the pace.
  var timeOfServer: MediaTime { free.map { $0.last - $0.first } ?? .zero }

  /// Returns the time for which nothing needs to be read; nil if the station is not ahead of playback, or not yet known
  /// to be. The time is a third of the audio that is ahead, and at most a second.
  func pause(at now: MonotonicTime) -> MediaTime? {
    guard let start, case let elapsed = now - start, elapsed >= Self.measuringTime, later > 0 else { return nil }
    let rate = Double(later) / (elapsed - Self.burstTime).seconds
    let ahead = Double(burst) / rate - Self.burstTime.seconds
    let pause = min(ahead / 3, Self.maximumPause)
    return pause >= Self.minimumPause ? .seconds(pause) : nil
  }
}
