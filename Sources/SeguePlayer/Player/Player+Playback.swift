internal import SegueFiles
internal import SegueLoop
internal import SegueSystem
public import SegueWire
internal import SegueWorkerProtocol

/// Requests that control playback. Each responds with the state after it.
extension Player {
  /// Starts the track at `target`. Without one, resumes playback, or starts the current or the first track.
  public func play(_ target: PlayRequest.Target? = nil, then: @escaping Completion<Status>) {
    switch target {
    case nil:
      switch playback.transport.playState {
      case .playing: complete(then)
      case .paused:
        playback.requests.supersede()
        perform(.resume(.user), then: then)
      case .stopped: playCurrentOrFirst(then: then)
      }
    case .index(let index):
      guard queue.contents.entries.indices.contains(index) else { return then(.failure(noTrack(at: index))) }
      play(queue.contents.entries[index].id, then: then)
    case .id(let id):
      guard queue.contents.index(of: EntryID(id)) != nil else { return then(.failure(noTrack(withID: id))) }
      play(EntryID(id), then: then)
    case .uri(let uri):
      add([uri], at: .next, play: true) { [weak self] result in
        guard let self else { return }
        switch result {
        case .failure(let failure): then(.failure(failure))
        case .success(let result):
          if result.added.isEmpty, let refusal = result.failed.listed.first { return then(.failure(refusal.failure)) }
          self.complete(then)
        }
      }
    }
  }

  public func pause(then: @escaping Completion<Status>) { perform(.pause(.user), then: then) }

  public func toggle(then: @escaping Completion<Status>) {
    if playback.transport.playState == .playing { pause(then: then) } else { play(then: then) }
  }

  public func stop(then: @escaping Completion<Status>) {
    playback.stop()
    complete(then)
  }

  public func next(by unit: StepUnit, then: @escaping Completion<Status>) { step(.next, by: unit, then: then) }
  public func previous(by unit: StepUnit, then: @escaping Completion<Status>) { step(.prev, by: unit, then: then) }

  public func seek(_ target: SeekRequest.Target, then: @escaping Completion<Status>) {
    playback.synchronize()
    guard let current = queue.contents.currentEntry else { return then(.failure(noCurrentTrack)) }
    guard playback.transport.playState != .stopped else {
      return then(.failure(Failure(.unavailable, "cannot seek: playback is stopped")))
    }
    guard isSeekable else { return then(.failure(Failure(.notSeekable, "this stream is not seekable"))) }
    // An estimated duration does not limit the position.
    let end = current.durationKind == .exact ? current.duration : nil
    let position: MediaTime
    switch target {
    case .position(let time):
      guard time >= .zero, end.map({ time <= $0 }) ?? true else {
        // The message does not state the position: a position beyond `MediaTime.maximum` was reduced to it.
        let failure =
          if let end {
            Failure(.outOfRange, "position out of range: it must be from 0 to \(Int(end.seconds)) seconds")
          } else {
            Failure(.outOfRange, "position out of range: it must be 0 seconds or more")
          }
        return then(.failure(failure))
      }
      position = time
    case .offset(let offset):
      position = max(.zero, (playback.position.time ?? .zero) + offset)
      if let end, position >= end { return next(by: .track, then: then) }
    case .fraction(let fraction):
      guard (0...1).contains(fraction) else {
        return then(.failure(Failure(.outOfRange, "fraction is \(fraction); it must be 0 to 1")))
      }
      guard let duration = current.duration else {
        return then(
          .failure(Failure(.notSeekable, "cannot seek to a fraction: the duration of this track is unknown")))
      }
      position = MediaTime(seconds: duration.seconds * fraction)
    }
    jump(to: position, in: current.id, then: then)
  }

  /// Whether there is a current track whose position can be changed, as far as is known.
  public var isSeekable: Bool { playback.isSeekable }

  /// Whether a step forwards leads to another track or chapter, as far as is known.
  public var canGoNext: Bool { steps.canGoNext }

