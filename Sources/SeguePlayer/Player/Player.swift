// Thread: the loop. The player never blocks: what takes time is completed later, through closures.

internal import SegueCatalogService
public import SegueFiles
internal import SegueLibrary
public import SegueLoop
public import SegueOutput
public import SegueState
public import SegueSystem
public import SegueWire
internal import SegueWorkerProtocol

/// The player: the queue, its playback, and all requests to both. It has no state of its own, and connects the
/// types that have.
@MainActor
public final class Player {
  public let libraryStatus: LibraryStatusPublisher
  public let listVersions: UserListVersions
  public let index: LibraryIndex
  public let scan: LibraryScan
  public let loudness: LoudnessMeasurement
  public let favorites: Favorites
  public let ratings: Ratings
  public let searches: SearchMemory
  public let playlists: Playlists
  public let albumArt: AlbumArt
  public let sound: SoundMonitor

  let loop: EventLoop
  private var observers: [@MainActor (Topic) -> Void] = []
  let notifier: ChangeNotifier
  let persistence: StatePersistence
  let settings: SettingsController
  let queue: QueueController
  let addRequests: AddRequestQueue
  let probes: ProbeScheduler
  private let moves: MoveFollower
  let playback: Playback
  let steps: StepAvailability
  let engine: Engine
  let volumeControl: VolumeControl
  let sleepTimer: SleepTimer
  let bookmarks: Bookmarks
  let speeds: SpeedControl
  let prober: Prober
  let files: FileService
  let covers: CoverFinder
  let chapterFinder: ChapterFinder
  let currentCover: CurrentCover
  let catalogs: CatalogService
  let recentSearches: RecentSearches
  let pool: WorkerPool
  let fetcher: Fetcher

  /// Creates a player with the saved state: queue, modes, position, volume and sleep timer. Throws if the loop fails,
  /// or if another daemon uses the same saved state.
  ///
  /// `isConfigurationComplete`: whether every line of the configuration was accepted. `worker`: the program that
  /// decodes. `makeOutput`: creates the output, which starts nothing before its first command.
  public init(
    loop: EventLoop, configuration: Configuration, isConfigurationComplete: Bool, worker: FilePath,
    folders: DaemonFolders, makeOutput: AudioOutputMaker
  ) throws(SystemError) {
    self.loop = loop
    files = FileService(worker: worker)
    pool = try WorkerPool(loop: loop, folder: worker.parent, gracePeriod: configuration.gracePeriod)
    fetcher = try Fetcher(loop: loop, pool: pool)
    let collator = try TitleCollator(loop: loop, pool: pool)
    catalogs = try CatalogService(
      loop: loop, cacheFolder: folders.cache, tokenFolder: folders.configuration,
      connection: CatalogConnection(
        open: { [fetcher] () throws(Failure) in try fetcher.openCatalogChannel() },
        checkAuthorities: { [fetcher] url throws(Failure) in try fetcher.checkAuthorities(for: url) },
        kill: { [fetcher] in fetcher.kill(because: $0) }, abandon: { [fetcher] in fetcher.abandonProcess() }),
      collate: { titles, then in collator.keys(of: titles, then: then) })
    let opener = MediaOpener(
      files: files, fetcher: fetcher, mailbox: loop.mailbox,
      resolve: { [catalogs] uri, then in catalogs.resolve(uri, then: then) })
    prober = try Prober(loop: loop, pool: pool, opener: opener)
    notifier = ChangeNotifier(mailbox: loop.mailbox)
    let player = PlayerReference()
    persistence = try StatePersistence(loop: loop, folders: folders, player: player)
    let saved = try persistence.load()
    queue = QueueController(
      saved, player: player, persistence: persistence, notifier: notifier, mailbox: loop.mailbox)
    addRequests = AddRequestQueue(queue: queue)
    settings = SettingsController(configuration, saved: saved.settings, persistence: persistence)
    recentSearches = RecentSearches(saved.onlineSearches, persistence: persistence)
    sleepTimer = try SleepTimer(loop: loop)
    let store = LibraryStore(path: folders.state.appending("library.db"))
    libraryStatus = LibraryStatusPublisher(notifier: notifier)
    listVersions = UserListVersions(notifier: notifier)
    index = LibraryIndex(store, status: libraryStatus, mailbox: loop.mailbox)
    loudness = LoudnessMeasurement(store, worker: worker, status: libraryStatus, mailbox: loop.mailbox)
    scan = LibraryScan(store, worker: worker, loudness: loudness, status: libraryStatus, mailbox: loop.mailbox)
    let favoriteCheck = FavoriteCheck(index: index, files: files, mailbox: loop.mailbox)
    favorites = Favorites(
      index, check: favoriteCheck, queue: queue, catalogs: catalogs, collator: collator,
      versions: listVersions, notifier: notifier)
    ratings = Ratings(index, check: favoriteCheck, versions: listVersions, notifier: notifier)
    searches = SearchMemory(index)
    playlists = Playlists(folder: folders.playlists, loop: loop, versions: listVersions)
    covers = CoverFinder(
      cache: folders.art, prober: prober, index: index, catalogs: catalogs, mailbox: loop.mailbox)
    albumArt = AlbumArt(cache: folders.art)
    chapterFinder = ChapterFinder(index: index, prober: prober)
    probes = ProbeScheduler(queue: queue, prober: prober, index: index, scan: scan, mailbox: loop.mailbox)
    moves = try MoveFollower(
      loop: loop, index: index, playlists: playlists, scan: scan, queue: queue, probes: probes)
    bookmarks = Bookmarks(index, settings: settings)
    speeds = SpeedControl(saved.speed, bookmarks: bookmarks, persistence: persistence)
    engine = try Engine(loop: loop, pool: pool, opener: opener, fetcher: fetcher, makeOutput: makeOutput)
    sound = try SoundMonitor(loop: loop, sink: engine.sink)
    volumeControl = VolumeControl(
      saved.volume, sink: engine.sink, persistence: persistence, notifier: notifier)
    playback = try Playback(
      loop: loop, queue: queue, engine: engine, settings: settings, index: index, favorites: favorites,
      catalogs: catalogs, moves: moves, bookmarks: bookmarks, speeds: speeds, sleepTimer: sleepTimer,
      persistence: persistence, notifier: notifier)
    currentCover = CurrentCover(queue: queue, playback: playback, finder: covers, notifier: notifier)
    steps = try StepAvailability(loop: loop, playback: playback, chapterFinder: chapterFinder, notifier: notifier)
    player.complete(with: self)
    pool.gracePeriod = settings.configuration.gracePeriod
    fetcher.authorities = settings.configuration.certificateAuthorities
    catalogs.settings = CatalogSettings(settings.configuration)
    settings.removeOutdated(from: saved.settings, isConfigurationComplete: isConfigurationComplete)
    restore(saved)
  }

