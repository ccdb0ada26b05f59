// Thread: the loop.

internal import SegueCatalogService
internal import SegueFiles
internal import SegueLibrary
internal import SegueLoop
internal import SegueRing
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// A recorder of what playback does: it counts plays, and keeps the bookmarks of long tracks.
@MainActor
final class PlaybackRecorder {
  private let counter: PlayCounter
  private let bookmarks: Bookmarks
  private let speeds: SpeedControl
  private let queue: QueueController
  private let index: LibraryIndex
  private let favorites: Favorites
  private let catalogs: CatalogService

  /// A long track, and its position.
  typealias LongTrack = (track: Transport.Track, position: MediaTime)

  /// `onTimer`: called when a track may have been played; `update` should follow.
  init(
    loop: EventLoop, bookmarks: Bookmarks, speeds: SpeedControl, queue: QueueController, index: LibraryIndex,
    favorites: Favorites, catalogs: CatalogService, onTimer: @escaping @MainActor () -> Void
  ) throws(SystemError) {
    counter = try PlayCounter(loop: loop, onTimer: onTimer)
    self.bookmarks = bookmarks
    self.speeds = speeds
    self.queue = queue
    self.index = index
    self.favorites = favorites
    self.catalogs = catalogs
  }

  // MARK: Plays

  /// Updates the audible time. Called before and after every event of the transport, and when a track may have been
  /// played.
  func update(_ transport: Transport, audible: AudiblePosition?) {
    counter.setCurrent(transport.track?.entry, uri: transport.track?.uri)
    guard let item = transport.plan.first else { return }
    record(counter.update(item, audible, of: item.track.duration, isPlaying: transport.playState == .playing))
  }

  /// Records that `entry` was played to its end.
  func finish(_ entry: EntryID) {
    let known = queue.contents.entry(entry)
    // A truncated track was not played to its end.
    record(counter.finish(entry, at: known?.failure == nil && known?.durationKind == .exact ? known?.duration : nil))
  }

  private func record(_ events: [PlayCounter.Event]) {
    for event in events {
      switch event {
      case .began(let uri):
        guard case .item(let item) = try? MediaURI(uri) else { break }
        catalogs.countPlay(of: item)
        favorites.refresh(item)
      case .played(let entry, let uri):
        let known = queue.contents.entry(entry)
        let facts = known.map { entry in
          PlayedFacts(entry.metadata, duration: entry.duration, durationKind: entry.durationKind)
        }
        addPlay(of: known?.uri ?? uri, facts ?? PlayedFacts())
      }
    }
  }

  /// Adds a play to the history, with the facts that are known of the track now.
  private func addPlay(of uri: String, _ known: PlayedFacts) {
    let now = UnixTime.now
    index.write(
      { writer throws(StoreError) in try writer.addPlay(uri, known, at: now) },
      then: { result in
        if case .failure(let failure) = result {
          Log.warning("cannot record the play of \(WebURL.withoutUser(uri)): \(failure.message)")
        }
      })
  }

  // MARK: Bookmarks

  /// Updates the bookmark of a long track that was current before `actions`, if it has ended or was left. At the end of
  /// the plan, `finishPlan` does that, which knows what follows.
  func updateBookmark(
    of former: LongTrack, wasPlaying: Bool, _ actions: [Transport.Action], now transport: Transport
  ) {
    let entry = former.track.entry
    for case .queue(let decision) in actions {
      switch decision {
      case .trackEnded(entry):
        return bookmarks.finish(former.track.uri, isRepeated: transport.track?.uri == former.track.uri)
      case .planEnded(entry, _): return
      case .plan, .opened, .markUnplayable, .skip, .trackEnded, .planEnded: break
      }
    }
    let isCurrent = transport.track?.entry == entry
    if !isCurrent || (wasPlaying && transport.playState != .playing) { saveBookmark(of: former, isCurrent: isCurrent) }
  }

  /// `isCurrent`: whether the track stays the current one.
  func saveBookmark(of track: LongTrack, isCurrent: Bool) {
    bookmarks.update(
      track.track.uri, track.track.duration, at: track.position, isCurrent: isCurrent, speed: speeds.chosen)
  }
}

/// A counter of plays: a track is played once half of it, or four minutes, have been audible.
///
/// It counts audible time as the sink reports it: the position of a generation advances only while it is audible, and a
/// seek or a repetition begins another generation. The timer is armed only while something plays, and mostly once for
/// each track.
@MainActor
final class PlayCounter {
  /// An event that the audible time shows.
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

/// The changes of playback. It finds what differs from the state of the transport that was saved and announced last,
/// and saves and announces that, so that no change of the transport can be forgotten. Who changes other state that a
/// client sees, such as the modes, the volume or facts about entries, announces it with `ChangeNotifier`.
@MainActor
final class PlaybackChanges {
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier
  private var settled = State()
  /// Whether the queue itself has changed when another entry became current, which is being saved.
  private var isQueueChanged = false
  /// The requests that are completed when the playhead survives a crash.
  private var waiting: [StatePersistence.Completion] = []

  /// The state that is saved and announced.
  struct State: Equatable {
    /// The current entry of the queue.
    var current: EntryID?
    var transport = Transport()
    var stream: StreamStatus.State?
    /// The position at which a stopped player would start.
    var start: MediaTime?
    var speed = PlaybackSpeed.normal
    /// The state of the output, without its latency.
    var output = Output()

    /// Whether the playhead must be saved, given the state that was saved last. While the position advances, it is
    /// saved at intervals.
    fileprivate func hasOtherPlayhead(than saved: State) -> Bool {
      current != saved.current || transport.requestedState != saved.transport.requestedState
        || transport.isAdvancing != saved.transport.isAdvancing
    }

    /// Whether the position may have changed by something else than its advance.
    fileprivate func hasOtherPosition(than saved: State) -> Bool {
      transport.jumps != saved.transport.jumps
        || (transport.isAdvancing && transport.plan.first?.generation != saved.transport.plan.first?.generation)
    }
  }

  init(persistence: StatePersistence, notifier: ChangeNotifier) {
    self.persistence = persistence
    self.notifier = notifier
  }

  /// Calls `then` when the playhead after the next call of `settle` survives a crash.
  func whenSaved(_ then: @escaping StatePersistence.Completion) { waiting.append(then) }

  /// Records a change of the queue that is being saved: the playhead must follow it to the disk.
  func recordChange(_ change: QueueChange) {
    if case .none = change { return }
    isQueueChanged = true
  }

  /// Saves and announces how `state` differs from the state that was passed last. `hasOrderChange`: whether the order
  /// under shuffle has changed, which is saved with the playhead.
  func settle(_ state: State, hasOrderChange: Bool) {
    let saved = settled
    settled = state
    persistence.setAdvancing(state.transport.isAdvancing)
    if state != saved { notifier.notify(.player) }
    let completions = waiting
    waiting = []
    let then: StatePersistence.Completion = { for then in completions { then() } }
    let afterQueue = isQueueChanged
    isQueueChanged = false
    if afterQueue || hasOrderChange || state.hasOtherPlayhead(than: saved) {
      persistence.savePlayhead(afterQueue: afterQueue, then: then)
    } else {
      if state.hasOtherPosition(than: saved) { persistence.savePosition() }
      then()
    }
  }
}
