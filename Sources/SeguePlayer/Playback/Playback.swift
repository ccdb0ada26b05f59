// Thread: the loop.

internal import SegueFiles
internal import SegueLink
internal import SegueLoop
internal import SegueOnline
internal import SeguePulse
internal import SegueRing
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The playback of the queue: it passes events to the transport, lets the engine perform its actions, and takes the
/// decisions that need the queue.
@MainActor
final class Playback {
  private(set) var transport = Transport()
  /// The number of jumps within a track or to another one, so that observers can distinguish them from normal progress.
  private(set) var jumps: UInt64 = 0
  /// The number of requests to stop.
  private(set) var stopRequests = 0
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
  private let volume: VolumeControl
  private let persistence: StatePersistence
  private let notifier: ChangeNotifier
  private let tracks: PlannedTracks
  private var streams = StreamConnections()
  /// The state of the current stream when subscribers were last told about it.
  private var notifiedStreamState: StreamStatus.State?
  private var recorder: PlaybackRecorder?
  private var neighborMemory = QueueNeighborMemory()
  /// Whether playback was paused because the machine sleeps, or is about to.
  private var isPausedForSleep = false

  init(
    loop: EventLoop, queue: QueueController, engine: Engine, settings: SettingsController, index: LibraryIndex,
    favorites: Favorites, catalogs: CatalogService, moves: MoveFollower, bookmarks: Bookmarks, speeds: SpeedControl,
    sleepTimer: SleepTimer, volume: VolumeControl, persistence: StatePersistence, notifier: ChangeNotifier
  ) throws(SystemError) {
    self.queue = queue
    self.engine = engine
    self.settings = settings
    self.favorites = favorites
    self.moves = moves
    self.bookmarks = bookmarks
    self.speeds = speeds
    self.sleepTimer = sleepTimer
    self.volume = volume
    self.persistence = persistence
    self.notifier = notifier
    options = PlaybackOptions(queue: queue, settings: settings, index: index, speeds: speeds)
    tracks = PlannedTracks(queue: queue, sink: engine.sink, notifier: notifier)
    recorder = try PlaybackRecorder(
      loop: loop, bookmarks: bookmarks, speeds: speeds, queue: queue, index: index, favorites: favorites,
      catalogs: catalogs, onTimer: { [weak self] in self?.recordProgress() })
    engine.delegate = self
    readBookmarks()
  }

  // MARK: State

  /// A playback position at a time of the monotonic clock.
  struct Position {
    /// The position in the track; nil without a current entry.
    var time: MediaTime?
    var isAdvancing = false
    /// The speed at which the track is played, while the position advances.
    var speed = PlaybackSpeed.normal
    var measuredAt: MonotonicTime
  }

  var position: Position {
    let audible = engine.sink.latestPosition
    var position = Position(
      time: queue.contents.currentIndex == nil ? nil : .zero, measuredAt: audible?.at ?? MonotonicTime.now)
    switch transport.state {
    case .stopped:
      // Playback would start at this position.
      position.time = queue.contents.currentEntry.map(bookmarks.startPosition)
    case .dormant(_, let time), .lost(_, let time): position.time = time
    case .active(let plan, let isPaused):
      position.time = plan[0].start
      if let audible, audible.generation == plan[0].generation {
        (position.time, position.speed) = (audible.time, audible.speed)
        // The sink's clock may start before its event about the stream arrives.
        position.isAdvancing = audible.isAdvancing && !isPaused && engine.sink.output.state == .open
      }
    }
    return position
  }

  /// The description of the current track's file; nil until the worker has opened it.
  var currentInfo: MediaInfo? { tracks.info(of: transport.plan.first) }

  /// The current track; nil while stopped.
  var currentTrack: CurrentTrack? { tracks.current }

  /// The state of the current track's stream; nil for a file, and without a current track.
  func streamStatus(at position: Position) -> StreamStatus? {
    guard let entry = queue.contents.currentEntry, !MediaURI.isFile(entry.uri) else { return nil }
    let isCurrent = tracks.current?.entry == entry.id
    var buffered = transport.plan.isEmpty ? .zero : engine.buffered
    // What follows the track may be decoded, too.
    if let end = entry.duration, let time = position.time {
      buffered = min(buffered, position.speed.time(toPlay: max(.zero, end - time)))
    }
    return StreamStatus(
      state: streamState(at: position), buffered: buffered, station: isCurrent ? tracks.current?.station : nil)
  }

