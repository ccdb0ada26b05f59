public import SegueSystem

/// By what tracks can be sorted. Equal ones follow in the order of their numbers, which is about the order of the
/// folders.
public enum TrackSort: String, Sendable, CaseIterable {
  case title
  /// The artist, then the album, then its own order.
  case artist
  /// The album's title, then its artist, then its own order. What belongs to no album comes last.
  case album
  /// An unknown year is the earliest.
  case year
  /// When it was found first.
  case added
  /// Without one before 0.
  case rating
}

/// By what albums can be sorted.
public enum AlbumSort: String, Sendable, CaseIterable {
  /// The title, then the artist.
  case title
  /// The artist, then the year, then the title.
  case artist
  case year
  case added
}

/// By what favourites can be sorted.
public enum FavoriteSort: String, Sendable, CaseIterable {
  case title
  /// When it was made one.
  case date
  /// Of the release. An unknown one is the earliest.
  case year
  case rating
}

/// By what the finds of a search can be sorted.
public enum SearchSort: String, Sendable, CaseIterable {
  /// The best first.
  case best
  /// The title, or the name.
  case title
}

public enum SortOrder: String, Sendable, CaseIterable {
  case ascending, descending
}

/// A part of a long list.
public struct PageRequest: Hashable, Sendable {
  /// Both at least 0.
  public var offset: Int
  public var limit: Int

  public init(offset: Int = 0, limit: Int = 1000) {
    self.offset = max(0, offset)
    self.limit = max(0, limit)
  }
}

/// A part of a long list, and how long the list is.
public struct LibraryPage<Element: Sendable>: Sendable {
  public var items: [Element]
  public var total: Int
  public var offset: Int

  public init(items: [Element], total: Int, offset: Int) {
    self.items = items
    self.total = total
    self.offset = offset
  }
}

extension LibraryPage: Equatable where Element: Equatable {}

/// What is to be seen of a list. All that is set must hold.
public struct LibraryFilter: Hashable, Sendable {
  /// One of the artists of a track, or its album's; of an album: who is heard on it.
  public var artist: Int64?
  public var album: Int64?
  /// A genre's name, without regard to case.
  public var genre: String?
  public var years: ClosedRange<Int>?
  /// FFmpeg's short name of the codec or of the container (`flac`, `mp3`).
  public var format: String?
  public var addedSince: UnixTime?
  /// 0…10.
  public var ratings: ClosedRange<Int>?
  public var isFavorite = false

  public init() {}
}
