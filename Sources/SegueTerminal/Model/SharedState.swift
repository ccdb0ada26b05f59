internal import SegueFrontend
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
  var queue = ListWindow<Track>(lengthFrom: .announcements)
  /// The last state of the library; nil before the first one.
  private(set) var library: LibraryStatus?
  /// The settings of the daemon; empty without a connection.
  var settings: [SettingReport] = []
  /// The version of the library, the favourites and the playlists. It grows when they may have changed; lists of an earlier
  /// version are read again.
  private(set) var libraryVersion: UInt64 = 1
  var lyrics = TrackAddition<Lyrics>()
  var covers = CoverStore()
  /// The terminal if it displays pictures.
  var graphics: GraphicsTerminal?
  /// The place on the progress bar to which the mouse is dragged, from 0 to 1.
  var dragged: Double?
  /// The time of the last event.
  var now: MonotonicTime

  init(size: ScreenSize, appearance: Appearance, configuration: InterfaceConfiguration, now: MonotonicTime) {
    (self.size, self.appearance, self.configuration, self.now) = (size, appearance, configuration, now)
  }

  /// Takes over a new state of the library. The progress of a scan alone changes no list.
  mutating func update(_ library: LibraryStatus) {
    func contents(_ status: LibraryStatus?) -> [Int?] { [status?.tracks, status?.albums, status?.artists] }
    if contents(library) != contents(self.library) || library.scanning != self.library?.scanning
      || library.error != self.library?.error
    {
      markLibraryOutdated()
    }
    self.library = library
  }

  /// Takes over a new state of the player.
  mutating func update(_ status: Status) {
    // A track that has played is in the history.
    if status.output.device != self.status?.output.device || status.track?.id != self.status?.track?.id {
      markLibraryOutdated()
    }
    self.status = status
  }

  /// The version of the queue that the daemon has announced last.
  private var announcedQueueVersion: UInt64?

  /// Remembers the version of the queue at the time of the subscription.
  mutating func beginAnnouncements(at version: UInt64) { announcedQueueVersion = version }

  /// Takes over an announcement of the queue. If the version is the same as in the last one, facts about its entries have
  /// changed, such as whether they are favourites, and those of the library with them.
  mutating func announceQueue(version: UInt64, length: Int) {
    if version == announcedQueueVersion {
      queue.markFactsOutdated()
      markLibraryOutdated()
    }
    announcedQueueVersion = version
    queue.update(version: version, length: length)
  }

  /// Has all lists of the library, the favourites and the playlists read again.
  mutating func markLibraryOutdated() {
    libraryVersion += 1
    covers.forgetMissing()
  }

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
    appearance.isColored ? Palette(configuration.theme, background: background) : .monochrome
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

  /// The time at which the position reaches the next second; nil if the clock stands still.
  var nextSecond: MonotonicTime? {
    guard showsClock, let status, status.rate > 0, let position = status.position(at: now) else { return nil }
    if status.durationKind == .exact, position == status.duration { return nil }
    return now + MediaTime(nanoseconds: 1_000_000_000 - position.nanoseconds % 1_000_000_000)
  }

  /// The symbol of the playback state.
  var symbol: String {
    switch status?.state ?? .stopped {
    case .playing: appearance.playing
    case .paused: appearance.paused
    case .stopped: appearance.stopped
    }
  }

  /// The entry that plays after the current one, if the modes determine it and it is loaded.
  var nextTrack: Track? {
    guard let status, let index = status.index, status.length > 0 else { return nil }
    if status.repeatMode == .one { return status.track }
    guard status.shuffle == .off else { return nil }
    if index + 1 < status.length { return queue.element(at: index + 1) }
    return status.repeatMode == .all ? queue.element(at: 0) : nil
  }
}

/// Something that is requested for the current track, such as its lyrics.
struct TrackAddition<Value> {
  private enum Content {
    case requested
    /// There is none.
    case missing
    case loaded(Value)
  }

  private var content: (uri: String, content: Content)?

  /// Returns whether nothing was requested for a track, and remembers that it is requested now.
  mutating func request(_ uri: String) -> Bool {
    if content?.uri == uri { return false }
    content = (uri, .requested)
    return true
  }

  /// Takes over the response; nil if there is none. Responses for earlier tracks are dropped.
  mutating func receive(_ value: Value?, for uri: String) {
    guard content?.uri == uri else { return }
    content = (uri, value.map(Content.loaded) ?? .missing)
  }

  mutating func reset() { content = nil }

  /// Returns the value for a track if it is loaded.
  func value(for uri: String?) -> Value? {
    guard let content, content.uri == uri, case .loaded(let value) = content.content else { return nil }
    return value
  }
}
