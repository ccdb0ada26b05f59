// Thread: the loop.

internal import SegueCatalogService
internal import SegueFiles
internal import SegueLoop
internal import SegueOutput
internal import SegueRing
internal import SegueState
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The playback of the queue: it passes events to the transport, lets the engine perform its actions, and takes the
/// decisions that need the queue. Events are handled one after the other: those that an action causes follow it. After
/// the last one, what has changed is saved and announced.
@MainActor
final class Playback {
  private(set) var transport = Transport()
  /// The number of requests to stop.
  private(set) var stops = 0
  /// The requests to play tracks that must be found first.
  var requests = PlayRequests()

  private let queue: QueueController
  private let engine: Engine
  private let settings: SettingsController
  private let favorites: Favorites
  private let moves: MoveFollower
  private let options: PlaybackOptions
  private let bookmarks: Bookmarks
  private let speeds: SpeedControl
  private let sleepTimer: SleepTimer
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier
  private let findings: FileFindings
  private let progress: PlaybackProgress
  private let upcoming: UpcomingEntries
  private let changes: PlaybackChanges
  private var recorder: PlaybackRecorder?

  /// The events that are not handled yet.
  private var events = Deque<Transport.Event>()
  private var isHandling = false
  /// Whether the transport must be told which tracks follow, once all events are handled.
  private var isPlanOutdated = false

  init(
    loop: EventLoop, queue: QueueController, engine: Engine, settings: SettingsController, index: LibraryIndex,
    favorites: Favorites, catalogs: CatalogService, moves: MoveFollower, bookmarks: Bookmarks, speeds: SpeedControl,
    sleepTimer: SleepTimer, persistence: StatePersistence, notifier: ChangeNotifier
  ) throws(SystemError) {
    self.queue = queue
    self.engine = engine
    self.settings = settings
    self.favorites = favorites
    self.moves = moves
    self.bookmarks = bookmarks
    self.speeds = speeds
    self.sleepTimer = sleepTimer
    self.persistence = persistence
    self.notifier = notifier
    options = PlaybackOptions(queue: queue, settings: settings, index: index, speeds: speeds)
    findings = FileFindings(queue: queue, sink: engine.sink, notifier: notifier)
    progress = PlaybackProgress(queue: queue, engine: engine, bookmarks: bookmarks)
    upcoming = UpcomingEntries(queue: queue, sleepTimer: sleepTimer, notifier: notifier)
    changes = PlaybackChanges(persistence: persistence, notifier: notifier)
    recorder = try PlaybackRecorder(
      loop: loop, bookmarks: bookmarks, speeds: speeds, queue: queue, index: index, favorites: favorites,
      catalogs: catalogs, onTimer: { [weak self] in self?.recordProgress() })
    engine.delegate = self
    readBookmarks()
  }

  // MARK: State

  var position: PlaybackProgress.Position { progress.position(in: transport) }

  /// The description of the current track's file; nil until the worker has opened it.
  var currentInfo: MediaInfo? { transport.plan.first?.info }

  /// Returns the state of the current track's stream; nil for a file, and without a current track.
  func streamStatus(at position: PlaybackProgress.Position) -> StreamStatus? {
    progress.streamStatus(in: transport, at: position)
  }

  /// Whether there is a current track whose position can be changed, as far as is known.
  var isSeekable: Bool {
    guard let current = queue.contents.currentEntry else { return false }
    return current.durationKind != .unbounded && currentInfo?.seekable != false
  }

  /// Whether the current track has bookmarks.
  var isCurrentTrackLong: Bool { transport.track?.duration.map(bookmarks.isLong) ?? false }

  /// The index of the entry that is played after the current one, if nobody intervenes; nil without a current entry, at
  /// the end of the queue, and if the sleep timer stops playback before it.
  var nextIndex: Int? { neighbors.nextIndex }