  private func streamState(at position: Position) -> StreamStatus.State? {
    guard let current = tracks.current, !MediaURI.isFile(current.uri) else { return nil }
    return streams.state(
      of: transport, isAdvancing: position.isAdvancing, isLive: currentInfo?.durationKind == .unbounded,
      hasOutput: engine.sink.output.errorKind == nil)
  }

  /// Tells subscribers if the state of the current stream has changed.
  private func notifyStreamState() {
    let state = streamState(at: position)
    guard state != notifiedStreamState else { return }
    notifiedStreamState = state
    notifier.notify(.player)
  }

  /// Whether there is a current track whose position can be changed, as far as is known.
  var isSeekable: Bool {
    guard let current = queue.contents.currentEntry else { return false }
    return current.durationKind != .unbounded && currentInfo?.seekable != false
  }

  /// Whether the current track has bookmarks.
  var isCurrentTrackLong: Bool { currentTrack?.duration.map(bookmarks.isLong) ?? false }

  /// Returns the position at which an entry starts.
  func startPosition(of id: EntryID) -> MediaTime { queue.contents.entry(id).map(bookmarks.startPosition) ?? .zero }

  /// A function that says whether an entry of which nothing can be played is skipped. One that is still in the plan is played as
  /// far as it goes.
  var isRefused: (EntryID) -> Bool {
    let planned = IDSet(transport.plan.dropFirst().map(\.entry.number))
    return { !planned.contains($0.number) }
  }

  /// The index of the entry that is played after the current one, if nobody intervenes; nil without a current entry, at the end
  /// of the queue, and if the sleep timer stops playback before it.
  var nextIndex: Int? { neighbors.nextIndex }

  /// The URI of the track that is played after the current one; nil while stopped.
  var nextTrack: String? { transport.playState == .stopped ? nil : nextIndex.map { queue.contents.entries[$0].uri } }

  /// What the queue has around the current entry.
  var neighbors: QueueNeighbors {
    let contents = queue.contents
    let state = QueueNeighborMemory.State(
      revision: notifier.revision, version: contents.version, current: contents.currentIndex)
    return neighborMemory.neighbors(in: state) {
      let isRefused = isRefused
      return QueueNeighbors(
        nextIndex: findNextIndex(in: contents), hasNext: contents.hasNext(skipping: isRefused),
        hasPrevious: contents.hasPrevious(skipping: isRefused))
    }
  }

  private func findNextIndex(in contents: PlayQueue) -> Int? {
    guard let current = contents.currentEntry, let next = contents.successor(skipping: isRefused),
      sleepTimer.allows(contents.entries[next.index], after: current, wraps: next.wraps)
    else { return nil }
    return next.index
  }

  /// The playhead, as it is saved.
  var playhead: SavedPlayhead {
    let position = position.time
    let state = transport.playState
    return SavedPlayhead(
      entry: queue.contents.current?.number, position: position ?? .zero,
      // A machine that does not wake up from its sleep resumes playback after its restart, and so does a daemon that is
      // restarted during a call. If the call still lasts, the server requests a pause again.
      state: transport.isPausedByServer && state == .paused ? .playing : state, time: .now)
  }

  // MARK: Events

  /// Passes an event to the transport, and performs its actions.
  func handle(_ event: Transport.Event) {
    // The sound up to this event counts for the track that was current before it.
    recordProgress()
    defer { recordProgress() }
    tracks.update(for: transport)
    let (longTrack, wasPlaying) = (longTrack, transport.playState == .playing)
    let before = transport.state
    if case .jump = event { jumps += 1 }
    if case .audible(let generation) = event { streams.setAudible(generation) }
    if case .lost = event { streams.setAudible(nil) }
    let actions = transport.handle(event)
    // After a request of the user, waking up does not resume playback.
    if !transport.isPausedByServer { isPausedForSleep = false }
    for action in actions {
      switch action {
      case .engine(let action): engine.perform(action)
      case .queue(let decision): decide(decision)
      }
    }
    tracks.update(for: transport)
    streams.retain(transport.plan)
    tracks.retain(transport.plan)
    notifyStreamState()
    if let longTrack {
      recorder?.updateBookmark(of: longTrack, wasPlaying: wasPlaying, actions, now: transport)
    }
    if case .audible = event { notifier.notify(.player) }
    if case .corkRequested = event, transport.state != before { persistence.savePlayhead() }
    // The sleep of the machine outlasts the server.
    if case .lost = event, isPausedForSleep { handleWithoutRequest(.pause) }
    if transport.state != before { notifier.notify(.player) }
    if case .lost = transport.state {
      persistence.setAdvancing(false)
      if transport.state != before { persistence.savePlayhead() }
    } else {
      persistence.setAdvancing(transport.playState == .playing)
    }
  }

