public import SegueSystem
public import SegueWire

/// A page of a list.
public struct LibraryPage<Element: Sendable>: Sendable {
  public var items: [Element]
  /// The number of items in the whole list.
  public var total: Int
  public var offset: Int
}

extension LibraryPage: Equatable where Element: Equatable {}

/// A filter for a list. An item passes if it satisfies all conditions that are set.
public struct LibraryFilter: Hashable, Sendable {
  /// An artist of the track or of its album; for an album, an artist of one of its tracks.
  public var artist: Int64?
  public var album: Int64?
  /// The name of a genre, regardless of case.
  public var genre: String?
  /// Values of other tags by name, regardless of case. Years have a filter of their own.
  public var values: [LibraryTag: String] = [:]
  public var years: ClosedRange<Int>?
  /// The short name that FFmpeg has for the codec or the container (`flac`, `mp3`).
  public var format: String?
  public var addedSince: UnixTime?
  /// A range in 0…10.
  public var ratings: ClosedRange<Int>?
  public var isFavorite = false

  public init() {}
}