  /// The URI of the track that is played after the current one; nil while stopped.
  var nextTrack: String? { transport.playState == .stopped ? nil : nextIndex.map { queue.contents.entries[$0].uri } }

  /// What the queue has around the current entry.
  var neighbors: QueueNeighbors { upcoming.neighbors(transport.plan) }

  /// The playhead, as it is saved. A machine that does not wake up from its sleep resumes playback after its restart,
  /// and so does a daemon that is restarted during a call. If the call still lasts, the server requests a pause again.
  var playhead: SavedPlayhead {
    SavedPlayhead(
      entry: queue.contents.current?.number, position: position.time ?? .zero, state: transport.requestedState,
      time: .now)
  }

  // MARK: Requests

  /// Plays an entry of the queue, at `position` or at the position at which it starts. `then`: see `handle`.
  func play(_ entry: EntryID, from position: MediaTime? = nil, then: StatePersistence.Completion? = nil) {
    handle(.play(track(entry), from: position ?? startPosition(of: entry)), then: then)
  }

  /// Goes to an entry of the queue as `play` does, but a paused player stays paused, and a stopped one stays stopped.
  func jump(to entry: EntryID, at position: MediaTime? = nil, then: StatePersistence.Completion? = nil) {
    handle(.jump(track(entry), to: position ?? startPosition(of: entry)), then: then)
  }

  /// Pauses a stopped player at a position.
  func restore(_ entry: EntryID, at position: MediaTime) { handle(.restored(track(entry), at: position)) }

  /// Goes to the next or previous track, or stops if there is none. `then`: see `handle`.
  func step(_ reason: PlayQueue.Reason, then: @escaping StatePersistence.Completion) {
    requests.supersede()
    synchronize()
    let current = transport.track?.entry
    guard let entry = advance(reason, skipping: transport.plan.isRefused).entry else {
      return handle(.stop, then: then)
    }
    jump(to: entry, at: entry == current ? .zero : nil, then: then)
  }

  /// Handles a request to stop.
  func stop() {
    stops += 1
    requests.supersede()
    handle(.stop)
  }

  // MARK: Events

  /// Handles an event, after those that are being handled. `then`: called when the playhead after it survives a crash.
  func handle(_ event: Transport.Event, then: StatePersistence.Completion?) {
    events.append(event)
    if let then { changes.whenSaved(then) }
    handleEvents()
  }

  /// Tells the transport which tracks follow the current one.
  func plan() {
    isPlanOutdated = true
    handleEvents()
  }

  private func handleEvents() {
    guard !isHandling else { return }
    isHandling = true
    while let event = nextEvent() { carryOut(event) }
    isHandling = false
    settle()
  }

  private func nextEvent() -> Transport.Event? {
    if let event = events.popFirst() { return event }
    defer { isPlanOutdated = false }
    return isPlanOutdated && !transport.plan.isEmpty ? .successors(successors) : nil
  }

  /// Saves and announces what has changed.
  private func settle() {
    recordProgress()
    let (contents, position) = (queue.contents, position)
    changes.settle(
      PlaybackChanges.State(
        current: contents.current, transport: transport, stream: progress.streamState(in: transport, at: position),
        start: transport.playState == .stopped ? position.time : nil, speed: speed,
        output: engine.output(for: transport.state)),
      hasOrderChange: contents.hasOrderChange)
  }

  /// Passes an event to the transport, and performs its actions.
  private func carryOut(_ event: Transport.Event) {
    // The sound up to this event counts for the track that was current before it.
    recordProgress()
    let (longTrack, wasPlaying) = (longTrack, transport.playState == .playing)
    let actions = transport.handle(event)
    for action in actions {
      switch action {
      case .engine(let action):
        engine.perform(action) { item, previous in
          options.request(for: item, after: previous.flatMap(self.item)?.track)
        }
      case .queue(let decision): decide(decision)
      }
    }
    if let longTrack { recorder?.updateBookmark(of: longTrack, wasPlaying: wasPlaying, actions, now: transport) }
    // The sink's clock, which is no part of the state, begins to run or stands still.
    if case .audible = event { notifier.notify(.player) }
    if case .starved = event { notifier.notify(.player) }
  }

