// Thread: the loop. The player never blocks: what takes time is completed later, through closures.

internal import SegueFiles
internal import SegueLink
public import SegueLoop
internal import SegueOnline
internal import SeguePulse
public import SegueState
public import SegueSystem
public import SegueWire

/// The player: the queue, its playback, and all requests to both. It has no state of its own, and connects the
/// types that have.
@MainActor
public final class Player {
  public let library: MusicLibrary

  let loop: EventLoop
  let notifier: ChangeNotifier
  let persistence: StatePersistence
  let settings: SettingsController
  let queue: QueueController
  let additions: AdditionQueue
  let probes: ProbeScheduler
  private let moves: MoveFollower
  let playback: Playback
  let steps: StepAvailability
  let engine: Engine
  let volumeControl: VolumeControl
  let sleepTimer: SleepTimer
  let bookmarks: Bookmarks
  private let speeds: SpeedControl
  let prober: Prober
  let files: FileService
  let covers: CoverFinder
  let currentCover: CurrentCover
  let catalogs: CatalogService
  let recentSearches: RecentSearches
  let collator: TitleCollator
  private let pool: WorkerPool
  private let fetcher: Fetcher

  /// Creates a player with the saved state: queue, modes, position, volume and sleep timer. Throws if the loop fails, or if
  /// another daemon uses the same saved state.
  ///
  /// `isConfigurationComplete`: whether every line of the configuration was accepted. `worker`: the program that decodes.
  /// `runtimeFolder`: the folder of the socket, which no other daemon uses.
  public init(
    loop: EventLoop, configuration: Configuration, isConfigurationComplete: Bool, worker: FilePath,
    runtimeFolder: FilePath
  ) throws(SystemError) {
    self.loop = loop
    files = FileService(worker: worker)
    pool = try WorkerPool(loop: loop, folder: worker.parent, gracePeriod: configuration.gracePeriod)
    fetcher = try Fetcher(loop: loop, pool: pool)
    collator = try TitleCollator(loop: loop, pool: pool)
    catalogs = try CatalogService(
      loop: loop, cacheFolder: Directories.cache.appending("segue"), tokenFolder: Directories.config.appending("segue"),
      connection: CatalogConnection(
        open: { [fetcher] () throws(Failure) in try fetcher.openCatalogChannel() },
        checkAuthorities: { [fetcher] url throws(Failure) in try fetcher.checkAuthorities(for: url) },
        kill: { [fetcher] in fetcher.kill(because: $0) }, abandon: { [fetcher] in fetcher.abandonProcess() }),
      collate: { [collator] titles, then in collator.keys(of: titles, then: then) })
    let opener = MediaOpener(
      files: files, fetcher: fetcher, mailbox: loop.mailbox,
      resolve: { [catalogs] uri, then in catalogs.resolve(uri, then: then) })
    prober = try Prober(loop: loop, pool: pool, opener: opener)
    notifier = ChangeNotifier(mailbox: loop.mailbox)
    persistence = try StatePersistence(loop: loop, runtimeFolder: runtimeFolder)
    let saved = try persistence.load()
    queue = QueueController(saved, persistence: persistence, notifier: notifier, mailbox: loop.mailbox)
    additions = AdditionQueue(queue: queue)
    settings = SettingsController(configuration, saved: saved.settings, persistence: persistence)
    recentSearches = RecentSearches(saved.onlineSearches, persistence: persistence)
    sleepTimer = try SleepTimer(loop: loop)
    library = MusicLibrary(folder: StatePersistence.folder, worker: worker, files: files, loop: loop)
    covers = CoverFinder(prober: prober, library: library, catalogs: catalogs, mailbox: loop.mailbox)
    currentCover = CurrentCover(queue: queue, finder: covers, notifier: notifier)
    probes = ProbeScheduler(queue: queue, prober: prober, library: library, mailbox: loop.mailbox)
    moves = try MoveFollower(loop: loop, library: library, queue: queue, probes: probes)
    bookmarks = Bookmarks(library, settings: settings)
    speeds = SpeedControl(saved.speed, bookmarks: bookmarks, persistence: persistence)
    engine = try Engine(loop: loop, pool: pool, opener: opener, fetcher: fetcher)
    volumeControl = VolumeControl(
      saved.volume, sink: engine.sink, persistence: persistence, notifier: notifier)
    playback = Playback(
      queue: queue, engine: engine, settings: settings, library: library, bookmarks: bookmarks,
      speeds: speeds, sleepTimer: sleepTimer, counter: try PlayCounter(loop: loop), volume: volumeControl,
      persistence: persistence, notifier: notifier)
    steps = try StepAvailability(loop: loop, playback: playback, notifier: notifier)
    connect()
    pool.gracePeriod = settings.configuration.gracePeriod
    fetcher.authorities = settings.configuration.certificateAuthorities
    catalogs.settings = CatalogSettings(settings.configuration)
    settings.removeOutdated(from: saved.settings, isConfigurationComplete: isConfigurationComplete)
    restore(saved)
  }

