internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The state that all screens share: what is known about the daemon and the terminal.
struct SharedState {
  /// The state of the connection to the daemon.
  enum Connection {
    case connecting
    case connected
    case lost(ClientError)
  }

  var size: ScreenSize
  let appearance: Appearance
  var configuration: InterfaceConfiguration
  /// The brightness of the background that the terminal reports; nil without a report.
  var background: Brightness?
  var connection = Connection.connecting
  /// The last state of the player; nil before the first one.
  var status: Status?
  var unanswered = UnansweredCalls()
  var queue = ListWindow<QueueEntry>(lengthFrom: .announcements)
  /// The sum of the durations in the queue; nil before the daemon has stated it.
  private(set) var queueDuration: MediaTime?
  /// The last state of the library; nil before the first one.
  private(set) var library: LibraryStatus?
  /// The settings of the daemon; empty without a connection.
  var settings: [SettingReport] = []
  /// The versions of the topics that the daemon has announced last.
  private var announced: [Topic: UInt64] = [:]
  /// How often the lists that show a topic were outdated. The queue has a version of its own.
  private var changes: [Topic: UInt64] = [:]
  var lyrics = TrackAddition<Lyrics>()
  /// The chapters of the current track, of which there is at least one.
  var chapters = TrackAddition<[Chapter]>()
  var covers = CoverStore()
  var coverAccent = CoverAccent()
  /// What is audible, while a view displays it.
  var sound = SoundAnalysis()
  /// The terminal if it displays pictures.
  var graphics: GraphicsTerminal?
  /// The place on the progress bar to which the mouse is dragged, from 0 to 1.
  var dragged: Double?
  /// The time of the last event.
  var now: MonotonicTime

  init(size: ScreenSize, appearance: Appearance, configuration: InterfaceConfiguration, now: MonotonicTime) {
    (self.size, self.appearance, self.configuration, self.now) = (size, appearance, configuration, now)
  }

  /// Takes over an event of the daemon.
  mutating func update(_ event: ProtocolEvent) {
    switch event {
    case .player(let status): update(status)
    case .queue(let queue): update(queue)
    case .library(let library): update(library)
    case .output:
      unanswered.announce(.output)
      changes[.output, default: 0] += 1
    case .settings(let list):
      settings = list.settings
      // A setting may choose another output while nothing plays.
      markOutdated([.output])
    case .favorites(let list): announce(.favorites, list.version)
    case .playlists(let list): announce(.playlists, list.version)
    case .ratings(let list): announce(.ratings, list.version)
    case .history(let list): announce(.history, list.version)
    case .sound(let sound): self.sound.update(sound, at: now)
    }
  }

  /// Takes over a new state of the library. The progress of a scan alone changes no list.
  private mutating func update(_ library: LibraryStatus) {
    announce(.library, library.version)
    // Lists could not be read before, or can no longer be.
    if library.error != self.library?.error { markOutdated() }
    self.library = library
  }

  /// Takes over the version of a topic that lists show.
  private mutating func announce(_ topic: Topic, _ version: UInt64) {
    guard announced.updateValue(version, forKey: topic) != version else { return }
    unanswered.announce(topic)
    markOutdated([topic])
    // The entries of the queue say whether they are favorites, and how they are rated.
    if topic == .favorites || topic == .ratings { queue.markFactsOutdated() }
  }

  /// Takes over a new state of the player.
  private mutating func update(_ status: Status) {
    var status = status
    // The screens calculate with these numbers, which a faulty daemon may choose freely.
    status.length = ListLimits.limited(status.length)
    if let index = status.index, !(0..<status.length ~= index) { status.index = nil }
    queue.update(version: status.version, length: status.length)
    self.status = status
  }

  /// Takes over the response to a call, as far as it is about the state that all screens share.
  mutating func receive(_ call: DaemonCall, _ result: CallResult) {
    let isAnnounced = unanswered.remove(call)
    switch (call, result) {
    case (.subscribe, .success(let snapshot as Snapshot)):
      // Only now is it known that the daemon accepts this client, and that its state can be read.
      connection = .connected
      update(snapshot.status)
      update(snapshot.library)
      announce(.favorites, snapshot.favorites.version)
      announce(.playlists, snapshot.playlists.version)
      announce(.ratings, snapshot.ratings.version)
      announce(.history, snapshot.history.version)
      settings = snapshot.settings.settings
    case (.read(.queue, .page(let number)), .success(let page as QueuePage)):
      queue.receive(page: number, page.tracks, version: page.version, total: page.total)
      queueDuration = page.duration
    case (.read(.queue, .page(let number)), .failure(let error)): queue.fail(page: number, error, at: now)
    case (.lyrics(let uri), _): lyrics.receive(try? result.get() as? Lyrics, for: uri)
    case (.chapters(let uri), _):
      let chapters = (try? result.get() as? ChapterList)?.chapters ?? []
      self.chapters.receive(chapters.isEmpty ? nil : chapters, for: uri)
    case (.followSound, .failure): sound.receiveFailure()
    case (.cover(let request), _): covers.receive(try? result.get() as? Art, for: request, at: now)
    // What the result of a change states arrives before the events that follow.
    case (_, .success(let status as Status)): update(status)
    case (_, .success(let queue as QueueSummary)): update(queue)
    case (_, .success(let step as QueueStepResult)): update(step.queue)
    default: break
    }
    // Without an event, commands on rows wait for what this reads.
    if case .success = result, !isAnnounced, let topic = call.changedTopic { markOutdated([topic]) }
  }

