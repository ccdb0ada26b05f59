import SegueClientKit
import SegueSystem
import SegueWire

@testable import SegueTUI

/// The library of a model's daemon, which answers requests for lists.
struct FakeLibrary {
  var tracks: [ListedTrack] = []
  var albums: [Album] = []
  var artists: [Artist] = []
  var playlists: [PlaylistInfo] = []
  /// The URIs of the entries of every playlist; nil for the first two tracks, the first of them twice.
  private var chosenEntries: [String]?
  var entryURIs: [String] {
    get { chosenEntries ?? (tracks.prefix(2) + tracks.prefix(1)).map(\.uri) }
    set { chosenEntries = newValue }
  }
  /// The titles of entries of playlists that have others than in the library, by their URIs.
  var titles: [String: String] = [:]
  /// The number of plays in the history.
  var playCount = 0
  var outputs: [OutputDevice] = []
  var chosenOutput: String?
  /// The error with which requests fail; nil if they succeed.
  var failure: ClientError?
  /// The URIs of the music folders after the first one.
  var moreFolders: [String] = []
  /// Whether a scan runs.
  var isScanning = false

  /// The albums, by their indices, that are favorites.
  var favoriteAlbums = 1...1 {
    didSet { for index in albums.indices { albums[index].favorite = favoriteAlbums.contains(index) } }
  }

  init() {}

  /// Creates a library of `albumCount` albums with three tracks each. Every second album is of the same artist.
  init(albumCount: Int) {
    let titles = ["Blue Train", "Колыбельные", "夜明け", "Zoë & Æther"]
    for index in 0..<albumCount {
      let title = index < titles.count ? titles[index] : "Album \(index + 1)"
      let artist = "Artist \(index % 2 + 1)"
      albums.append(
        Album(
          id: Int64(index + 1), uri: "segue:album/\(index + 1)", title: title, albumArtist: artist,
          year: 1960 + index % 60, trackCount: 3, discCount: 1, duration: .seconds(600), art: nil, compilation: false,
          favorite: index == 1))
      for number in 1...3 {
        var metadata = Metadata()
        (metadata.title, metadata.artist, metadata.album) = ("\(title), part \(number)", artist, title)
        metadata.track = number
        tracks.append(
          ListedTrack(
            uri: "file:///music/\(index + 1)/\(number).flac", duration: .seconds(200), durationKind: .exact,
            metadata: metadata, album: "segue:album/\(index + 1)", offline: index == 2))
      }
    }
    artists = (1...2).map {
      Artist(
        id: Int64($0), uri: "segue:artist/\($0)", name: "Artist \($0)", albumCount: albumCount / 2,
        trackCount: albumCount / 2 * 3, favorite: false)
    }
  }

  /// The version that the daemon announces.
  var version: UInt64 = 0

  var status: LibraryStatus {
    var status = LibraryStatus()
    status.version = version
    (status.tracks, status.albums, status.artists) = (tracks.count, albums.count, artists.count)
    status.folders = (["file:///music"] + moreFolders).map { LibraryStatus.Folder(uri: $0, state: .online) }
    (status.scanning, status.done, status.total) = (isScanning, 12, 3_000)
    return status
  }

  /// Returns all that the library knows about a track.
  func report(of uri: String) -> Result<JSON, ClientError> {
    guard let track = tracks.first(where: { $0.uri == uri }) else {
      return .failure(ClientError(.failed, "not in the library", kind: "not_found"))
    }
    let audio = Audio(
      codec: "flac", container: "flac", sampleRate: 44_100, channels: 2, bitDepth: 16, bitRate: 900_000,
      lossless: true, gapless: .exact)
    return .success(Interface.json(TrackReport(track: track, audio: audio)))
  }

  var playlistNames: JSON {
    Interface.json {
      $0.key("playlists")
      $0.beginArray()
      for playlist in playlists { playlist.encode(into: &$0) }
      $0.endArray()
    }
  }

