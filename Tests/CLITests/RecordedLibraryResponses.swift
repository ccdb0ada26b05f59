import SegueSystem
import SegueWire

/// Responses of a daemon with a small library, including malicious tags.
enum RecordedLibraryResponses {
  static func track(
    _ title: String, _ artist: String? = nil, album: String? = nil, year: Int? = nil, seconds: Double? = 201,
    change: (inout ListedTrack) -> Void = { _ in }
  ) -> ListedTrack {
    var metadata = Metadata()
    metadata.title = title
    metadata.artist = artist
    metadata.album = album
    metadata.year = year
    var track = ListedTrack(
      uri: "file:///music/\(FileURI.percentEncoded(title)).flac", duration: seconds.map { MediaTime(seconds: $0) },
      durationKind: .exact, metadata: metadata)
    change(&track)
    return track
  }

  static func album(
    _ id: Int64, _ title: String, _ artist: String?, year: Int?, tracks: Int, discs: Int = 1, favorite: Bool = false
  ) -> Album {
    Album(
      id: id, uri: "segue:album/\(id)", title: title, albumArtist: artist, year: year, trackCount: tracks,
      discCount: discs, duration: .seconds(2745), art: nil, compilation: artist == nil, favorite: favorite)
  }

  static func artist(_ id: Int64, _ name: String, albums: Int, tracks: Int) -> Artist {
    Artist(id: id, uri: "segue:artist/\(id)", name: name, albumCount: albums, trackCount: tracks, favorite: false)
  }

  static let tracks = [
    track("So What", "Miles Davis", album: "Kind of Blue", year: 1959, seconds: 562) {
      $0.favorite = true
      $0.rating = 9
    },
    track("日本語のタイトルはとても長いので途中で切らなければならない", "坂本龍一", album: "音楽図鑑", year: 1984),
    track("e\u{301}tude 👩‍👩‍👧‍👦 שלום עולם", "Ноль", album: "Песня", seconds: 3723) { $0.offline = true },
    track("\u{1B}[31mred\u{7}\nevil\u{9B}\u{202E}", "a\tb", album: "\u{1B}]0;c\u{7}", seconds: nil),
    track("Broken", nil) { $0.error = "no audio in it" },
    track(String(repeating: "long ", count: 60), String(repeating: "name ", count: 60), album: "x"),
  ]

  static let albums = [
    album(12, "Kind of Blue", "Miles Davis", year: 1959, tracks: 5, favorite: true),
    album(7, "Музыка из фильмов", nil, year: nil, tracks: 1),
    album(1_000_000, "音楽図鑑 \u{1B}[2J", "坂本龍一", year: 1984, tracks: 11, discs: 2),
  ]

  static let artists = [
    artist(3, "Miles Davis", albums: 1, tracks: 5), artist(41, "坂本龍一\u{7}", albums: 12, tracks: 130),
  ]

  static let genres = [
    Genre(name: "Jazz", uri: "segue:genre/Jazz", trackCount: 5),
    Genre(name: "Drum & Bass", uri: "segue:genre/Drum%20%26%20Bass", trackCount: 1),
    Genre(name: "Acid Jazz", uri: "segue:genre/Acid%20Jazz", trackCount: 0),
  ]

  static let values = [
    TagValue(name: "C. P. E. Bach", uri: "segue:composer/C.%20P.%20E.%20Bach", albumCount: 1, trackCount: 12),
    TagValue(name: "J. S. Bach", uri: "segue:composer/J.%20S.%20Bach", albumCount: 3, trackCount: 41),
    TagValue(name: "Чайковский\u{7}", uri: "segue:composer/%D0%A7", albumCount: 0, trackCount: 1),
  ]

  static let playlists = [
    PlaylistInfo(
      name: "Утро", uri: "segue:playlist/%D0%A3", trackCount: 3, duration: .seconds(700),
      modified: UnixTime(nanoseconds: 1_700_000_000_000_000_000))
  ]

  static let plays = [
    PlayedTrack(time: UnixTime(nanoseconds: 1_700_000_000_500_000_000), plays: 2, track: tracks[0]),
    PlayedTrack(time: UnixTime(nanoseconds: 1_600_000_000_000_000_000), plays: 1, track: tracks[3]),
  ]

