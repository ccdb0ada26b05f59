// Thread: the loop. The player waits for nobody: what takes time is answered later, through completions.

public import SegueLibrary
internal import SegueLink
public import SegueLoop
internal import SeguePulse
internal import SegueRing
public import SegueSystem
public import SegueWire

/// The player: what the queue holds, what is heard, and everything that can be asked of both. Loop thread.
@MainActor
public final class Player {
  /// Called after every change, at most once a topic and turn of the loop.
  public var onChange: (@MainActor (Topic) -> Void)?

  let loop: EventLoop
  let engine: Engine
  let prober: Prober
  let pool: WorkerPool
  let files: FileService
  let keeper: StatePersistence
  public let library: MusicLibrary
  let counter: PlayCounter
  let covers: CoverFinder
  /// Whose cover was looked for last, and its `file://` URI once it is found.
  var artwork: (track: String?, cover: String?, isSought: Bool) = (nil, nil, false)
  let bookmarks: Bookmarks
  var settings: Settings

  var queue: PlayQueue
  private(set) var transport = Transport()
  /// What the worker found in each track of the plan.
  private var opened: [UInt32: MediaInfo] = [:]
  public internal(set) var volume: VolumeState
  /// What was last ordered of the server and has not come back as its volume yet.
  var volumeAwaitingEcho: VolumeState?
  let sleeper: SleepTimer
  /// The machine sleeps, or is about to; what plays was halted for that.
  var isHaltedForSleep = false
  /// What is chosen to be heard; nil while stopped.
  var heard: CurrentTrack?
  /// Entries of the plan that were begun as a part of their album.
  var albumRun: Set<EntryID> = []
  /// Additions under way, the first of which inserts.
  var additions = FIFO<PendingQueueAddition>()
  var addition: PendingQueueAddition?
  /// What the daemon has put into the queue by itself.
  var filling: InitialPopulation
  /// Counts the stops that somebody asked for: what was to be played once it is added is not, if one came in between.
  public internal(set) var stops = 0
  /// Entries nobody has looked into yet, nor will unasked.
  var unprobed = FIFO<EntryID>()
  /// Where the last of them was found: the next is most likely beside it.
  var lastProbed = 0
  /// How many of them are being looked into, and what was found and not yet told.
  var probesUnderWay = 0
  var probed: [(EntryID, ProbeOutcome)] = []
  /// Entries that the scan looks into, by their URIs; and those that name the same once more.
  var awaited: [String: EntryID] = [:]
  var awaitedAgain: [EntryID] = []
  private var changed: Set<Topic> = []
  /// Grows with every change of anything but the position, which its own clock tells.
  public private(set) var revision: UInt64 = 0
  /// Grows whenever somebody moves the position, in this track or to another.
  public private(set) var jumps: UInt64 = 0

  /// The player as it was left: queue, modes, position, volume, sleep timer.
  /// `isConfigurationComplete`: nothing of it was passed over. `worker`: the program that decodes. `runtimeFolder`: where the socket lies; no other daemon has it. Throws what
  /// leaves a daemon without its loop, and when another daemon keeps its queue in the same place.
  public init(
    loop: EventLoop, configuration: Configuration, isConfigurationComplete: Bool, worker: FilePath,
    runtimeFolder: FilePath
  ) throws(SystemError) {
    self.loop = loop
    files = FileService(worker: worker)
    let opener = MediaOpener(files: files, mailbox: loop.mailbox)
    pool = try WorkerPool(loop: loop, program: worker, gracePeriod: configuration.gracePeriod)
    prober = try Prober(loop: loop, pool: pool, opener: opener)
    keeper = try StatePersistence(loop: loop, runtimeFolder: runtimeFolder)
    let saved = try keeper.load()
    filling = InitialPopulation(saved)
    queue = PlayQueue(saved, seed: UInt64.random(in: .min ... .max))
    if queue.count < saved.entries.count {
      Log.error("\(saved.entries.count - queue.count) entries were left out: \(Failure.fullQueue.message)")
    }
    volume = VolumeState(volume: saved.volume.level, muted: saved.volume.muted)
    settings = Settings(file: configuration, saved: saved.settings)
    sleeper = try SleepTimer(loop: loop)
    counter = try PlayCounter(loop: loop)
    library = MusicLibrary(folder: StatePersistence.folder, worker: worker, files: files, mailbox: loop.mailbox)
    covers = CoverFinder(prober: prober, library: library, mailbox: loop.mailbox)
    bookmarks = Bookmarks(library)
    engine = try Engine(loop: loop, pool: pool, opener: opener)
    connect()
    takeSettings(saved.settings, isConfigurationComplete: isConfigurationComplete)
    restore(saved)
  }

