/// An element of a `ListPage`.
public protocol ListItem: JSONEncodable, JSONDecodable {
  /// The name of the page's member that contains the elements.
  static var listName: StaticString { get }
}

extension ListedTrack: ListItem { public static var listName: StaticString { "tracks" } }
extension Album: ListItem { public static var listName: StaticString { "albums" } }
extension Artist: ListItem { public static var listName: StaticString { "artists" } }
extension Genre: ListItem { public static var listName: StaticString { "genres" } }
extension PlayedTrack: ListItem { public static var listName: StaticString { "plays" } }
extension PlaylistInfo: ListItem { public static var listName: StaticString { "playlists" } }
extension URIFailure: ListItem { public static var listName: StaticString { "failures" } }

/// A request for a page of a list.
public struct PageRequest: Hashable, Sendable {
  /// At least 0, like `limit`.
  public var offset: Int
  public var limit: Int

  public init(offset: Int = 0, limit: Int = 1000) {
    self.offset = max(0, offset)
    self.limit = max(0, limit)
  }
}

/// A page of a long list: `{tracks[] | albums[] | …, total, offset}`.
public struct ListPage<Item: ListItem>: JSONEncodable, JSONDecodable {
  public var items: [Item]
  /// The length of the whole list.
  public var total: Int
  public var offset: Int

  public init(items: [Item], total: Int, offset: Int) {
    self.items = items
    self.total = total
    self.offset = offset
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    encodeMembers(into: &json)
    json.endObject()
  }

  /// Writes the members of the page into an object that has further members.
  func encodeMembers(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.member(Item.listName, items, within: &room)
    json.member("total", total)
    json.member("offset", offset)
  }

  public init(_ json: JSON) {
    items = json.list("\(Item.listName)")
    total = json["total"]?.int ?? 0
    offset = json["offset"]?.int ?? 0
  }
}

extension ListPage: Equatable where Item: Equatable {}

/// The result of `library.random`.
public struct TrackList: Equatable, JSONEncodable, JSONDecodable {
  public var tracks: [ListedTrack]

  public init(tracks: [ListedTrack]) { self.tracks = tracks }

  public func encode(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.beginObject()
    json.member("tracks", tracks, within: &room)
    json.endObject()
  }

  public init(_ json: JSON) { tracks = json.list("tracks") }
}

/// The result of `library.album`.
public struct AlbumContents: Equatable, JSONEncodable, JSONDecodable {
  public var album: Album
  /// A page of the tracks, ordered by disc, number and name.
  public var tracks: [ListedTrack]
  /// The number of all tracks of the album.
  public var total: Int
  public var offset: Int

  public init(album: Album, tracks: [ListedTrack], total: Int? = nil, offset: Int = 0) {
    self.album = album
    self.tracks = tracks
    self.total = total ?? tracks.count
    self.offset = offset
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("album", album)
    ListPage(items: tracks, total: total, offset: offset).encodeMembers(into: &json)
    json.endObject()
  }

  public init(_ json: JSON) {
    album = Album(json["album"] ?? json)
    let page = ListPage<ListedTrack>(json)
    (tracks, total, offset) = (page.items, page.total, page.offset)
  }
}

/// The result of `library.artist`.
public struct ArtistContents: Equatable, JSONEncodable, JSONDecodable {
  public var artist: Artist
  /// A page of the albums that contain the artist, ordered by year.
  public var albums: [Album]
  /// The number of all albums.
  public var total: Int
  public var offset: Int

  public init(artist: Artist, albums: [Album], total: Int? = nil, offset: Int = 0) {
    self.artist = artist
    self.albums = albums
    self.total = total ?? albums.count
    self.offset = offset
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("artist", artist)
    ListPage(items: albums, total: total, offset: offset).encodeMembers(into: &json)
    json.endObject()
  }

  public init(_ json: JSON) {
    artist = Artist(json["artist"] ?? json)
    let page = ListPage<Album>(json)
    (albums, total, offset) = (page.items, page.total, page.offset)
  }
}