  func answer(_ source: ListSource, _ read: ListRead) -> Result<JSON, ClientError> {
    if let failure { return .failure(failure) }
    switch source {
    case .queue: return .failure(ClientError(.failed, "the library has no queue"))
    case .albums(let order, let value):
      let albums = albums.filter { album in
        value.flatMap(\.years).map { $0.years.contains(album.year ?? 0) } ?? true
      }
      return page(of: order == .year ? albums.sorted { ($0.year ?? 0) > ($1.year ?? 0) } : albums, read)
    case .values(let tag): return page(of: values(tag), read)
    case .artists: return page(of: artists, read)
    case .tracks: return page(of: tracks, read)
    case .album(let id):
      guard let album = albums.first(where: { $0.id == id }) else { return Self.notFound }
      let all = tracks.filter { $0.album == album.uri }
      let part = Array(all.dropFirst(read.offset).prefix(read.limit))
      return .success(
        Interface.json(AlbumContents(album: album, tracks: part, total: all.count, offset: read.offset)))
    case .musicFolders, .tags: return .success(Interface.json(status))
    case .folder(let uri): return .success(Interface.json(contents(of: uri, read)))
    case .playlists: return page(of: playlists, read)
    case .playlist: return page(of: entries, read)
    case .favorites(let kind, let order): return .success(Interface.json(favorites(kind, order)))
    case .history(let order):
      let plays = tracks.prefix(playCount).enumerated().map {
        PlayedTrack(
          time: UnixTime(nanoseconds: 1_700_000_000_000_000_000 - Int64($0) * 60_000_000_000), plays: playCount - $0,
          track: $1)
      }
      return page(of: order == .plays ? Array(plays.prefix(2)) : Array(plays), read)
    case .outputs: return .success(Interface.json(OutputList(outputs: outputs, chosen: chosenOutput)))
    case .artist(let id):
      guard let artist = artists.first(where: { $0.id == id }) else { return Self.notFound }
      let all = albums.filter { $0.albumArtist == artist.name }
      let part = Array(all.dropFirst(read.offset).prefix(read.limit))
      return .success(
        Interface.json(ArtistContents(artist: artist, albums: part, total: all.count, offset: read.offset)))
    }
  }

  /// The values of a tag. Every track has the genre and the composer.
  private func values(_ tag: LibraryTag) -> [TagValue] {
    func value(_ name: String, _ uri: String, _ albums: [Album]) -> TagValue {
      TagValue(name: name, uri: uri, albumCount: albums.count, trackCount: albums.count * 3)
    }
    if albums.isEmpty { return [] }
    switch tag {
    case .genre: return [value("Jazz", "segue:genre/Jazz", albums)]
    case .composer: return [value("J. S. Bach", "segue:composer/J.%20S.%20Bach", albums)]
    case .albumArtist:
      return artists.map { artist in
        value(artist.name, "segue:albumArtist/\(artist.name)", albums.filter { $0.albumArtist == artist.name })
      }
    case .year, .decade:
      let unit = tag == .year ? 1 : 10
      let years = Dictionary(grouping: albums) { ($0.year ?? 0) / unit * unit }
      return years.sorted { $0.key > $1.key }.map { year, albums in
        value(tag == .year ? "\(year)" : "\(year)s", "segue:\(tag.rawValue)/\(year)", albums)
      }
    case .conductor, .work: return []
    }
  }

  private static var notFound: Result<JSON, ClientError> {
    .failure(ClientError(.failed, "there is no such item", kind: "not_found"))
  }

  /// The entries of every playlist.
  private var entries: [ListedTrack] {
    entryURIs.enumerated().map { index, uri in
      var entry =
        tracks.first { $0.uri == uri }
        ?? ListedTrack(uri: uri, duration: .seconds(200), durationKind: .exact, metadata: Metadata())
      entry.metadata.title = titles[uri] ?? entry.metadata.title
      entry.index = index
      return entry
    }
  }

  private func favorites(_ kind: LibraryKind, _ order: FavoriteSort) -> FoundItems {
    switch kind {
    case .track:
      let found = Array(tracks.prefix(3))
      return FoundItems(tracks: order == .title ? found : found.reversed(), total: found.count)
    case .album: return FoundItems(albums: albums.filter(\.favorite), total: albums.count { $0.favorite })
    case .artist: return FoundItems()
    }
  }

  /// The folders of the albums are in the music folder.
  private func contents(of uri: String, _ read: ListRead) -> FolderContents {
    guard uri == "file:///music" else {
      let found = tracks.filter { $0.uri.hasPrefix(uri + "/") }
      return FolderContents(tracks: found, total: found.count)
    }
    let folders = albums.indices.map { LibraryFolder(uri: "file:///music/\($0 + 1)", offline: $0 == 2) }
    let single = tracks.filter { !$0.uri.dropFirst(uri.utf8.count + 1).contains("/") }
    let part = Array(folders.dropFirst(read.offset).prefix(read.limit))
    let rest = single.dropFirst(max(0, read.offset - folders.count)).prefix(read.limit - part.count)
    return FolderContents(
      folders: part, tracks: Array(rest), total: folders.count + single.count, offset: read.offset)
  }

  private func page<CatalogItem: ListItem>(of items: [CatalogItem], _ read: ListRead) -> Result<JSON, ClientError> {
    let part = Array(items.dropFirst(read.offset).prefix(read.limit))
    return .success(Interface.json(ListPage(items: part, total: items.count, offset: read.offset)))
  }
}
