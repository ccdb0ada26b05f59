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