  /// Handles a request to stop.
  func stop() {
    stopRequests += 1
    requests.settleAll()
    handle(.stop)
  }

  /// Handles events that no user has requested: playback that was paused by the server or for the sleep of the machine
  /// still resumes afterwards.
  func handleWithoutRequest(_ events: Transport.Event...) {
    let (wasPausedForSleep, wasPausedByServer) = (isPausedForSleep, transport.isPausedByServer)
    for event in events { handle(event) }
    isPausedForSleep = wasPausedForSleep
    if transport.playState == .paused { transport.setPausedByServer(wasPausedByServer) }
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
    case .plan: plan()
    case .markUnplayable(let entry, let failure): tracks.markUnplayable(entry, failure)
    case .skip(let entry, let wasPaused): skip(entry, wasPaused: wasPaused)
    case .trackEnded(let entry):
      recorder?.finish(entry)
      advanceQueue()
    case .planEnded(let entry, let wasPaused):
      recorder?.finish(entry)
      finishPlan(entry, wasPaused: wasPaused)
    }
  }

  private func recordProgress() {
    recorder?.update(transport, audible: engine.sink.position)
  }

  /// Sets the chapters of the current track, if it still is `entry` and they are unknown.
  func setChapters(_ chapters: [Chapter], of entry: EntryID) {
    tracks.setChapters(chapters, of: entry)
  }

  /// The current track and its position, if the track has bookmarks.
  private var longTrack: PlaybackRecorder.LongTrack? {
    guard isCurrentTrackLong, let currentTrack, transport.playState != .stopped, let time = position.time else {
      return nil
    }
    return (currentTrack, time)
  }

  /// Saves the bookmark of the current track before the daemon ends.
  func saveBookmark() {
    if let longTrack { recorder?.saveBookmark(of: longTrack, isCurrent: true) }
  }

  // MARK: Decisions

  /// Tells the transport which entries follow the current one.
  func plan() {
    guard !transport.plan.isEmpty else { return }
    var future = queue.contents
    var consumed: [Int] = []
    var successors: [EntryID] = []
    var starts: [Int: MediaTime] = [:]
    // A track that occurs again in the plan was played to its end before, and starts at its beginning.
    var planned = Set([transport.entry.flatMap { queue.contents.entry($0)?.uri }].compactMap(\.self))
    let isRefused = isRefused
    for _ in transport.plan {
      let last = future.currentEntry
      let advance = future.advanceAhead(keeping: &consumed, skipping: isRefused)
      guard let next = advance.entry, sleepTimer.allows(future.currentEntry, after: last, wraps: advance.wraps) else {
        break
      }
      if let uri = queue.contents.entry(next)?.uri, planned.insert(uri).inserted {
        starts[successors.count] = startPosition(of: next)
      }
      successors.append(next)
    }
    handle(.successors(successors, from: starts))
  }

  /// Plays the next entry that may be playable in place of the current one, which could not be opened.
  private func skip(_ entry: EntryID, wasPaused: Bool) {
    let advance = queue.advance(.trackEnded, skipping: isRefused)
    queue.commit(advance.change)
    guard let next = advance.entry, next != entry else {
      if advance.nothingPlayable || queue.contents.count == 1 { logNothingPlayable() }
      return persistence.savePlayhead()
    }
    start(next, wasPaused: wasPaused)
  }

  private func start(_ entry: EntryID, wasPaused: Bool) {
    let play = Transport.Event.play(entry, from: startPosition(of: entry))
    if wasPaused { handleWithoutRequest(play, .pause) } else { handle(play) }
    persistence.savePlayhead()
  }

  /// Makes the audible entry current. This is called for each track that has ended. If the queue has skipped a track that
  /// could not be played, it has advanced already.
  private func advanceQueue() {
    let entry = transport.entry
    guard queue.contents.current != entry else { return }
    let isRefused = isRefused
    let advance = queue.advance(.trackEnded) { $0 != entry && isRefused($0) }
    queue.commit(advance.change)
    options.retain(transport.plan.map(\.entry))
    persistence.savePlayhead()
    tracks.describeCurrent()
    notifier.notify(.player)
  }

  /// Handles the end of the last entry of the plan.
  private func finishPlan(_ entry: EntryID, wasPaused: Bool) {
    var nothingPlayable = false
    // A truncated entry may have been skipped already.
    if queue.contents.current == entry {
      let last = queue.contents.currentEntry
      let advance = queue.advance(.trackEnded, skipping: isRefused)
      let isAllowed = sleepTimer.allows(queue.contents.currentEntry, after: last, wraps: advance.wraps)
      queue.commit(advance.change)
      nothingPlayable = advance.nothingPlayable
      // The entry ended before its successor was planned: the worker had not reported that the entry was opened, or no
      // worker could be started for the successor. A worker may be available now.
      if isAllowed, let next = advance.entry {
        // The next entry may be the same track, which starts at its beginning then.
        if let last { bookmarks.finish(last.uri, isRepeated: queue.contents.entry(next)?.uri == last.uri) }
        return start(next, wasPaused: wasPaused)
      }
    }
    if sleepTimer.waitsForEnd {
      sleepTimer.set(nil)
      saveSleepTimer {}
    }
    if nothingPlayable { logNothingPlayable() }
    persistence.savePlayhead()
    notifier.notify(.player)
  }

  private func logNothingPlayable() { Log.error("no track in the queue can be played; stopped") }

  /// Continues after entries were removed. If the current entry was one of them, its successor is played or, without one,
  /// `first`; without either, playback stops.
  func continueAfter(_ removal: PlayQueue.Removal, orFrom first: EntryID?) {
    guard removal.currentChanged else { return plan() }
    let next = removal.current ?? first
    if let next { queue.setCurrent(next) }
    if let next, transport.playState != .stopped {
      handle(.jump(next, to: startPosition(of: next)))
    } else {
      handle(.stop)
    }
    persistence.savePlayhead()
    notifier.notify(.player)
  }

  /// Continues with an entry that has returned to the queue and is current again, at the position at which it left the queue.
  /// Playback that is stopped is paused there.
  func resume(at place: QueueHistory.Interruption) {
    let position = place.position ?? startPosition(of: place.entry)
    if transport.playState != .stopped {
      handle(.jump(place.entry, to: position))
    } else if place.position != nil {
      handle(.restored(place.entry, at: position))
    }
    persistence.savePlayhead()
    notifier.notify(.player)
  }

  /// Decodes the current track again from its position, and the following ones, after a change of options. A live stream
  /// continues as it is.
  func restartDecoding() {
    synchronize()
    guard case .active = transport.state, let entry = queue.contents.currentEntry, isSeekable else { return }
    options.retain([])
    handleWithoutRequest(.jump(entry.id, to: position.time ?? .zero))
  }

  // MARK: Speed

  /// The speed of the current entry, or of the next one to be played if there is none. A live stream is played at the original
  /// speed nevertheless.
  var speed: PlaybackSpeed { speeds.speed(of: queue.contents.currentEntry) }

  /// Sets the speed of all tracks without a bookmark, and of the current one. `then` is called when it is on disk.
  func setSpeed(_ speed: PlaybackSpeed, then: @escaping @MainActor @Sendable () -> Void) {
    let (before, chosen) = (self.speed, speeds.chosen)
    speeds.choose(speed, current: queue.contents.currentEntry, then: then)
    if speed != before { restartDecoding() }
    if speed != before || speed != chosen {
      // If the current track cannot be restarted, or has this speed already, those that follow it may be decoded already.
      handleWithoutRequest(.successors([]))
      plan()
    }
    notifier.notify(.player)
  }

  /// Reads the bookmarks, again after a scan.
  func readBookmarks() {
    bookmarks.read { [weak self] isFirst in self?.handleBookmarks(isFirst: isFirst) }
  }

  private func handleBookmarks(isFirst: Bool) {
    // The status of a stopped player has the position at which its track will start.
    if transport.playState == .stopped {
      if position.time != .zero { notifier.notify(.player) }
    } else if isFirst, speed != speeds.chosen {
      // The track that the previous daemon played was started again before its bookmark was known.
      restartDecoding()
      notifier.notify(.player)
    }
  }

  // MARK: Sleep

  /// Pauses before the machine sleeps. `then` is called when the stream has stopped and the playhead is saved, as far as
  /// that is possible.
  func prepareForSleep(then: @escaping @MainActor @Sendable () -> Void) {
    // The machine does not wait for the end of a fade.
    defer { if settings.configuration.fade > .zero { engine.sink.send(.endFade) } }
    guard transport.playState == .playing else { return then() }
    handle(.corkRequested)
    isPausedForSleep = transport.playState == .paused
    persistence.savePlayhead { [weak self] in
      // The server carries out requests in order: when it responds to this one, it has stopped the stream.
      guard let self else { return then() }
      self.engine.sink.list { _ in then() }
    }
  }

  /// Resumes after the sleep of the machine, unless a user has requested something else.
  func wake() {
    guard isPausedForSleep else { return }
    isPausedForSleep = false
    handle(.uncorkRequested)
    persistence.savePlayhead()
  }

  func setSleepTimer(_ sleep: Sleep?, then: @escaping @MainActor @Sendable () -> Void) {
    sleepTimer.set(sleep)
    saveSleepTimer(then: then)
  }

  /// Restores the sleep timer of the previous daemon.
  func restoreSleepTimer(_ saved: SavedSleep?) {
    sleepTimer.restore(saved) { [weak self] in self?.handleSleepTimer() }
  }

  private func handleSleepTimer() {
    Log.info("the sleep timer stops playback")
    handle(.stop)
    persistence.savePlayhead()
    saveSleepTimer {}
  }

  private func saveSleepTimer(then: @escaping @MainActor @Sendable () -> Void) {
    plan()
    notifier.notify(.player)
    persistence.save([.sleep(sleepTimer.saved)], then: then)
  }
}