  /// Handles a track boundary that playback has crossed since the last event, so that the state is exact.
  func synchronize() {
    guard let generation = engine.sink.position?.generation,
      transport.plan.dropFirst().contains(where: { $0.generation == generation })
    else { return }
    handle(.audible(generation))
  }

  private func decide(_ decision: Transport.QueueDecision) {
    switch decision {
    case .plan: isPlanOutdated = true
    case .opened(let item): handleOpened(item)
    case .markUnplayable(let entry, let failure): findings.markUnplayable(entry, failure)
    case .skip(let entry, let pause): skip(entry, pause)
    case .trackEnded(let entry):
      recorder?.finish(entry)
      advanceQueue()
    case .planEnded(let entry, let pause):
      recorder?.finish(entry)
      finishPlan(entry, pause)
    }
  }

  private func recordProgress() {
    transport.updateTracks(update)
    recorder?.update(transport, audible: engine.sink.position)
  }

  /// Sets the chapters of the current track, if it still is `entry` and they are unknown.
  func setChapters(_ chapters: [Chapter], of entry: EntryID) {
    transport.updateTracks { if $0.entry == entry, $0.chapters == nil { $0.chapters = chapters } }
    settle()
  }

  /// The current track and its position, if the track has bookmarks.
  private var longTrack: PlaybackRecorder.LongTrack? {
    guard isCurrentTrackLong, let track = transport.track, let time = position.time else { return nil }
    return (track, time)
  }

  /// Saves the bookmark of the current track before the daemon ends.
  func saveBookmark() {
    if let longTrack { recorder?.saveBookmark(of: longTrack, isCurrent: true) }
  }

  // MARK: Tracks

  /// Returns the track of an entry that is in the queue or in the plan.
  private func track(_ id: EntryID) -> Transport.Track {
    let known = transport.plan.first { $0.entry == id }?.track ?? transport.track
    guard var track = known?.entry == id ? known : queue.contents.entry(id).map({ .init(entry: id, uri: $0.uri) })
    else { preconditionFailure("no entry \(id) in the queue") }
    update(&track)
    return track
  }

  /// Returns the position at which an entry starts.
  private func startPosition(of id: EntryID) -> MediaTime {
    queue.contents.entry(id).map(bookmarks.startPosition) ?? .zero
  }

  /// Updates what the queue knows about a track: its file may have been moved.
  private func update(_ track: inout Transport.Track) {
    guard let entry = queue.contents.entry(track.entry) else { return }
    track.uri = entry.uri
    track.duration = entry.durationKind == .unbounded ? nil : entry.duration
    track.isPartOfAlbum = track.isPartOfAlbum || queue.contents.isInAlbumOrder(track.entry)
  }

  private func item(of generation: Generation) -> Transport.Item? {
    transport.plan.first { $0.generation == generation }
  }

  private func handleOpened(_ item: Transport.Item) {
    findings.handleOpened(item, isCurrent: item.generation == transport.plan.first?.generation)
    if case .stream = try? MediaURI(item.track.uri), let title = item.info?.metadata.title {
      favorites.setStreamTitle(of: item.track.uri, title)
    }
  }

  // MARK: Decisions

  /// Makes another entry of the queue current.
  private func advance(_ reason: PlayQueue.Reason, skipping isRefused: (EntryID) -> Bool) -> PlayQueue.Advance {
    let advance = queue.advance(reason, skipping: isRefused)
    queue.commit(advance.change)
    changes.recordChange(advance.change)
    return advance
  }