  private func connect() {
    notifier.willNotify = { [weak self] in
      self?.playback.synchronize()
      self?.currentCover.update()
      self?.steps.update()
    }
    steps.findChapters = { [weak self] in self?.storeChapters(of: $0) }
    currentCover.nextTrack = { [weak self] in
      guard let self, self.playback.transport.playState != .stopped else { return nil }
      return self.playback.nextIndex.map { self.queue.contents.entries[$0].uri }
    }
    settings.onChange = { [weak self] before in self?.apply(since: before) }
    library.onChange = { [weak self] topic in self?.notifier.notify(topic) }
    library.onFilesRead = { [weak self] files in self?.probes.handleScanned(files) }
    library.onScanEnd = { [weak self] in
      self?.bookmarks.reload()
      self?.probes.handleScanEnd()
      self?.moves.follow()
    }
    library.makeTitleSearch = { [weak self] in
      guard let contents = self?.queue.contents else { return { _ in [:] } }
      return { [ids = contents.ids, store = contents.entries.store] in store.titles(of: $0, among: ids) }
    }
    library.describeItem = { [weak self] uri, group, then in self?.describe(uri, in: group, then: then) }
    playback.awaitMoves = { [moves] then in moves.whenFollowed(then: then) }
    playback.onBeginning = { [catalogs, library] uri in
      guard case .item(let item) = try? MediaURI(uri) else { return }
      catalogs.countPlay(of: item)
      library.refreshFavorite(item)
    }
    library.onFavorites = { [weak self] in self?.notifier.notify(.player, .queue) }
    bookmarks.load()
    queue.setSynchronization { [weak self] in self?.playback.synchronize() }
    queue.playbackPosition = { [weak self] in
      guard let playback = self?.playback, playback.transport.playState != .stopped else { return nil }
      return playback.position.time
    }
    persistence.takeOrderChange = { [weak self] in self?.queue.takeOrderChange() }
    persistence.makeState = { [weak self] in self?.makeState() ?? { [] } }
    persistence.playhead = { [weak self] in
      guard let self else { return SavedPlayhead() }
      self.playback.synchronize()
      return self.playback.playhead
    }
  }

  /// Restores the sink and playback as the previous daemon left them.
  private func restore(_ saved: SavedState) {
    sleepTimer.restore(saved.sleep)
    let configuration = settings.configuration
    if let device = configuration.device { engine.sink.send(.device(device)) }
    if configuration.fade > .zero { engine.sink.send(.fadeLength(configuration.fade)) }
    volumeControl.restore()
    guard let entry = saved.playhead.entry.map(EntryID.init), queue.setCurrent(entry) else { return }
    let position = saved.playhead.position
    if let current = queue.contents.currentEntry, saved.playhead.state != .stopped {
      bookmarks.update(
        current.uri, current.duration, at: position, isCurrent: configuration.restore != .stopped, speed: nil)
    }
    switch (saved.playhead.state, configuration.restore) {
    case (.stopped, _), (_, .stopped): break
    case (.playing, .resume): playback.handle(.play(entry, from: position))
    case (.playing, .paused), (.paused, .paused), (.paused, .resume): playback.handle(.restored(entry, at: position))
    }
  }

