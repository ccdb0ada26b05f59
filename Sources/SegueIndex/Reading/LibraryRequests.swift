public import SegueSystem

/// An order of tracks. Equal tracks are in the order of their ids, which is about the order of the folders.
public enum TrackSort: String, Sendable, CaseIterable {
  case title
  /// The order by artist, then album, then position in the album.
  case artist
  /// The order by the title of the album, then its artist, then position in the album. Tracks without an album come
  /// last.
  case album
  /// The order by year. An unknown year precedes all others.
  case year
  /// The order by the time at which the track was added to the index.
  case added
  /// The order by rating. Tracks without a rating precede those with rating 0.
  case rating
  /// A random order, which is another one for each page.
  case random
}

/// An order of albums.
public enum AlbumSort: String, Sendable, CaseIterable {
  /// The order by title, then artist.
  case title
  /// The order by artist, then year, then title.
  case artist
  case year
  case added
  /// A random order, which is another one for each page.
  case random
}

/// An order of favorites.
public enum FavoriteSort: String, Sendable, CaseIterable {
  case title
  /// The order by the time at which the item became a favorite.
  case date
  /// The order by the year of the release. An unknown year precedes all others.
  case year
  case rating
}

/// An order of the history.
public enum HistorySort: String, Sendable, CaseIterable {
  /// All plays, by time.
  case time
  /// Every played track once, by the number of its plays, then by the time of the last one.
  case plays
}

/// An order of search results. If the items of a kind do not have an order, they are sorted by title.
public enum SearchSort: String, Sendable, CaseIterable {
  /// The order by rank, the best first.
  case best
  /// The order by title or name.
  case title
  /// The orders of `TrackSort` and `AlbumSort`.
  case artist, album, year, added, rating
  /// A random order, which is another one for each page.
  case random
}

public enum SortOrder: String, Sendable, CaseIterable {
  case ascending, descending
}

/// A page of a list.
public struct LibraryPage<Element: Sendable>: Sendable {
  public var items: [Element]
  /// The number of items in the whole list.
  public var total: Int
  public var offset: Int

  public init(items: [Element], total: Int, offset: Int) {
    self.items = items
    self.total = total
    self.offset = offset
  }
}

extension LibraryPage: Equatable where Element: Equatable {}

/// A filter for a list. An item passes if it satisfies all conditions that are set.
public struct LibraryFilter: Hashable, Sendable {
  /// An artist of the track or of its album; for an album, an artist of one of its tracks.
  public var artist: Int64?
  public var album: Int64?
  /// The name of a genre, regardless of case.
  public var genre: String?
  public var years: ClosedRange<Int>?
  /// The short name that FFmpeg has for the codec or the container (`flac`, `mp3`).
  public var format: String?
  public var addedSince: UnixTime?
  /// A range in 0…10.
  public var ratings: ClosedRange<Int>?
  public var isFavorite = false

  public init() {}
}