  /// The tracks that follow the current one.
  private var successors: [Transport.Start] {
    // A track that occurs again in the plan was played to its end before, and starts at its beginning.
    var planned = Set([transport.track?.uri].compactMap(\.self))
    return upcoming.successors(transport.plan).map { entry in
      let track = track(entry)
      let isFirst = planned.insert(track.uri).inserted
      return Transport.Start(track: track, position: isFirst ? startPosition(of: entry) : .zero)
    }
  }

  /// Plays the next entry that may be playable in place of the current one, which could not be opened.
  private func skip(_ entry: EntryID, _ pause: Transport.PauseReason?) {
    let advance = advance(.trackEnded, skipping: transport.plan.isRefused)
    if let next = advance.entry, next != entry {
      start(next, pause)
    } else if advance.nothingPlayable || queue.contents.count == 1 {
      logNothingPlayable()
    }
  }

  private func start(_ entry: EntryID, _ pause: Transport.PauseReason?) {
    play(entry)
    if let pause { handle(.pause(pause)) }
  }

  /// Makes the audible entry current. This is called for each track that has ended. If the queue has skipped a track
  /// that could not be played, it has advanced already.
  private func advanceQueue() {
    let entry = transport.track?.entry
    guard queue.contents.current != entry else { return }
    let isRefused = transport.plan.isRefused
    _ = advance(.trackEnded) { $0 != entry && isRefused($0) }
    findings.describeCurrent()
  }

  /// Handles the end of the last entry of the plan.
  private func finishPlan(_ entry: EntryID, _ pause: Transport.PauseReason?) {
    let ended = queue.contents.entry(entry)
    var nothingPlayable = false
    // A truncated entry may have been skipped already.
    if queue.contents.current == entry {
      let advance = advance(.trackEnded, skipping: transport.plan.isRefused)
      let isAllowed = sleepTimer.allows(queue.contents.currentEntry, after: ended, wraps: advance.wraps)
      nothingPlayable = advance.nothingPlayable
      // The entry ended before its successor was planned: the worker had not reported that the entry was opened, or no
      // worker could be started for the successor. A worker may be available now.
      if isAllowed, let next = advance.entry {
        // The next entry may be the same track, which starts at its beginning then.
        if let ended { bookmarks.finish(ended.uri, isRepeated: queue.contents.entry(next)?.uri == ended.uri) }
        return start(next, pause)
      }
    }
    if let ended, let duration = ended.duration, bookmarks.isLong(duration) {
      bookmarks.finish(ended.uri, isRepeated: false)
    }
    if sleepTimer.waitsForEnd {
      sleepTimer.set(nil)
      saveSleepTimer {}
    }
    if nothingPlayable { logNothingPlayable() }
  }

  private func logNothingPlayable() { Log.error("no track in the queue can be played; stopped") }

  /// Continues after entries were removed. If the current entry was one of them, its successor is played or, without
  /// one, `first`; without either, playback stops.
  func continueAfter(_ removal: PlayQueue.Removal, orFrom first: EntryID?) {
    guard removal.currentChanged else { return plan() }
    let next = removal.current ?? first
    if let next { queue.setCurrent(next) }
    if let next, transport.playState != .stopped { jump(to: next) } else { handle(.stop) }
  }

  /// Continues with an entry that has returned to the queue and is current again, at the position at which it left the
  /// queue. Playback that is stopped is paused there.
  func resume(at place: QueueHistory.Interruption) {
    if transport.playState != .stopped {
      jump(to: place.entry, at: place.position)
    } else if let position = place.position {
      restore(place.entry, at: position)
    } else {
      settle()
    }
  }

  /// Decodes the current track again from its position, and the following ones, after a change of options. A live
  /// stream continues as it is, and only the tracks that follow it are decoded with the new options.
  func restartDecoding() {
    synchronize()
    guard case .active = transport.state, let entry = queue.contents.currentEntry else { return }
    guard isSeekable else { return planAnew() }
    var track = track(entry.id)
    track.isPartOfAlbum = queue.contents.isInAlbumOrder(entry.id)
    handle(.restart(track, at: position.time ?? .zero))
  }

