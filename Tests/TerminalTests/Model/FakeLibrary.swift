import SegueFrontend
import SegueSystem
import SegueWire

@testable import SegueTerminal

/// The library of a model's daemon, which answers requests for lists.
struct FakeLibrary {
  var tracks: [ListedTrack] = []
  var albums: [Album] = []
  var artists: [Artist] = []
  /// The error with which requests fail; nil if they succeed.
  var failure: ClientError?
  /// Whether a scan runs.
  var isScanning = false

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

  var status: LibraryStatus {
    var status = LibraryStatus()
    (status.tracks, status.albums, status.artists) = (tracks.count, albums.count, artists.count)
    (status.scanning, status.done, status.total) = (isScanning, 12, 3_000)
    return status
  }

  func answer(_ source: ListSource, _ read: ListRead) -> Result<JSON, ClientError> {
    if let failure { return .failure(failure) }
    switch source {
    case .queue: return .failure(ClientError(.failed, "the library has no queue"))
    case .albums: return page(of: albums, read)
    case .artists: return page(of: artists, read)
    case .tracks: return page(of: tracks, read)
    case .album(let id):
      guard let album = albums.first(where: { $0.id == id }) else { return Self.notFound }
      let all = tracks.filter { $0.album == album.uri }
      let part = Array(all.dropFirst(read.offset).prefix(read.limit))
      return .success(
        Interface.json(AlbumContents(album: album, tracks: part, total: all.count, offset: read.offset)))
    case .artist(let id):
      guard let artist = artists.first(where: { $0.id == id }) else { return Self.notFound }
      let all = albums.filter { $0.albumArtist == artist.name }
      let part = Array(all.dropFirst(read.offset).prefix(read.limit))
      return .success(
        Interface.json(ArtistContents(artist: artist, albums: part, total: all.count, offset: read.offset)))
    }
  }

  private static var notFound: Result<JSON, ClientError> {
    .failure(ClientError(.failed, "there is no such item", kind: "not_found"))
  }

  private func page<Item: ListItem>(of items: [Item], _ read: ListRead) -> Result<JSON, ClientError> {
    let part = Array(items.dropFirst(read.offset).prefix(read.limit))
    return .success(Interface.json(ListPage(items: part, total: items.count, offset: read.offset)))
  }
}
