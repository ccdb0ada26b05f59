internal import SegueFiles
internal import SegueLoop
internal import SegueSystem
public import SegueWire

/// Chapters: parts of audiobooks, and of albums and sets in one file.
extension Player {
  /// The time after the start of a chapter or a long track within which a step back goes to the previous chapter or
  /// track. Later, it goes to that start.
  private static let startTolerance = MediaTime.seconds(3)
  /// The time for which a step waits for the chapters of one track. It is limited because a file system may hang, and
  /// many files may have to be probed first.
  private static let chapterTimeout = MediaTime.seconds(1)
  /// The number of tracks whose chapters one step waits for, if other clients change the track meanwhile.
  private static let maximumChapterSearches = 4

  /// Finds the chapters of the file at `uri`, nil for the current track.
  public func chapters(of uri: String?, then: @escaping Completion<ChapterList>) {
    guard let uri = uri ?? queue.contents.currentEntry?.uri else { return then(.failure(noCurrentTrack)) }
    let media: MediaURI
    do { media = try MediaURI(uri) } catch { return then(.failure(error)) }
    let complete: @MainActor (Result<[Chapter], Failure>) -> Void = { [weak self] result in
      guard let self else { return }
      then(result.map { self.list($0, of: media.uri) })
    }
    // A track of a cue sheet has no chapters.
    guard case .file(_, range: nil) = media else { return complete(.success([])) }
    if let current = playback.transport.track, current.uri == media.uri, let chapters = current.chapters {
      return complete(.success(chapters))
    }
    chapterFinder.find(media.uri, then: complete)
  }

  private func list(_ chapters: [Chapter], of uri: String) -> ChapterList {
    var position: MediaTime?
    if playback.transport.track?.uri == uri {
      playback.synchronize()
      position = playback.position.time
    }
    return ChapterList(
      uri: uri, chapters: chapters,
      current: position.flatMap { time in chapters.lastIndex { $0.start <= time } })
  }

  /// Finds the chapters of the current track, and performs `step`. The file may not have been opened yet: if the track
  /// was chosen just now, was restored, has been paused for a long time, or continues at its bookmark.
  ///
  /// `step` is performed after `chapterTimeout` at the latest. If the chapters are unknown then, the step goes to
  /// another track. `wasSkipped`: whether the track turned out to be unplayable, so that another one is current
  /// already.
  func findChapters(
    for reason: PlayQueue.Reason, searches: Int = maximumChapterSearches,
    _ step: @escaping @MainActor (_ wasSkipped: Bool) -> Void
  ) {
    guard let current = playback.transport.track, current.chapters == nil, searches > 0, mayGoToChapter(reason),
      case .file(_, range: nil) = try? MediaURI(current.uri)
    else { return step(false) }
    let search = TimedCompletion<Result<[Chapter], Failure>>(
      timeout: Self.chapterTimeout, on: loop
    ) { [weak self] result in
      guard let self else { return }
      if self.playback.transport.track?.entry == current.entry { return step(false) }
      if case .failure = result { return step(true) }
      // Another client has changed the track. The step starts from the new one, which may have chapters, too.
      self.findChapters(for: reason, searches: searches - 1, step)
    }
    chapterFinder.find(current.uri) { [weak self] result in
      self?.playback.setChapters((try? result.get()) ?? [], of: current.entry)
      search.complete(with: result)
    }
  }

  /// Returns whether a step may go to another chapter of the current file, which has not been opened yet. If it was
  /// started at its beginning, only a step forwards may.
  private func mayGoToChapter(_ reason: PlayQueue.Reason) -> Bool {
    switch reason {
    case .next: playback.transport.playState != .stopped
    case .prev, .trackEnded: wasStartedMidway
    }
  }

  /// Whether the current track was started at a position other than its beginning.
  private var wasStartedMidway: Bool {
    switch playback.transport.state {
    case .stopped: false
    case .dormant(_, let position, _), .lost(_, let position): position > .zero
    case .active(let plan, _): plan[0].start > .zero
    }
  }

  /// Returns the position in the current track to which a step goes; nil if it goes to another track.
  func chapterPosition(for reason: PlayQueue.Reason) -> MediaTime? {
    playback.synchronize()
    guard let current = playback.transport.track, playback.transport.playState != .stopped,
      let position = playback.position.time
    else { return nil }
    let chapters = current.chapters ?? []
    if reason == .next { return chapters.first { $0.start > position }?.start }
    guard !chapters.isEmpty || playback.isCurrentTrackLong else { return nil }
    let index = chapters.lastIndex { $0.start <= position }
    let start = index.map { chapters[$0].start } ?? .zero
    if position - start > Self.startTolerance { return start }
    return index.flatMap { $0 > 0 ? chapters[$0 - 1].start : nil }
  }
}

/// A completion handler with a timeout. It is called once: with the result, or with nil when the time is over.
@MainActor
private final class TimedCompletion<Value> {
  private var completion: (@MainActor (Value?) -> Void)?
  /// The timer, which keeps this object alive until the handler is called.
  private var timer: Timer?

  /// Calls `completion` at once if no timer can be created.
  init(timeout: MediaTime, on loop: EventLoop, completion: @escaping @MainActor (Value?) -> Void) {
    self.completion = completion
    timer = try? Timer(on: loop) { self.finish(nil) }
    if let timer { timer.arm(after: timeout) } else { finish(nil) }
  }

  /// Passes the result to the handler. Has no effect after the timeout.
  func complete(with value: Value) { finish(value) }

  private func finish(_ value: Value?) {
    guard let completion else { return }
    self.completion = nil
    timer = nil
    completion(value)
  }
}