  private func connect() {
    engine.gracePeriod = { [weak self] in self?.configuration.gracePeriod ?? .zero }
    engine.uri = { [weak self] entry in self?.queue.entry(entry)?.uri }
    engine.level = { [weak self] entry, then in self?.level(of: entry, then: then) }
    engine.arrange = { [weak self] source, entry, after in self?.arrange(&source, entry, after: after) }
    engine.report = { [weak self] event in self?.dispatch(event) }
    engine.onOpened = { [weak self] generation, info in self?.learn(generation, info) }
    engine.onLength = { [weak self] generation, duration in self?.learn(generation, duration) }
    engine.onIncomplete = { [weak self] generation, failure in self?.note(failure, of: generation) }
    engine.onStreamTitle = { [weak self] generation, title in self?.learn(generation, title: title) }
    engine.onOutput = { [weak self] in
      // An echo from a stream or server that is gone never comes.
      if self?.engine.sink.output.state != .open { self?.volumeAwaitingEcho = nil }
      self?.note(.output, .player)
    }
    engine.onStanding = { [weak self] in
      self?.note(.player)
      self?.keeper.savePlayhead()
    }
    engine.onRefusal = { [weak self] reason in self?.hear(refusal: reason) }
    engine.onVolume = { [weak self] state in self?.hear(state) }
    library.onChange = { [weak self] in self?.note(.library) }
    library.onFound = { [weak self] files in self?.hear(files) }
    library.onScanEnd = { [weak self] in
      self?.bookmarks.reload()
      self?.hearScanEnd()
    }
    library.onFavorites = { [weak self] in self?.note(.player, .queue) }
    counter.observe = { [weak self] in self?.observeHearing() }
    counter.onPlay = { [weak self] entry, uri in self?.notePlay(of: entry, uri) }
    bookmarks.onLoad = { [weak self] in
      // The status of a stopped player tells where its track will go on.
      if let self, self.transport.playState == .stopped, self.status.position != .zero { self.note(.player) }
    }
    sleeper.onEnd = { [weak self] in self?.fallAsleep() }
    bookmarks.load()
    keeper.everything = { [weak self] in self?.everything ?? { [] } }
    keeper.playhead = { [weak self] in self?.playhead ?? SavedPlayhead() }
  }

  // MARK: The machine

  /// Feeds the transport, and does what it says.
  func dispatch(_ event: Transport.Event) {
    // What was heard until now belongs to what was heard until now.
    observeHearing()
    defer { observeHearing() }
    followHeard()
    let (left, wasPlaying) = (heardOfLong, transport.playState == .playing)
    let before = transport.state
    if case .jump = event { jumps += 1 }
    let actions = transport.handle(event)
    // Somebody has wanted something since, and the machine waking up changes nothing of that.
    if !transport.wasPausedByServer { isHaltedForSleep = false }
    for action in actions where !engine.perform(action) { decide(action) }
    followHeard()
    if let left { keepBookmark(left, wasPlaying: wasPlaying, actions) }
    if case .audible = event { note(.player) }
    if transport.state != before { note(.player) }
    if case .lost = transport.state {
      keeper.isAdvancing = false
      if transport.state != before { keeper.savePlayhead() }
    } else {
      keeper.isAdvancing = transport.playState == .playing
    }
  }

  /// The same of what nobody wished for: what stands still because the server or the machine wants it plays on after.
  func dispatchUnwished(_ events: Transport.Event...) {
    let (isHalted, isPausedByServer) = (isHaltedForSleep, transport.wasPausedByServer)
    for event in events { dispatch(event) }
    isHaltedForSleep = isHalted
    if transport.playState == .paused { transport.noteServerPause(isPausedByServer) }
  }

