public import SegueFiles
public import SegueSystem
public import SegueWire

/// A track of the index.
public struct LibraryTrack: Equatable, Sendable {
  /// The id, which stays the same when the file is moved.
  public var id: Int64
  /// The URI as `MediaURI` writes it.
  public var uri: String
  public var duration: MediaTime?
  public var durationKind: DurationKind
  public var metadata: Metadata
  public var audio: Audio
  /// The album, or nil if the track names none.
  public var album: Int64?
  public var hasCover: Bool
  public var hasLyrics: Bool
  /// The time at which the track was added to the index.
  public var added: UnixTime
  public var isFavorite: Bool
  /// The rating, 0…10, or nil if there is none.
  public var rating: Int?
  /// Whether the folder of the track is not available.
  public var isOffline: Bool
}

/// An album of the index: tracks that belong together by their tags and folders.
public struct LibraryAlbum: Equatable, Sendable {
  /// The id, which stays the same when a scan finds the same album again.
  public var id: Int64
  public var title: String
  /// The album artist, or nil for a compilation.
  public var albumArtist: String?
  public var year: Int?
  public var trackCount: Int
  /// The number of discs, at least 1.
  public var discCount: Int
  public var duration: MediaTime
  public var isCompilation: Bool
  public var added: UnixTime
  public var isFavorite: Bool

  /// The URI `segue:album/ID`.
  public var uri: String { LibraryURI.album(id).uri }

  public var identity: AlbumIdentity { AlbumIdentity(id: id, title: title, albumArtist: albumArtist, year: year) }
}

public struct LibraryArtist: Equatable, Sendable {
  public var id: Int64
  public var name: String
  /// The number of albums with tracks of the artist.
  public var albumCount: Int
  public var trackCount: Int
  public var isFavorite: Bool

  /// The URI `segue:artist/ID`.
  public var uri: String { LibraryURI.artist(id).uri }
}

public struct LibraryGenre: Equatable, Sendable {
  public var name: String
  public var trackCount: Int
}

/// A value of a tag by which the library is browsed.
public struct LibraryValue: Equatable, Sendable {
  /// The value with its tag.
  public var item: LibraryURI
  /// The name; for a decade, such as `1990s`.
  public var name: String
  public var albumCount: Int
  public var trackCount: Int
}

/// The numbers of items in the index.
public struct LibraryCounts: Equatable, Sendable {
  public var tracks = 0
  public var albums = 0
  public var artists = 0
  /// The number of files that could not be read.
  public var failed = 0
  /// The number of tracks that a search finds: all, except for a while after many were added.
  public var searchable = 0

  public init() {}
}

/// A play in the history.
public struct Play: Equatable, Sendable {
  public var time: UnixTime
  public var uri: String
  /// The number of plays of the track in the whole history.
  public var count: Int
  /// The track, or nil if the index does not have it.
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

/// The point at which playback of a long track was left.
public struct ResumePoint: Equatable, Sendable {
  public var position: MediaTime
  /// The speed at which the track was played; nil if it is unknown.
  public var speed: PlaybackSpeed?

  public init(position: MediaTime, speed: PlaybackSpeed? = nil) {
    self.position = position
    self.speed = speed
  }
}

/// The bookmark of a long track.
public struct Bookmark: Equatable, Sendable {
  public var uri: String
  public var point: ResumePoint
  public var time: UnixTime
}

/// The facts that are kept of a favorite that is an item of an online catalogue.
public struct FavoriteFacts: Equatable, Sendable {
  public var metadata: Metadata
  /// The rating by the users of the catalogue, 0…10; nil without one.
  public var rating: Double?
  /// The sort key of the title; empty if it is unknown.
  public var titleKey: [UInt8]

  public init(_ metadata: Metadata = Metadata(), rating: Double? = nil, titleKey: [UInt8] = []) {
    self.metadata = metadata
    self.rating = rating
    self.titleKey = titleKey
  }
}

/// A favorite, with the item that its URI names if the index has it.
public struct Favorite: Equatable, Sendable {
  public enum Item: Equatable, Sendable {
    case track(LibraryTrack)
    case album(LibraryAlbum)
    case artist(LibraryArtist)
    /// An item that is not, or no longer, in the index: a stream, a missing file.
    case unknown
  }

  public var uri: String
  /// The time at which it became a favorite.
  public var time: UnixTime
  public var item: Item
  /// The facts about the item that are stored because the index does not have it: the name of a station, or those that
  /// an online catalogue states.
  public var metadata = Metadata()
}