  /// Puts changed settings into effect.
  private func apply(since before: Settings) {
    let (old, new) = (before.effective, settings.configuration)
    if new.device != old.device {
      engine.sink.send(.device(new.device))
      notifier.notify(.output)
    }
    if new.fade != old.fade { engine.sink.send(.fadeLength(new.fade)) }
    if !new.decodesLike(old) { playback.restartDecoding() }
    pool.gracePeriod = new.gracePeriod
    fetcher.authorities = new.certificateAuthorities
    catalogs.settings = CatalogSettings(new)
    if settings.settings.list != before.list { notifier.notify(.settings) }
  }

  /// Returns a function that creates the whole saved state, for a database that has lost it.
  private func makeState() -> @Sendable () -> [StateChange] {
    playback.synchronize()
    let rows = queue.makeRows()
    let rest: [StateChange] =
      [
        .playhead(playback.playhead), .volume(volumeControl.saved), .sleep(sleepTimer.saved),
        .speed(speeds.chosen), .onlineSearches(recentSearches.searches),
      ]
      + settings.settings.chosen.map { .setting($0.key, $0.value) }
    return { rows() + rest }
  }

  // MARK: Lifecycle

  /// Starts scanning and watching the music folders, once the daemon is ready.
  public func startLibrary() {
    library.start(folders: settings.configuration.effectiveMusicFolders)
    // The previous daemon may not have probed all entries.
    probes.schedule(AscendingRanges(0..<queue.contents.count))
    currentCover.update()
    steps.update()
  }

  /// Adds the player's counters to those of `daemon.stats`.
  public func count(into counters: inout Counters) {
    counters.underruns = engine.sink.output.underruns
    counters.reconnects = engine.sink.output.reconnects
    counters.workersStarted = pool.started
    counters.workersLost = pool.lost
    counters.bytesDecoded = engine.bytesDecoded
    counters.sandboxLacks = pool.unavailableMechanisms.map { $0.sorted { $0.rawValue < $1.rawValue } }
    counters.saveError = saveError
  }

  /// Saves the state, and ends worker, stream and threads. This waits for the disk.
  public func shutdown() {
    playback.saveBookmark()
    persistence.close()
    engine.shutdown()
    library.close()
    catalogs.close()
    covers.close()
    files.close()
  }

  /// Pauses before the machine sleeps. `then` is called when the stream has stopped and the playhead is saved, as far as
  /// that is possible.
  public func prepareForSleep(then: @escaping @MainActor @Sendable () -> Void) { playback.prepareForSleep(then: then) }

  /// Resumes after the sleep of the machine, unless a user has requested something else.
  public func wake() { playback.wake() }

  // MARK: Changes

  /// Called after every change, but at most once for each topic in an iteration of the loop.
  public var onChange: (@MainActor (Topic) -> Void)? {
    get { notifier.onChange }
    set { notifier.onChange = newValue }
  }

  /// Called when the search for the cover of the current track has ended.
  public var onCoverSearchEnd: @MainActor () -> Void {
    get { currentCover.onSearchEnd }
    set { currentCover.onSearchEnd = newValue }
  }

  /// Whether the cover of the current track is being searched for, and nothing is known about it yet.
  public var isCoverUnknown: Bool { currentCover.isUnknown }

  /// A number that grows with every change; the advance of the position does not count as one.
  public var revision: UInt64 { notifier.revision }

  /// A number that grows with every request to change the position, within the track or to another one.
  public var jumps: UInt64 { playback.jumps }

  /// The number of requests to stop.
  public var stops: Int { playback.stopRequests }
}

extension Configuration {
  /// Returns whether tracks are decoded in the same way with both configurations.
  fileprivate func decodesLike(_ other: Configuration) -> Bool {
    let gainIsOff = gain == .off && other.gain == .off
    let gainIsEqual =
      (gain, preamp, fallbackGain, preventsClipping)
      == (other.gain, other.preamp, other.fallbackGain, other.preventsClipping)
    return (gainIsOff || gainIsEqual) && (rate, crossfade) == (other.rate, other.crossfade)
  }
}