  /// What the transport leaves to whoever knows the queue.
  private func decide(_ action: Transport.Action) {
    switch action {
    case .plan: plan()
    case .blame(let entry, let failure): blame(entry, failure)
    case .skip(let entry, let wasPaused): skip(entry, wasPaused: wasPaused)
    case .passed(let entry):
      finishHearing(entry)
      advance()
    case .playedOut(let entry, let wasPaused):
      finishHearing(entry)
      playOut(entry, wasPaused: wasPaused)
    default: break
    }
  }

  /// Whether `entry` cannot be played and is passed over. An entry that broke off midway and is still planned is heard,
  /// and so is one of which a part can be decoded.
  func isRefused(_ entry: QueueEntry) -> Bool {
    entry.failure.map { $0.kind != .decodingStopped } == true
      && !transport.plan.dropFirst().contains { $0.entry == entry.id }
  }

  /// Tells the transport what should come after what is heard.
  func plan() {
    guard !transport.plan.isEmpty else { return }
    var future = queue
    var successors: [EntryID] = []
    var starts: [Int: MediaTime] = [:]
    // What comes again was heard to its end the last time.
    var heard = Set([transport.entry.flatMap { queue.entry($0)?.uri }].compactMap(\.self))
    for _ in transport.plan {
      guard let next = nextHeard(in: &future).entry else { break }
      if let uri = queue.entry(next)?.uri, heard.insert(uri).inserted { starts[successors.count] = beginning(of: next) }
      successors.append(next)
    }
    dispatch(.successors(successors, from: starts))
  }

  /// Goes on in `queue` from a track that has ended. `entry`: what is heard then; nil if that is not to be heard any more.
  private func nextHeard(in queue: inout PlayQueue) -> (entry: EntryID?, advance: PlayQueue.Advance) {
    let last = queue.currentEntry
    let advance = queue.advance(.trackEnded, skipping: isRefused)
    let isAllowed = sleeper.allows(queue.currentEntry, after: last, wraps: advance.wraps)
    return (isAllowed ? advance.entry : nil, advance)
  }

  private func blame(_ entry: EntryID, _ failure: Failure) {
    guard let found = queue.entry(entry) else { return }
    Log.warning("\(found.uri): skipped: \(failure.message)")
    var info = found.info
    info.failure = failure
    apply(queue.update(entry, info))
  }

  /// Notes why the rest of a track, of which a part is played, is not.
  private func note(_ failure: Failure, of generation: Generation) {
    guard let item = transport.plan.first(where: { $0.generation == generation }),
      let entry = queue.entry(item.entry)
    else { return }
    Log.warning("\(entry.uri): \(failure.message)")
    var info = entry.info
    info.failure = failure
    apply(queue.update(item.entry, info))
    note(.player)
  }

  /// The current track would not even open: on to the next that may, or stop where none does.
  private func skip(_ entry: EntryID, wasPaused: Bool) {
    let advance = queue.advance(.trackEnded, skipping: isRefused)
    apply(advance.change)
    guard let next = advance.entry, next != entry else {
      if advance.nothingPlayable || queue.count == 1 {
        Log.error("nothing in the queue can be played; stopped")
      }
      return keeper.savePlayhead()
    }
    goOn(to: next, wasPaused: wasPaused)
  }

  private func goOn(to next: EntryID, wasPaused: Bool) {
    let play = Transport.Event.play(next, from: beginning(of: next))
    if wasPaused { dispatchUnwished(play, .pause) } else { dispatch(play) }
    keeper.savePlayhead()
  }

  /// The next of the plan is heard now, though it may have broken off midway. Told once for each that was passed: where
  /// one of them was refused meanwhile, the queue is there already.
  private func advance() {
    let heard = transport.entry
    guard queue.current != heard else { return }
    let advance = queue.advance(.trackEnded) { isRefused($0) && $0.id != heard }
    apply(advance.change)
    forgetOld()
    keeper.savePlayhead()
    describe()
    note(.player)
  }

