// Thread: the loop.

internal import SegueLoop
internal import SegueRing
internal import SegueSystem

/// Tells when a track has been played: half of it, or four minutes, have been heard.
///
/// What counts is sound that was heard, by the sink's word: a generation's position moves by nothing else, and a seek
/// or a loop begins another generation. A timer runs only while something plays, and mostly once a track.
@MainActor
final class PlayCounter {
  /// Asks for another `observe`, when a track may have been played.
  var observe: @MainActor () -> Void = {}
  /// Called when a track has been played, with its entry, which may have left the queue, and its URI.
  var onPlay: @MainActor (EntryID, String) -> Void = { _, _ in }

  /// One track, from its choice to the next.
  private struct Hearing {
    let entry: EntryID
    let uri: String
    var generation: Generation?
    /// Where in the track the generation began, and how far it was heard.
    var start = MediaTime.zero
    var end = MediaTime.zero
    /// Heard of generations before.
    var before = MediaTime.zero
    var isCounted = false

    var heard: MediaTime { before + (end - start) }
  }

  private var hearing: Hearing?
  private var timer: Timer?

  private static let enough = MediaTime.seconds(240)
  /// While the sound is held up the question is not asked more often than this.
  private static let shortest = MediaTime.milliseconds(500)

  init(loop: EventLoop) throws(SystemError) {
    timer = try Timer(on: loop, slack: .milliseconds(250)) { [weak self] in self?.observe() }
  }

  /// What is chosen now; nil while stopped. `uri` is asked for once.
  func follow(_ entry: EntryID?, uri: @autoclosure () -> String?) {
    if let hearing, hearing.entry == entry { return }
    hearing = nil
    timer?.disarm()
    guard let entry, let uri = uri() else { return }
    hearing = Hearing(entry: entry, uri: uri)
  }

  /// `item` is what is played, or about to be; `heard` what the ear hears at this moment; nil while nothing sounds.
  /// `duration` is the track's, nil where it has none or none is known.
  func hear(
    _ item: Transport.Item, _ heard: (generation: Generation, time: MediaTime)?, of duration: MediaTime?,
    isPlaying: Bool
  ) {
    guard var hearing, hearing.entry == item.entry, !hearing.isCounted else { return }
    if hearing.generation != item.generation {
      hearing.before = hearing.heard
      (hearing.generation, hearing.start, hearing.end) = (item.generation, item.start, item.start)
    }
    if let heard, heard.generation == item.generation { hearing.end = max(hearing.end, heard.time) }
    self.hearing = hearing
    let left = Self.threshold(duration) - hearing.heard
    if left <= .zero, hearing.heard > .zero { return count() }
    if isPlaying { timer?.arm(after: max(left, Self.shortest)) } else { timer?.disarm() }
  }

  /// `entry` came to its end by itself. `end`: how long it is, where all of it was heard.
  func finish(_ entry: EntryID, at end: MediaTime?) {
    guard var hearing, hearing.entry == entry else { return }
    if let end, hearing.generation != nil { hearing.end = max(hearing.end, end) }
    self.hearing = hearing
    if !hearing.isCounted, hearing.heard > .zero, hearing.heard >= Self.threshold(end) { count() }
    self.hearing = nil
    timer?.disarm()
  }

  private func count() {
    timer?.disarm()
    hearing?.isCounted = true
    if let hearing { onPlay(hearing.entry, hearing.uri) }
  }

  private static func threshold(_ duration: MediaTime?) -> MediaTime {
    min(duration.map { $0 / 2 } ?? enough, enough)
  }
}