extension Playback: EngineDelegate {
  var gracePeriod: MediaTime { settings.configuration.gracePeriod }

  func uri(of entry: EntryID) -> String? { queue.contents.entry(entry)?.uri }

  func findGain(of entry: EntryID, then: @escaping @MainActor (GainParameters) -> Void) {
    options.findGain(of: entry, then: then)
  }

  func findMovedFile(of entry: EntryID, then: @escaping @MainActor (_ uri: String?) -> Void) {
    moves.whenFollowed { [weak self] in then(self?.uri(of: entry)) }
  }

  func setPlaybackOptions(of source: inout MediaSource, for entry: EntryID, after previous: Generation?) {
    options.set(on: &source, for: entry, after: previous.flatMap { item(of: $0)?.entry })
  }

  func handleOpened(_ generation: Generation, _ info: MediaInfo) {
    guard let item = item(of: generation) else { return }
    tracks.handleOpened(item, info, isCurrent: item == transport.plan.first)
    guard let uri = uri(of: item.entry), case .stream = try? MediaURI(uri), let title = info.metadata.title else {
      return
    }
    favorites.setStreamTitle(of: uri, title)
  }

  func handleDuration(of generation: Generation, _ duration: MediaTime) {
    if let item = item(of: generation) { tracks.handleDuration(of: item, duration) }
  }