  private func playOut(_ entry: EntryID, wasPaused: Bool) {
    var nothingPlayable = false
    // One that broke off midway may have been passed over already.
    if queue.current == entry {
      let uri = queue.currentEntry?.uri
      let (next, advance) = nextHeard(in: &queue)
      apply(advance.change)
      nothingPlayable = advance.nothingPlayable
      // Where nothing was left of it, it is over before it is known to open, and what follows is planned after that. Or
      // no decoder was to be had for what follows: by now there may be one.
      if let next {
        // It may be the same again, and begins anew then.
        if let uri { bookmarks.set(uri, nil) }
        return goOn(to: next, wasPaused: wasPaused)
      }
    }
    if sleeper.endsHere {
      sleeper.finish()
      sleepChanged {}
    }
    if nothingPlayable { Log.error("nothing in the queue can be played; stopped") }
    opened = [:]
    keeper.savePlayhead()
    note(.player)
  }

  // MARK: What is known of the tracks

  private func learn(_ generation: Generation, _ info: MediaInfo) {
    guard let item = transport.plan.first(where: { $0.generation == generation }),
      let entry = queue.entry(item.entry)
    else { return }
    opened[generation.number] = info
    apply(queue.update(item.entry, EntryInfo(found: info, uri: entry.uri, before: entry.info)))
    if item == transport.plan.first {
      describe()
      note(.player)
    }
  }

  /// A track that was decoded to its end from its beginning has been counted.
  private func learn(_ generation: Generation, _ duration: MediaTime) {
    guard let item = transport.plan.first(where: { $0.generation == generation }),
      var info = queue.entry(item.entry)?.info, info.duration != duration || info.durationKind != .exact
    else { return }
    info.duration = duration
    info.durationKind = .exact
    apply(queue.update(item.entry, info))
    note(.player)
  }

  private func learn(_ generation: Generation, title: String) {
    guard let item = transport.plan.first, item.generation == generation,
      var info = queue.entry(item.entry)?.info, info.metadata.stream != title
    else { return }
    info.metadata.stream = title
    apply(queue.update(item.entry, info))
    describe()
    note(.player)
  }

  private func forgetOld() {
    let kept = Set(transport.plan.map(\.generation.number))
    opened = opened.filter { kept.contains($0.key) }
    albumRun.formIntersection(transport.plan.map(\.entry))
  }

  /// Names what is heard to the sound server.
  private func describe() {
    guard let entry = queue.currentEntry else { return }
    let metadata = entry.metadata
    engine.sink.send(
      .describe(
        title: metadata.stream ?? metadata.title ?? MediaURI.displayName(of: entry.uri), artist: metadata.artist,
        file: entry.uri))
  }

  /// What the worker found in the track that is heard; nil while nothing of it is open.
  var currentInfo: MediaInfo? { transport.plan.first.flatMap { opened[$0.generation.number] } }

  // MARK: Telling

  /// Tells observers on the next turn of the loop, once for many changes.
  func note(_ topics: Topic...) {
    revision += 1
    if changed.isEmpty {
      loop.mailbox.post { [weak self] in self?.tell() }
    }
    changed.formUnion(topics)
  }

  private func tell() {
    let topics = changed
    changed = []
    followArt()
    for topic in Topic.allCases where topics.contains(topic) { onChange?(topic) }
  }

  /// Saves what changed in the queue, in one transaction, and tells of it.
  func apply(
    _ change: QueueChange, freeing discarded: DiscardedEntries? = nil,
    then: (@MainActor @Sendable () -> Void)? = nil
  ) {
    var rest: [StateChange] = []
    if case .none = change {} else { filling.noteChange() }
    if let beginning = filling.takeUnsaved() { rest.append(.queueOrigin(beginning)) }
    switch change {
    case .none where rest.isEmpty: then?()
    case .none: keeper.save(rest, then: then)
    case .rows, .all:
      let orders = queue.makingOrders(for: change)
      keeper.save(
        making: { [rest] in
          discarded?.free()
          return orders() + rest
        }, then: then)
      note(.queue)
    }
  }
}