  static func status(_ change: (inout LibraryStatus) -> Void = { _ in }) -> LibraryStatus {
    var status = LibraryStatus()
    (status.tracks, status.albums, status.artists, status.failed) = (6, 3, 1, 2)
    status.searchable = 6
    status.folders = [
      .init(uri: "file:///music", state: .online), .init(uri: "file:///mnt/%1B%5B2J", state: .offline),
    ]
    change(&status)
    return status
  }

  static let failures = [
    URIFailure(uri: "file:///music/a%20b.mp3", failure: Failure(.unplayable, "no audio in it")),
    URIFailure(uri: "file:///music/c.ogg", failure: Failure(.denied, "\u{1B}permission denied")),
  ]

  /// Returns the page of `items` for the parameters of a request.
  static func page<CatalogItem: ListItem>(_ items: [CatalogItem], _ parameters: String) -> String {
    let request = try? JSON(parsing: parameters)
    let offset = min(request?["offset"]?.int ?? 0, items.count)
    let end = min(offset + min(request?["limit"]?.int ?? 1000, 1000), items.count)
    return RecordedResponses.json(ListPage(items: Array(items[offset..<end]), total: items.count, offset: offset))
  }

  /// Returns the response to a search, which matches all items of the requested kind.
  static func found(_ parameters: String, correction: String? = nil) -> String {
    let kind = (try? JSON(parsing: parameters))?["type"]?.string
    let offset = (try? JSON(parsing: parameters))?["offset"]?.int ?? 0
    var items = FoundItems(offset: offset)
    if kind ?? "track" == "track" { items.tracks = Array(tracks.dropFirst(offset)) }
    if kind ?? "album" == "album" { items.albums = Array(albums.dropFirst(offset)) }
    if kind ?? "artist" == "artist" { items.artists = Array(artists.dropFirst(offset)) }
    items.total = items.tracks.count + items.albums.count + items.artists.count + offset
    return RecordedResponses.json(SearchAnswer(found: items, exact: true, correction: correction))
  }

  /// The script of a daemon with this library.
  static let standard: StubDaemon.Script = { method, parameters in
    switch method {
    case "library.tracks", "playlists.load": [.result(page(tracks, parameters))]
    case "library.albums": [.result(page(albums, parameters))]
    case "library.artists": [.result(page(artists, parameters))]
    case "library.genres": [.result(page(genres, parameters))]
    case "library.values": [.result(page(values, parameters))]
    case "library.failures": [.result(page(failures, parameters))]
    case "history.list": [.result(page(plays, parameters))]
    case "playlists.list": [.result(page(playlists, parameters))]
    case "library.search", "favorites.list": [.result(found(parameters))]
    case "library.album":
      [.result(RecordedResponses.json(AlbumContents(album: albums[0], tracks: Array(tracks.prefix(3)))))]
    case "library.artist": [.result(RecordedResponses.json(ArtistContents(artist: artists[0], albums: albums)))]
    case "library.suggest":
      [
        .result(
          RecordedResponses.json(
            Suggestions(suggestions: [
              .init(text: "Miles Davis", type: .artist, uri: "segue:artist/3"),
              .init(text: "Mi\u{1B}", type: .track, uri: "file:///m.flac"),
            ])))
      ]
    case "history.searches": [.result(#"{"searches":["miles","кино\u001b"]}"#)]
    case "favorites.add", "favorites.remove":
      [
        .result(
          RecordedResponses.json(FavoriteResult(uris: ["file:///music/2.flac"], failed: URIFailureList(), total: 4)))
      ]
    case "rating.set", "rating.get": [.result(RecordedResponses.json(Rating(uri: "file:///music/2.flac", rating: 8)))]
    case "playlists.save", "playlists.add", "playlists.remove", "playlists.rename":
      [.result(RecordedResponses.json(PlaylistResult(playlist: playlists[0])))]
    case "playlists.delete": [.result("{}")]
    case "library.status", "library.scan": [.result(RecordedResponses.json(status()))]
    case "art":
      [.result(RecordedResponses.json(Art(path: "/c/a.jpg", uri: "file:///c/a.jpg", width: 500, height: 400)))]
    case "lyrics":
      [
        .result(
          RecordedResponses.json(
            Lyrics(uri: "file:///m", source: .file, text: "One\r\n\u{1B}[2Jtwo\n\nthree", lines: nil)))
      ]
    default: RecordedResponses.standard(method, parameters)
    }
  }
}
