public import SegueSystem
public import SegueWire

/// A track as the index knows it.
public struct LibraryTrack: Equatable, Sendable {
  /// For as long as the file is known, wherever it is moved.
  public var id: Int64
  /// As `MediaURI` writes it.
  public var uri: String
  public var duration: MediaTime?
  public var durationKind: DurationKind
  public var metadata: Metadata
  public var audio: Audio
  /// nil if it names no album.
  public var album: Int64?
  public var hasCover: Bool
  public var hasLyrics: Bool
  /// When it was found first.
  public var added: UnixTime
  public var isFavorite: Bool
  /// 0…10; nil if there is none.
  public var rating: Int?
  /// Whether its folder cannot be reached.
  public var isOffline: Bool
}

/// What belongs together by its tags and folders.
public struct LibraryAlbum: Equatable, Sendable {
  /// Stays when a scan finds the same album again.
  public var id: Int64
  public var title: String
  /// nil for a compilation of several artists.
  public var albumArtist: String?
  public var year: Int?
  public var trackCount: Int
  /// At least 1.
  public var discCount: Int
  public var duration: MediaTime
  public var isCompilation: Bool
  public var added: UnixTime
  public var isFavorite: Bool

  /// `segue:album/ID`
  public var uri: String { LibraryURI.album(id).uri }
}

public struct LibraryArtist: Equatable, Sendable {
  public var id: Int64
  public var name: String
  /// On which he is heard.
  public var albumCount: Int
  public var trackCount: Int
  public var isFavorite: Bool

  /// `segue:artist/ID`
  public var uri: String { LibraryURI.artist(id).uri }
}

public struct LibraryGenre: Equatable, Sendable {
  public var name: String
  public var trackCount: Int
}

/// How much is in the index.
public struct LibraryCounts: Equatable, Sendable {
  public var tracks = 0
  public var albums = 0
  public var artists = 0
  /// Files that were looked into in vain.
  public var failed = 0
  /// Tracks that a search finds: all, but for a while after many were added.
  public var searchable = 0

  public init() {}
}

/// One hearing.
public struct Play: Equatable, Sendable {
  public var time: UnixTime
  public var uri: String
  /// nil if the index does not know it.
  public var track: LibraryTrack?
  /// The facts that were known of the track when it was played.
  public var known: PlayedFacts
}

/// The facts that are kept of a track for the lists of played tracks. The track may be missing from the index.
public struct PlayedFacts: Equatable, Sendable {
  public var title: String?
  public var artist: String?
  public var artists: [String]
  public var album: String?
  public var duration: MediaTime?
  public var durationKind: DurationKind?

  public init(_ metadata: Metadata = Metadata(), duration: MediaTime? = nil, durationKind: DurationKind? = nil) {
    title = metadata.title
    artist = metadata.artist
    artists = metadata.artists
    album = metadata.album
    self.duration = duration
    self.durationKind = durationKind
  }

  public var metadata: Metadata {
    var metadata = Metadata()
    metadata.title = title
    metadata.artist = artist
    metadata.artists = artists
    metadata.album = album
    return metadata
  }
}

/// Where listening to a long file was left.
public struct Bookmark: Equatable, Sendable {
  public var uri: String
  public var position: MediaTime
  public var time: UnixTime
}

/// A favourite: what its URI names, if it is still there.
public struct Favorite: Equatable, Sendable {
  public enum Item: Equatable, Sendable {
    case track(LibraryTrack)
    case album(LibraryAlbum)
    case artist(LibraryArtist)
    /// Not in the index, or no more: a stream, a file that is gone.
    case unknown
  }

  public var uri: String
  /// When it was made one.
  public var time: UnixTime
  public var item: Item
}