  /// Restores the sink and playback as the previous daemon left them.
  private func restore(_ saved: SavedState) {
    playback.restoreSleepTimer(saved.sleep)
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
    case (.playing, .resume): playback.play(entry, from: position)
    case (.playing, .paused), (.paused, .paused), (.paused, .resume): playback.restore(entry, at: position)
    }
  }

  // MARK: Lifecycle

  /// Has `observer` called after every change from `start` on, but at most once for each topic in an iteration of the
  /// loop. Observers are called in the order in which they were added, and must not keep their owner alive.
  public func observe(_ observer: @escaping @MainActor (Topic) -> Void) { observers.append(observer) }

  /// Starts what goes on in the background, such as the scan of the music folders, once the daemon is ready.
  /// `onCoverSearchEnd`: called when the search for the cover of the current track has ended.
  public func start(onCoverSearchEnd: @escaping @MainActor () -> Void) {
    notifier.start { [weak self] topics in
      guard let self else { return }
      // Observers see the latest state.
      self.playback.synchronize()
      self.currentCover.update()
      self.steps.update()
      for topic in Topic.allCases where topics.contains(topic) { for observer in self.observers { observer(topic) } }
    }
    index.start(onChange: { [favorites, ratings, listVersions] changes in
      if changes.contains(.favorites) { favorites.handleChange() }
      if changes.contains(.ratings) { ratings.handleChange() }
      if changes.contains(.history) { listVersions.handleChange(of: .history) }
    })
    favorites.start()
    ratings.start()
    playlists.start()
    scan.start(
      folders: settings.configuration.effectiveMusicFolders,
      onFilesRead: { [weak self] files in self?.probes.handleScanned(files) },
      onEnd: { [weak self] in self?.handleScanEnd() })
    // The previous daemon may not have probed all entries.
    probes.schedule(AscendingRanges(0..<queue.contents.count))
    currentCover.start(onSearchEnd: onCoverSearchEnd)
    steps.update()
  }

  private func handleScanEnd() {
    playback.readBookmarks()
    probes.handleScanEnd()
    moves.follow()
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
    scan.close()
    loudness.close()
    index.close()
    playlists.close()
    probes.close()
    catalogs.close()
    covers.close()
    files.close()
  }

  /// Pauses before the machine sleeps. `then` is called when the stream has stopped and the playhead is saved, as far
  /// as that is possible.
  public func prepareForSleep(then: @escaping @MainActor @Sendable () -> Void) { playback.prepareForSleep(then: then) }

  /// Resumes after the sleep of the machine, unless a user has requested something else.
  public func wake() { playback.wake() }

  // MARK: Changes

  /// Whether the cover of the current track is being searched for, and nothing is known about it yet.
  public var isCoverUnknown: Bool { currentCover.isUnknown }

  /// A number that grows with every change; the advance of the position does not count as one.
  public var revision: UInt64 { notifier.revision }

  /// The topics whose changes the observers will be told of.
  public var changedTopics: Set<Topic> { notifier.changed }

  /// A number that grows with every request to change the position, within the track or to another one.
  public var jumps: UInt64 { playback.transport.jumps }

  /// The number of requests to stop.
  public var stops: Int { playback.stops }
}

extension Player: PlayerDelegate {
  var playbackPosition: MediaTime? {
    playback.transport.playState == .stopped ? nil : playback.position.time
  }

  var playhead: SavedPlayhead {
    playback.synchronize()
    return playback.playhead
  }

  func takeOrderChange() -> (@Sendable () -> [StateChange])? { queue.takeOrderChange() }

  func makeState() -> @Sendable () -> [StateChange] {
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
}

/// A notifier of changes. It calls its observer in the next iteration of the loop, once for all changes of a topic.
@MainActor
final class ChangeNotifier {
  /// A number that grows with every change.
  private(set) var revision: UInt64 = 0

  private let mailbox: Mailbox
  /// The topics that have changed since the observer was called.
  private(set) var changed: Set<Topic> = []
  /// The observer; nil before the start.
  private var observer: (@MainActor (Set<Topic>) -> Void)?

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  /// Begins to call the observer, for what has changed before, too.
  func start(_ observer: @escaping @MainActor (Set<Topic>) -> Void) {
    self.observer = observer
    if !changed.isEmpty { schedule() }
  }

  /// Records that the state of `topics` has changed.
  func notify(_ topics: Topic...) {
    revision += 1
    if changed.isEmpty, observer != nil { schedule() }
    changed.formUnion(topics)
  }

  private func schedule() {
    mailbox.post { [weak self] in
      guard let self else { return }
      let topics = self.changed
      self.changed = []
      self.observer?(topics)
    }
  }
}
