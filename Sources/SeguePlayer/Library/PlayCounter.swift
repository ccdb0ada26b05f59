// Thread: the loop.

internal import SegueLoop
internal import SegueRing
internal import SegueSystem

/// A counter of plays: a track is played once half of it, or four minutes, have been audible.
///
/// It counts audible time as the sink reports it: the position of a generation advances only while it is audible, and a
/// seek or a repetition begins another generation. The timer is armed only while something plays, and mostly once for
/// each track.
@MainActor
final class PlayCounter {
  /// What the audible time shows.
  enum Event {
    /// A track begins to be audible: once, until another track is current.
    case began(uri: String)
    /// A track was played. Its entry may have left the queue.
    case played(EntryID, uri: String)
  }

  /// The playback of one track, until another one is current.
  private struct TrackPlayback {
    let entry: EntryID
    let uri: String
    var generation: Generation?
    /// The positions between which the generation was audible.
    var start = MediaTime.zero
    var end = MediaTime.zero
    /// The audible time of earlier generations.
    var earlierTime = MediaTime.zero
    var hasBegun = false
    var isCounted = false

    var audibleTime: MediaTime { earlierTime + (end - start) }
  }

  private var track: TrackPlayback?
  private var timer: Timer?

  private static let sufficientTime = MediaTime.seconds(240)
  /// The minimum interval of the timer, so that it does not fire again and again while playback is interrupted.
  private static let minimumInterval = MediaTime.milliseconds(500)

  /// `onTimer`: called when a track may have been played; `update` should follow.
  init(loop: EventLoop, onTimer: @escaping @MainActor () -> Void) throws(SystemError) {
    timer = try Timer(on: loop, slack: .milliseconds(250), handler: onTimer)
  }

  /// Sets the current entry, nil while stopped. `uri` is evaluated only if the entry has changed.
  func setCurrent(_ entry: EntryID?, uri: @autoclosure () -> String?) {
    if let track, track.entry == entry { return }
    track = nil
    timer?.disarm()
    guard let entry, let uri = uri() else { return }
    track = TrackPlayback(entry: entry, uri: uri)
  }

  /// Updates the audible time. `item`: the first item of the plan. `audible`: the audible position, nil while nothing
  /// is audible. `duration`: the duration of the track, nil if it is unknown or unbounded.
  func update(
    _ item: Transport.Item, _ audible: AudiblePosition?, of duration: MediaTime?, isPlaying: Bool
  ) -> [Event] {
    guard var track, track.entry == item.entry, !track.isCounted else { return [] }
    if track.generation != item.generation {
      track.earlierTime = track.audibleTime
      (track.generation, track.start, track.end) = (item.generation, item.start, item.start)
    }
    var events: [Event] = []
    if let audible, audible.generation == item.generation {
      track.end = max(track.end, audible.time)
      if !track.hasBegun { events.append(.began(uri: track.uri)) }
      track.hasBegun = true
    }
    let left = Self.threshold(duration) - track.audibleTime
    track.isCounted = left <= .zero && track.audibleTime > .zero
    self.track = track
    if track.isCounted {
      timer?.disarm()
      return events + [.played(track.entry, uri: track.uri)]
    }
    let time = audible?.speed.time(toPlay: left) ?? left
    if isPlaying { timer?.arm(after: max(time, Self.minimumInterval)) } else { timer?.disarm() }
    return events
  }

  /// Handles that `entry` was played to its end. `end`: its exact duration; nil if that is unknown, or if the track is
  /// truncated.
  func finish(_ entry: EntryID, at end: MediaTime?) -> [Event] {
    guard var track, track.entry == entry else { return [] }
    if let end, track.generation != nil { track.end = max(track.end, end) }
    self.track = nil
    timer?.disarm()
    guard !track.isCounted, track.audibleTime > .zero, track.audibleTime >= Self.threshold(end) else { return [] }
    return [.played(track.entry, uri: track.uri)]
  }

  private static func threshold(_ duration: MediaTime?) -> MediaTime {
    min(duration.map { $0 / 2 } ?? sufficientTime, sufficientTime)
  }
}