  func handleTruncation(of generation: Generation, _ failure: Failure) {
    if let item = item(of: generation) { tracks.handleTruncation(of: item, failure) }
  }

  func handleStreamTitle(of generation: Generation, _ title: String?) {
    guard let item = transport.plan.first, item.generation == generation else { return }
    tracks.handleStreamTitle(of: item, title)
  }

  func handleConnection(of generation: Generation, isLost: Bool) {
    guard let item = item(of: generation) else { return }
    if isLost, let uri = uri(of: item.entry) { Log.debug("\(uri): the connection is lost; connecting again") }
    streams.setInterrupted(generation, isLost)
    notifyStreamState()
  }

  func handleStarvation() {
    streams.setAudible(nil)
    notifyStreamState()
    notifier.notify(.player)
  }

  private func item(of generation: Generation) -> Transport.Item? {
    transport.plan.first { $0.generation == generation }
  }

  func handlePausePosition() {
    notifier.notify(.player)
    persistence.savePlayhead()
  }

  func handleOutputChange() {
    notifyStreamState()
    notifier.notify(.output, .player)
  }

  func handleRefusedStream(_ reason: LocalizableMessage) {
    Log.error("the sound server refused to open a stream: \(reason); paused")
    handle(.refused)
  }

  func handleVolumeChange(_ volume: SavedVolume, after command: UInt64) {
    self.volume.handleReport(volume, after: command)
  }
}