  private mutating func update(_ summary: QueueSummary) {
    queue.update(version: summary.version, length: summary.length)
    queueDuration = summary.duration
  }

  /// Remembers the calls among the requests as unanswered.
  mutating func note(_ requests: [InterfaceRequest]) {
    for case .call(let call) in requests { unanswered.add(call, at: now) }
  }

  /// Takes over the loss of the connection to the daemon. Nothing plays any more, and no response comes.
  mutating func disconnect(_ error: ClientError) {
    connection = .lost(error)
    unanswered.removeAll()
    dragged = nil
    if let position = status?.position(at: now) {
      status?.position = position
      status?.rate = 0
    }
    queue.markOutdated()
    lyrics.reset()
    chapters.reset()
    covers.disconnect()
    sound.disconnect()
    settings = []
    markOutdated()
  }

  /// Has the lists read again that show one of `topics`; by default, all lists but the queue.
  mutating func markOutdated(_ topics: Set<Topic> = Set(Topic.allCases)) {
    for topic in topics { changes[topic, default: 0] += 1 }
    covers.forgetMissing()
  }

  /// Returns the version of a list that is read in pages. It grows when something changes that the list shows.
  func version(of source: ListSource) -> UInt64 { source.topics.reduce(1) { $0 + changes[$1, default: 0] } }

  /// Returns a setting of the daemon; nil if it is not known.
  func setting(_ name: String) -> SettingReport? { settings.first { $0.name == name } }

  var isConnected: Bool {
    switch connection {
    case .connected: true
    case .connecting, .lost: false
    }
  }

  /// The colours of the screen.
  var palette: Palette {
    guard appearance.isColored else { return .monochrome }
    let accent = takesAccentFromCover ? coverAccent.color : nil
    return Palette(configuration.theme, configuration.colors, background: background, accent: accent)
  }

  /// Whether the position changes by itself on the screen.
  var showsClock: Bool { configuration.showsClock && !appearance.isPlain }

  /// The playback position. Without a clock that changes by itself, it is the position at the last change.
  var position: MediaTime? {
    guard let status else { return nil }
    return showsClock ? status.position(at: now) : status.position
  }

  /// The part of the track that was played, from 0 to 1; nil if the duration is unknown.
  var progress: Double? {
    guard let status, let position, let duration = status.duration, duration > .zero, status.durationKind != .unbounded
    else { return nil }
    return min(1, position.seconds / duration.seconds)
  }

  /// The chapter that is played: its index and those of the track; nil without chapters.
  var chapter: (index: Int, all: [Chapter])? {
    guard let all = chapters.value(for: status?.track?.uri), let position else { return nil }
    return (max(0, (all.firstIndex { $0.start > position } ?? all.count) - 1), all)
  }

  /// The time at which the position reaches the next second; nil if the clock stands still.
  var nextSecond: MonotonicTime? {
    showsClock ? status?.nextSecond(after: now) : nil
  }

  /// The time at which the label of the sleep timer changes: each minute, and each second of the last one.
  var nextSleepChange: MonotonicTime? {
    guard showsClock, let status, case .seconds(let left) = status.sleep else { return nil }
    let rest = status.timeToSleep(left, at: now)
    guard rest > .zero else { return nil }
    let step = rest > .seconds(60) ? MediaTime.seconds(60).nanoseconds : MediaTime.seconds(1).nanoseconds
    return now + MediaTime(nanoseconds: rest.nanoseconds % step + 1)
  }

  /// The title of the terminal while there is a track, as far as the user wants one.
  var terminalTitle: String? {
    guard configuration.setsTitle, let status, let track = status.track else { return nil }
    let name = track.artist.isEmpty ? track.title : "\(track.title) \(appearance.dash) \(track.artist)"
    return (status.state == .playing ? "" : "\(symbol) ") + name.visible
  }

  /// The symbol of the playback state.
  var symbol: String {
    switch status?.state ?? .stopped {
    case .playing: appearance.playing
    case .paused: appearance.paused
    case .stopped: appearance.stopped
    }
  }
}

extension ListSource {
  /// The topics that the list shows. Lists of tracks, albums and artists show how the library describes them, and
  /// whether the user likes them.
  var topics: Set<Topic> {
    switch self {
    case .queue: []
    case .albums, .artists, .tracks, .album, .artist, .musicFolders, .folder: [.library, .favorites, .ratings]
    case .tags, .values: [.library]
    case .playlists: [.playlists]
    case .playlist: [.playlists, .library, .favorites, .ratings]
    case .favorites: [.favorites, .library, .ratings]
    case .history: [.history, .library, .favorites, .ratings]
    case .outputs: [.output]
    }
  }
}
