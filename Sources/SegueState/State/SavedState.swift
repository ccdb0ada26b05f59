public import SegueSystem
public import SegueWire

/// The state that survives a restart of the daemon.
public struct SavedState: Equatable, Sendable {
  /// The entries in the order of the queue.
  public var entries: [SavedEntry] = []
  public var queueOrigin = QueueOrigin.none
  /// The changes of the queue that can be undone or redone, in the order in which they were made.
  public var history: [SavedStep] = []
  /// The next id to assign.
  public var nextID: UInt64 = 1
  public var modes = SavedModes()
  /// The order in which a shuffled queue is played. It is empty without shuffle.
  public var order = SavedShuffleOrder()
  public var playhead = SavedPlayhead()
  public var volume = SavedVolume()
  public var sleep: SavedSleep?
  public var speed = PlaybackSpeed.normal
  /// The settings that were changed while the daemon ran, by name.
  public var settings: [String: SavedSetting] = [:]

  /// The last searches in online catalogues, the newest first.
  public var onlineSearches: [String] = []

  public init() {}

  /// Skips ids that clients may have seen although an interrupted addition did not write them to the file. An addition
  /// has fewer than a million entries.
  mutating func skipIDs() { nextID += 1 << 20 }

  /// Records that there was a queue and that it is lost. Its ids must not be assigned again. The new ids begin at the
  /// number of milliseconds since 1970, since no daemon assigns one id per millisecond.
  public mutating func markQueueLost() {
    queueOrigin = .user
    nextID = UInt64(max(1, UnixTime.now.nanoseconds / 1_000_000))
  }
}

/// The origin of the entries in the queue.
public enum QueueOrigin: Equatable, Sendable {
  /// There has never been a queue.
  case none
  /// The daemon put the music folders into an empty queue by itself. The ids are those of the entries that the user has
  /// not requested since.
  case daemon(RangeSet<UInt64>)
  /// The user has added something to an empty queue, has emptied it, or has requested everything that the daemon put
  /// there.
  case user
}

/// A row of the queue.
public struct SavedEntry: Equatable, Sendable {
  public var id: UInt64
  /// The sort key of the entry in the queue.
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

/// The playback position and state.
public struct SavedPlayhead: Equatable, Sendable {
  /// The id of the current entry.
  public var entry: UInt64?
  public var position: MediaTime
  public var state: PlayState
  /// The time to which the values belong.
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
  /// The volume, 0…100.
  public var level: Int
  public var muted: Bool
  /// The relations between the channels in the representation of the sink; nil if all channels are equal.
  public var balance: String?

  public init(level: Int = 100, muted: Bool = false, balance: String? = nil) {
    self.level = level
    self.muted = muted
    self.balance = balance
  }
}

/// The value of a setting that was changed while the daemon ran, in the syntax of `segue.conf`.
public struct SavedSetting: Equatable, Sendable {
  public var value: String
  /// The value in the configuration at that time, or nil if it is unknown.
  public var replaced: String?
}

/// The time or event at which playback stops by itself.
public enum SavedSleep: Equatable, Sendable {
  case at(UnixTime)
  case after(End)

  /// The item at whose end playback stops.
  public enum End: String, Sendable, CaseIterable {
    case track, album, queue
  }
}
