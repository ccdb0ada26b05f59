public import SegueSystem
public import SegueWire

/// An identifier of an entry of the play queue. It stays the same across restarts, and is never reused.
public struct EntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: UInt64

  public init(_ number: UInt64) { self.number = number }

  public static func < (a: EntryID, b: EntryID) -> Bool { a.number < b.number }

  public var description: String { "\(number)" }
}

extension PlayQueue {
  /// An entry of the play queue.
  public struct Entry: Sendable, Identifiable {
    public let id: EntryID
    /// `file://…` or a URL; a track of a cue sheet has its range as a fragment (`MediaURI`).
    public let uri: String
    /// The order of the rows in the database: it ascends along the queue, with gaps.
    public let rank: Int64
    let album: AlbumKey
    let box: EntryInfo.Box?

    init(id: EntryID, rank: Int64, new: NewEntry) {
      self.id = id
      self.rank = rank
      uri = new.uri
      album = new.album
      box = new.box
    }

    /// Creates the entry of a record. `album`: its key; nil to find it by the URI and the information.
    init(_ record: EntryStore.Record, rank: Int64, album: AlbumKey? = nil) {
      id = EntryID(record.id)
      self.rank = rank
      uri = record.uri
      box = record.box
      self.album = album ?? AlbumKey(uri: record.uri, metadata: record.box?.info.metadata ?? EntryInfo.unknown.metadata)
    }

    public var info: EntryInfo { box?.info ?? .unknown }
    public var metadata: Metadata { box?.info.metadata ?? EntryInfo.unknown.metadata }
    public var duration: MediaTime? { box?.info.duration }
    public var durationKind: DurationKind? { box?.info.durationKind }
    public var failure: Failure? { box?.info.failure }
    public var probed: Bool { box?.info.probed ?? false }
  }
}

/// An entry to be inserted into the queue. Creating one hashes the name of its folder: many should be created on
/// another thread.
public struct NewEntry: Sendable {
  public let uri: String
  let album: AlbumKey
  let box: EntryInfo.Box?

  init(uri: String, info: EntryInfo = EntryInfo()) {
    self.uri = uri
    album = AlbumKey(uri: uri, metadata: info.metadata)
    box = .holding(info)
  }

  public var info: EntryInfo { box?.info ?? .unknown }
}

/// The information about an entry: that of a playlist at first, then what a worker has found.
public struct EntryInfo: Equatable, Sendable {
  public var metadata = Metadata()
  /// The duration of the track; nil while unknown.
  public var duration: MediaTime?
  public var durationKind: DurationKind?
  /// The reason for which the entry cannot be played, or was truncated.
  public var failure: Failure?
  /// Whether a worker has probed the entry, with any outcome.
  public var probed = false

  static let unknown = EntryInfo()

  /// An `EntryInfo` on the heap, so that moving an entry is cheap; shared, and never changed.
  final class Box: Sendable {
    let info: EntryInfo

    init(_ info: EntryInfo) { self.info = info }

    /// Returns nil for unknown information: a hundred thousand unprobed entries need no boxes.
    static func holding(_ info: EntryInfo) -> Box? { info == .unknown ? nil : Box(info) }
  }
}
