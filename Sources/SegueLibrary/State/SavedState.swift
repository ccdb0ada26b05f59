public import SegueSystem
public import SegueWire

/// All that outlives the daemon.
public struct SavedState: Equatable, Sendable {
  /// In the queue's order.
  public var entries: [SavedEntry] = []
  public var beginning = QueueOrigin.none
  /// The next id to give out.
  public var nextID: UInt64 = 1
  public var modes = SavedModes()
  public var playhead = SavedPlayhead()
  public var volume = SavedVolume()
  public var sleep: SavedSleep?
  /// Those that were chosen, by name.
  public var settings: [String: SavedSetting] = [:]

  public init() {}

  /// An addition that was cut off may have shown numbers that never reached the file: they are not given out again.
  /// Nobody adds a million at once.
  mutating func skipIDs() { nextID += 1 << 20 }

  /// Records that there was a queue and that it is lost. Its ids must not be given out again; no daemon gives out one a
  /// millisecond, so the new ones begin at the time.
  public mutating func noteLoss() {
    beginning = .user
    nextID = UInt64(max(1, UnixTime.now.nanoseconds / 1_000_000))
  }
}

/// The origin of the entries in the queue.
public enum QueueOrigin: Equatable, Sendable {
  /// There has never been a queue.
  case none
  /// The daemon put the music folders into an empty queue by itself. The ids are those of the entries that the user has
  /// not named since.
  case filling(RangeSet<UInt64>)
  /// The user has added something to an empty queue, has emptied it, or has named everything that the daemon put there.
  case user
}

/// A row of the queue.
public struct SavedEntry: Equatable, Sendable {
  public var id: UInt64
  /// Its place: rows are in ascending order of it.
  public var rank: Int64
  public var uri: String
  public var duration: MediaTime?
  public var durationKind: DurationKind?
  public var metadata: Metadata
  /// Why the entry was skipped, or was not played to its end.
  public var failure: Failure?
  public var probed: Bool

  public init(
    id: UInt64, rank: Int64, uri: String, duration: MediaTime? = nil, durationKind: DurationKind? = nil,
    metadata: Metadata = Metadata(), failure: Failure? = nil, probed: Bool = false
  ) {
    self.id = id
    self.rank = rank
    self.uri = uri
    self.duration = duration
    self.durationKind = durationKind
    self.metadata = metadata
    self.failure = failure
    self.probed = probed
  }
}

public struct SavedModes: Equatable, Sendable {
  public var repeatMode: RepeatMode
  public var shuffle: ShuffleMode
  public var consume: Bool

  public init(repeatMode: RepeatMode = .all, shuffle: ShuffleMode = .off, consume: Bool = false) {
    self.repeatMode = repeatMode
    self.shuffle = shuffle
    self.consume = consume
  }
}

/// Where playing stood.
public struct SavedPlayhead: Equatable, Sendable {
  /// The current entry's id.
  public var entry: UInt64?
  public var position: MediaTime
  public var state: PlayState
  /// When this was true.
  public var time: UnixTime

  public init(
    entry: UInt64? = nil, position: MediaTime = .zero, state: PlayState = .stopped,
    time: UnixTime = UnixTime(nanoseconds: 0)
  ) {
    self.entry = entry
    self.position = position
    self.state = state
    self.time = time
  }
}

public struct SavedVolume: Equatable, Sendable {
  /// 0…100.
  public var level: Int
  public var muted: Bool

  public init(level: Int = 100, muted: Bool = false) {
    self.level = level
    self.muted = muted
  }
}

/// What a setting was set to while the daemon ran, as `segue.conf` would have it.
public struct SavedSetting: Equatable, Sendable {
  public var value: String
  /// What the configuration said then; nil where that is not known.
  public var instead: String?

  public init(value: String, instead: String?) {
    self.value = value
    self.instead = instead
  }
}

/// When playing is to stop by itself.
public enum SavedSleep: Equatable, Sendable {
  case at(UnixTime)
  case after(Mark)

  /// The end of what is being played.
  public enum Mark: String, Sendable, CaseIterable {
    case track, album, queue
  }
}