  /// Whether a step back leads to another track or chapter, as far as is known.
  public var canGoPrevious: Bool { steps.canGoPrevious }

  private func jump(to position: MediaTime, in entry: EntryID, then: Completion<Status>) {
    playback.jump(to: entry, at: position)
    complete(then)
  }

  private func perform(_ event: Transport.Event, then: @escaping Completion<Status>) {
    playback.handle(event) { [weak self] in self?.complete(then) }
  }

  // MARK: Start

  private func playCurrentOrFirst(then: @escaping Completion<Status>) {
    guard !queue.contents.isEmpty else { return then(.failure(.emptyQueue)) }
    playback.requests.supersede()
    let entry =
      queue.contents.currentEntry == nil
      ? queue.advance(.trackEnded, skipping: playback.transport.plan.isRefused).entry : queue.contents.current
    start(entry ?? queue.contents.entries[0].id, then: then)
  }

  private func play(_ id: EntryID, then: @escaping Completion<Status>) {
    playback.requests.supersede()
    // The current track continues at its position.
    if id == queue.contents.current, playback.transport.playState == .paused {
      return perform(.resume(.user), then: then)
    }
    if id == queue.contents.current, playback.transport.playState == .playing { return complete(then) }
    start(id, then: then)
  }

  private func start(_ id: EntryID, then: @escaping Completion<Status>) {
    bookmarks.whenRead { [weak self] in
      guard let self else { return }
      guard self.queue.setCurrent(id) else { return then(.failure(self.noTrack(withID: id.number))) }
      self.playback.play(id) { self.complete(then) }
    }
  }

  // MARK: Steps

  private func step(_ reason: PlayQueue.Reason, by unit: StepUnit, then: @escaping Completion<Status>) {
    switch unit {
    case .chapter: stepByChapter(reason, then: then)
    case .track: stepByTrack(reason, then: then)
    }
  }

  private func stepByChapter(_ reason: PlayQueue.Reason, then: @escaping Completion<Status>) {
    findChapters(for: reason) { [weak self] wasSkipped in
      guard let self else { return }
      // The track was skipped before its chapters were known, which completes this step.
      if wasSkipped { return self.complete(then) }
      guard let position = self.chapterPosition(for: reason), let entry = self.playback.transport.track?.entry else {
        return self.stepByTrack(reason, then: then)
      }
      self.jump(to: position, in: entry, then: then)
    }
  }

  private func stepByTrack(_ reason: PlayQueue.Reason, then: @escaping Completion<Status>) {
    guard !queue.contents.isEmpty else { return then(.failure(.emptyQueue)) }
    playback.step(reason) { [weak self] in self?.complete(then) }
  }

  // MARK: Failures

  /// The failure of a request for the current track if there is none.
  var noCurrentTrack: Failure {
    queue.contents.isEmpty ? .emptyQueue : Failure(.noSuchTrack, "no current track")
  }

  private func noTrack(at index: Int) -> Failure {
    let count = queue.contents.count
    if count == 0 { return .emptyQueue }
    return Failure(.noSuchTrack, "no track at index \(index); the queue has \(count), from 0 to \(count - 1)")
  }
}

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

/// The requests to play tracks that are found later: in a folder, or by an online catalogue. Such a request has no
/// effect on playback if a later request has determined what is played.
struct PlayRequests {
  /// The number of the last request.
  private var last = 0
  /// The requests up to this number have begun playback, or must not any more.
  private var settled = 0

  /// Adds a request, and returns its number.
  mutating func add() -> Int {
    last += 1
    return last
  }

  /// Settles a request whose tracks were found. Returns whether they are to be played: whether no later request was
  /// settled.
  mutating func settle(_ number: Int) -> Bool {
    guard number > settled else { return false }
    settled = number
    return true
  }

  /// Settles all requests, because a later one has determined what is played: a track of the queue, or none.
  mutating func supersede() { settled = last }
}
