// Thread: the loop.

internal import SegueIndex
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// A recorder of what playback does: it counts plays, and keeps the bookmarks of long tracks.
@MainActor
final class PlaybackRecorder {
  private let counter: PlayCounter
  private let bookmarks: Bookmarks
  private let speeds: SpeedControl
  private let queue: QueueController
  private let library: MusicLibrary

  /// A long track, and its position.
  typealias LongTrack = (track: CurrentTrack, position: MediaTime)

  /// `onTimer`: called when a track may have been played; `update` should follow. `onBeginning`: called when a track begins
  /// to be audible.
  init(
    counter: PlayCounter, bookmarks: Bookmarks, speeds: SpeedControl, queue: QueueController, library: MusicLibrary,
    onTimer: @escaping @MainActor () -> Void, onBeginning: @escaping @MainActor (_ uri: String) -> Void
  ) {
    self.counter = counter
    self.bookmarks = bookmarks
    self.speeds = speeds
    self.queue = queue
    self.library = library
    counter.onTimer = onTimer
    counter.onBeginning = onBeginning
    counter.onPlay = { [weak self] entry, uri in self?.recordPlay(of: entry, uri) }
  }

  // MARK: Plays

  /// Updates the audible time. Called before and after every event of the transport, and when a track may have been played.
  func update(_ transport: Transport, audible: AudiblePosition?) {
    let entry = transport.entry
    counter.setCurrent(entry, uri: entry.flatMap { queue.contents.entry($0)?.uri })
    guard let item = transport.plan.first, let known = queue.contents.entry(item.entry) else { return }
    counter.update(
      item, audible, of: known.durationKind == .unbounded ? nil : known.duration,
      isPlaying: transport.playState == .playing)
  }

  /// Records that `entry` was played to its end.
  func finish(_ entry: EntryID) {
    let known = queue.contents.entry(entry)
    // A truncated track was not played to its end.
    counter.finish(entry, at: known?.failure == nil && known?.durationKind == .exact ? known?.duration : nil)
  }

  private func recordPlay(of entry: EntryID, _ uri: String) {
    let known = queue.contents.entry(entry)
    let info = known?.info
    library.addPlay(
      of: known?.uri ?? uri,
      info.map { PlayedFacts($0.metadata, duration: $0.duration, durationKind: $0.durationKind) } ?? PlayedFacts())
  }

  // MARK: Bookmarks

  /// Updates the bookmark of a long track that was current before `actions`, if it has ended or was left.
  func updateBookmark(
    of former: LongTrack, wasPlaying: Bool, _ actions: [Transport.Action], now transport: Transport
  ) {
    let entry = former.track.entry
    if actions.contains(.queue(.trackEnded(entry)))
      || actions.contains(.queue(.planEnded(entry, wasPaused: !wasPlaying)))
    {
      let uri = transport.entry.flatMap { queue.contents.entry($0)?.uri }
      return bookmarks.finish(former.track.uri, isRepeated: uri == former.track.uri)
    }
    let isCurrent = transport.entry == entry
    if !isCurrent || (wasPlaying && transport.playState != .playing) { saveBookmark(of: former, isCurrent: isCurrent) }
  }

  /// `isCurrent`: whether the track stays the current one.
  func saveBookmark(of track: LongTrack, isCurrent: Bool) {
    bookmarks.update(
      track.track.uri, track.track.duration, at: track.position, isCurrent: isCurrent, speed: speeds.chosen)
  }
}
