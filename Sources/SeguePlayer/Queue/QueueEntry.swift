public import SegueSystem
public import SegueWire

/// An entry of the play queue.
public struct QueueEntry: Sendable, Identifiable {
  public let id: EntryID
  /// `file://…` or a URL; a track of a cue sheet carries its range as a fragment (`MediaURI`).
  public let uri: String
  /// The order of the rows in the store: grows along the queue, with gaps.
  public internal(set) var rank: Int64
  private(set) var album: AlbumKey
  private var box: EntryInfo.Box?

  init(id: EntryID, rank: Int64, new: NewEntry) {
    self.id = id
    self.rank = rank
    uri = new.uri
    album = new.album
    box = new.box
  }

  public internal(set) var info: EntryInfo {
    get { box?.info ?? .unknown }
    set {
      box = .holding(newValue)
      album = AlbumKey(uri: uri, metadata: newValue.metadata)
    }
  }

  public var metadata: Metadata { box?.info.metadata ?? EntryInfo.unknown.metadata }
  public var duration: MediaTime? { box?.info.duration }
  public var durationKind: DurationKind? { box?.info.durationKind }
  public var failure: Failure? { box?.info.failure }
  public var probed: Bool { box?.info.probed ?? false }
}

/// What is to be put into the queue. Costs a hash of its folder's name: make it off the loop where there are many.
public struct NewEntry: Sendable {
  public let uri: String
  let album: AlbumKey
  let box: EntryInfo.Box?

  public init(uri: String, info: EntryInfo = EntryInfo()) {
    self.uri = uri
    album = AlbumKey(uri: uri, metadata: info.metadata)
    box = .holding(info)
  }

  public var info: EntryInfo { box?.info ?? .unknown }
}