  /// Plans the tracks that follow the current one again, because they may be decoded with other options already.
  private func planAnew() {
    handle(.successors([]))
    plan()
  }

  // MARK: Speed

  /// The speed of the current entry, or of the next one to be played if there is none. A live stream is played at the
  /// original speed nevertheless.
  var speed: PlaybackSpeed { speeds.speed(of: queue.contents.currentEntry) }

  /// Sets the speed of all tracks without a bookmark, and of the current one. `then` is called when it is on disk.
  func setSpeed(_ speed: PlaybackSpeed, then: @escaping @MainActor @Sendable () -> Void) {
    let (before, chosen) = (self.speed, speeds.chosen)
    speeds.choose(speed, current: queue.contents.currentEntry, then: then)
    if speed != before { restartDecoding() }
    if speed != before || speed != chosen {
      // The current track may have this speed already.
      planAnew()
    }
  }

  /// Reads the bookmarks, again after a scan.
  func readBookmarks() {
    bookmarks.read { [weak self] isFirst in
      guard let self else { return }
      // The track that the previous daemon played was started again before its bookmark was known.
      if isFirst, self.speed != self.speeds.chosen { self.restartDecoding() }
      // The status of a stopped player has the position at which its track will start.
      self.settle()
    }
  }

  // MARK: Sleep

  /// Pauses before the machine sleeps. `then` is called when the stream has stopped and the playhead is saved, as far
  /// as that is possible.
  func prepareForSleep(then: @escaping @MainActor @Sendable () -> Void) {
    // The machine does not wait for the end of a fade.
    defer { if settings.configuration.fade > .zero { engine.sink.send(.endFade) } }
    guard transport.playState == .playing else { return then() }
    handle(.pause(.sleep))
    persistence.save([]) { [weak self] in
      // The server carries out requests in order: when it responds to this one, it has stopped the stream.
      guard let self else { return then() }
      self.engine.sink.list { _ in then() }
    }
  }

  /// Resumes after the sleep of the machine, unless a user has requested something else.
  func wake() { handle(.resume(.sleep)) }

  func setSleepTimer(_ sleep: Sleep?, then: @escaping @MainActor @Sendable () -> Void) {
    sleepTimer.set(sleep)
    saveSleepTimer(then: then)
  }

  /// Restores the sleep timer of the previous daemon.
  func restoreSleepTimer(_ saved: SavedSleep?) {
    sleepTimer.restore(saved) { [weak self] in
      Log.info("the sleep timer stops playback")
      self?.handle(.stop)
      self?.saveSleepTimer {}
    }
  }

  private func saveSleepTimer(then: @escaping @MainActor @Sendable () -> Void) {
    plan()
    notifier.notify(.player)
    persistence.save([.sleep(sleepTimer.saved)], then: then)
  }
}

extension Playback: EngineDelegate {
  func handle(_ event: Transport.Event) { handle(event, then: nil) }

  func findMovedFile(of entry: EntryID, then: @escaping @MainActor (_ uri: String?) -> Void) {
    moves.whenFollowed { [weak self] in then(self?.queue.contents.entry(entry)?.uri) }
  }

  func handleDuration(of generation: Generation, _ duration: MediaTime) {
    if let item = item(of: generation) { findings.handleDuration(of: item, duration) }
  }

  func handleTruncation(of generation: Generation, _ failure: Failure) {
    if let item = item(of: generation) { findings.handleTruncation(of: item, failure) }
  }

  func handleStreamTitle(of generation: Generation, _ title: String?) {
    guard let item = transport.plan.first, item.generation == generation else { return }
    findings.handleStreamTitle(of: item, title)
  }

  func handlePausePosition() {
    notifier.notify(.player)
    persistence.savePosition()
  }

  func handleOutputChange() { settle() }
}
