import SeguePlayer
import SegueSystem
import SegueWire
import Testing

@testable import SegueServer

/// A sample value of an object of the protocol, with the name of its schema. Every object with nullable members has a
/// complete sample and one in which they are null.
struct ProtocolSample: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  /// Returns whether the decoded value equals the sample; nil if the object is only encoded.
  let survivesDecoding: @Sendable (JSON) -> Bool?

  var testDescription: String { name }

  init(_ name: String, _ value: some JSONEncodable) {
    self.name = name
    text = Self.text(value)
    survivesDecoding = { _ in nil }
  }

  init<Value: JSONEncodable & JSONDecodable & Equatable>(_ name: String, _ value: Value) {
    self.name = name
    text = Self.text(value)
    survivesDecoding = { Value($0) == value }
  }

  private static func text(_ value: some JSONEncodable) -> String {
    var json = JSONWriter()
    value.encode(into: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension ProtocolSample {
  static let all = player + settings + queue + connection + library + lists + user + catalog

  // MARK: Values that several samples contain

  private static let metadata: Metadata = {
    var metadata = Metadata()
    (metadata.title, metadata.artist, metadata.artists) = ("t", "a", ["a", "b"])
    (metadata.album, metadata.albumArtist, metadata.composer) = ("b", "c", "d")
    (metadata.genre, metadata.date, metadata.year) = (["e"], "1999-03-01", 1999)
    (metadata.track, metadata.trackTotal, metadata.disc, metadata.discTotal) = (1, 2, 3, 4)
    (metadata.art, metadata.stream) = ("file:///a", "s")
    return metadata
  }()
  private static let track = Track(
    id: 1, index: 0, uri: "file:///t", duration: .seconds(2.5), durationKind: .estimated, metadata: metadata,
    favorite: true, error: "e \(1)", errorKind: .damaged)
  private static let emptyTrack = Track(
    id: 1, index: 0, uri: "file:///t", duration: nil, durationKind: nil, metadata: Metadata(), favorite: false,
    error: nil, errorKind: nil)
  private static let output: Output = {
    var output = Output()
    (output.state, output.device, output.sampleRate, output.channels) = (.lost, "d", 44_100, 2)
    (output.format, output.latency, output.underruns, output.reconnects) = ("s16le", .seconds(0.5), 1, 2)
    (output.error, output.errorKind) = ("e \(LocalizableMessage("f"))", .noSink)
    return output
  }()
  private static let audio = Audio(
    codec: "flac", container: "flac", sampleRate: 44_100, channels: 2, bitDepth: 16, bitRate: 900_000, lossless: true,
    gapless: .exact)
  private static let emptyAudio = Audio(
    codec: "mp3", container: "mp3", sampleRate: 44_100, channels: 2, bitDepth: nil, bitRate: nil, lossless: false,
    gapless: .approximate)
  private static let stream = StreamStatus(state: .buffering, buffered: .seconds(1.5), station: "s")
  private static let status = Status(
    state: .playing, position: .seconds(1), duration: .seconds(2.5), durationKind: .exact,
    monotonic: MonotonicTime(nanoseconds: 12_500_000_000), rate: 1, track: track, index: 0, length: 1, version: 7,
    volume: 50, muted: true, repeatMode: .one, shuffle: .albums, consume: true, speed: .fastest,
    sleep: .after(.album), output: output, audio: audio, stream: stream, next: track)
  private static let chapter = Chapter(title: "c", start: .seconds(1))
  private static let failures = URIFailureList([
    URIFailure(uri: "file:///y", failure: Failure(.notFound, .plain("no such file"))),
    URIFailure(uri: "file:///x", failure: Failure(.notFound, "\("x"): no such file")),
  ])
  private static let listed = ListedTrack(
    index: 3, uri: "file:///t", duration: .seconds(2.5), durationKind: .exact, metadata: metadata, favorite: true,
    error: "e", rating: 7, added: UnixTime(nanoseconds: 1_000_000_000), album: "segue:album/1", offline: true)
  private static let emptyListed = ListedTrack(uri: "file:///t")
  private static let album = Album(
    id: 1, uri: "segue:album/1", title: "t", albumArtist: "a", year: 1999, trackCount: 2, discCount: 1,
    duration: .seconds(5), art: "file:///a", compilation: false, favorite: true)
  private static let emptyAlbum = Album(
    id: 2, uri: "segue:album/2", title: "", albumArtist: nil, year: nil, trackCount: 1, discCount: 1, duration: .zero,
    art: nil, compilation: true, favorite: false)
  private static let artist = Artist(
    id: 1, uri: "segue:artist/1", name: "a", albumCount: 1, trackCount: 2, favorite: true)
  private static let playlist = PlaylistInfo(
    name: "n", uri: "segue:playlist/n", trackCount: 1, duration: .seconds(3),
    modified: UnixTime(nanoseconds: 2_000_000_000))
  private static let emptyPlaylist = PlaylistInfo(
    name: "n", uri: "segue:playlist/n", trackCount: 0, duration: nil, modified: UnixTime(nanoseconds: 0))

  // MARK: Samples

  private static let player = [
    ProtocolSample("Track", track), ProtocolSample("Track", emptyTrack), ProtocolSample("Metadata", metadata),
    ProtocolSample("Metadata", Metadata()), ProtocolSample("Status", status),
    ProtocolSample(
      "Status",
      Status(
        state: .stopped, position: nil, duration: nil, durationKind: nil, monotonic: MonotonicTime(nanoseconds: 0),
        rate: 0, track: nil, index: nil, length: 0, version: 0, volume: 0, muted: false, repeatMode: .off,
        shuffle: .off, consume: false, speed: .normal, sleep: nil, output: Output(), audio: nil,
        stream: nil, next: nil)),
    ProtocolSample("Stream", stream), ProtocolSample("Stream", StreamStatus(state: nil, buffered: .zero, station: nil)),
    ProtocolSample("Output", output), ProtocolSample("Output", Output()), ProtocolSample("Audio", audio),
    ProtocolSample("Audio", emptyAudio), ProtocolSample("Sleep", Sleep.after(.queue)),
    ProtocolSample("Sleep", Sleep.seconds(.seconds(60))), ProtocolSample("Volume", VolumeState(volume: 9, muted: true)),
    ProtocolSample(
      "Gain",
      Gain(mode: .auto, preamp: 1, fallback: -2.5, preventsClipping: true, applied: -7.25, requested: 3, limit: .peak)),
    ProtocolSample("Gain", Gain(mode: .off, preamp: 0, fallback: 0, preventsClipping: false, applied: nil)),
    ProtocolSample("ChapterList", ChapterList(uri: "file:///t", chapters: [chapter], current: 0)),
    ProtocolSample("ChapterList", ChapterList(uri: "file:///t", chapters: [], current: nil)),
  ]

  private static let settingSamples = [
    setting(.whole(0...10, unit: "s"), .whole(1)), setting(.number(0...1.5, unit: "dB"), .number(0.5)),
    setting(.choice(["a", "b"]), .text("a")), setting(.name, .text(nil)), setting(.flag, .flag(true)),
    setting(.paths, .paths([FilePath("/a")])),
  ]
  private static let settings =
    settingSamples.map { ProtocolSample("Setting", $0) } + [
      ProtocolSample("SettingList", SettingList(settings: settingSamples))
    ]

  private static func setting(_ type: SettingType, _ value: SettingValue) -> SettingReport {
    SettingReport(
      name: "player.x", section: "Player", key: "X", summary: "s", type: type, value: value, standard: value,
      source: .file, isChangeable: true)
  }

  private static let summary = QueueSummary(version: 7, length: 1, steps: steps)
  private static let steps = QueueSteps(undo: step, redo: QueueStep(.clear, tracks: 2))
  private static let step = QueueStep(.move, tracks: 1)
  private static let queue = [
    ProtocolSample("Queue", summary), ProtocolSample("Queue", QueueSummary(version: 7, length: 1)),
    ProtocolSample("QueuePage", QueuePage(tracks: [], total: 0, offset: 0, version: 7)),
    ProtocolSample("QueuePage", QueuePage(tracks: [track], total: 1, offset: 0, version: 7, steps: steps)),
    ProtocolSample("QueueStep", step),
    ProtocolSample("QueueStepResult", QueueStepResult(step: step, queue: summary)),
    ProtocolSample("AddResult", AddResult(added: [1], alreadyQueued: 1, failed: failures, version: 8)),
    ProtocolSample("LocalizableMessage", "a: \(LocalizableMessage("b \(1)"))" as LocalizableMessage),
    ProtocolSample("LocalizableMessage", LocalizableMessage.plain("a")),
    ProtocolSample(
      "OutputList",
      OutputList(outputs: [
        OutputDevice(
          name: "n", description: "d", isDefault: true, isCurrent: true, sampleRate: 48_000, channels: 2,
          format: "s16le")
      ])),
    ProtocolSample("OutputList", OutputList(outputs: [], chosen: "n")),
  ]

  private static let connection: [ProtocolSample] = {
    var counters = Counters()
    (counters.sandboxLacks, counters.saveError) = (["landlock"], "e")
    return [
      ProtocolSample("Counters", counters), ProtocolSample("Counters", Counters()),
      ProtocolSample("Subscription", RemainingTopics(topics: [.player])),
      ProtocolSample(
        "Snapshot",
        Snapshot(
          sequence: 1, topics: [.queue], status: status, queue: summary, library: LibraryStatus(),
          settings: SettingList(settings: settingSamples))),
    ]
  }()

  private static let library: [ProtocolSample] = {
    var full = LibraryStatus()
    (full.tracks, full.albums, full.artists, full.searchable) = (5, 4, 3, 2)
    (full.scanning, full.done, full.total, full.failed) = (true, 1, 2, 1)
    full.folders = [.init(uri: "file:///m", state: .offline)]
    full.measuring = .init(done: 1, total: 2, failed: 1, remaining: .seconds(90))
    full.error = "e"
    var starting = LibraryStatus()
    starting.measuring = .init(done: 0, total: 0, failed: 0, remaining: nil)
    var report = TrackReport(track: listed, audio: audio)
    report.originalDate = "1980"
    report.compilation = true
    (report.sort.title, report.sort.artist) = ("t", "a")
    (report.sort.album, report.sort.albumArtist) = ("b", "c")
    let id = "f4a1b2c3-0000-4000-8000-00000000000a"
    report.musicBrainz = MusicBrainzIDs(track: id, release: id, releaseGroup: id, artists: [id], albumArtists: [id])
    report.gain = ReplayGain(trackGain: -7.25, trackPeak: 0.5, albumGain: -6, albumPeak: 1)
    report.chapters = [chapter]
    (report.hasCover, report.hasLyrics) = (true, true)
    return [
      ProtocolSample("LibraryStatus", full), ProtocolSample("LibraryStatus", LibraryStatus()),
      ProtocolSample("LibraryStatus", starting),
      ProtocolSample("ListedTrack", listed), ProtocolSample("ListedTrack", emptyListed),
      ProtocolSample("Album", album), ProtocolSample("Album", emptyAlbum), ProtocolSample("Artist", artist),
      ProtocolSample("Genre", Genre(name: "g", uri: "segue:genre/g", trackCount: 1)),
      ProtocolSample("TrackReport", report),
      ProtocolSample("TrackReport", TrackReport(track: emptyListed, audio: emptyAudio)),
      ProtocolSample("Art", Art(path: "/a.png", uri: "file:///a.png", width: 500, height: 400)),
      ProtocolSample(
        "Lyrics",
        Lyrics(uri: "file:///t", source: .file, text: "t", lines: [.init(time: .seconds(1), text: "t")])),
      ProtocolSample("Lyrics", Lyrics(uri: "file:///t", source: .embedded, text: "t", lines: nil)),
    ]
  }()

  private static let found = FoundItems(tracks: [listed], albums: [album], artists: [artist], total: 3, offset: 0)
  private static let lists = [
    ProtocolSample("TrackPage", ListPage(items: [listed], total: 1, offset: 0)),
    ProtocolSample("AlbumPage", ListPage(items: [album], total: 1, offset: 0)),
    ProtocolSample("ArtistPage", ListPage(items: [artist], total: 1, offset: 0)),
    ProtocolSample(
      "GenrePage", ListPage(items: [Genre(name: "g", uri: "segue:genre/g", trackCount: 1)], total: 1, offset: 0)),
    ProtocolSample(
      "PlayPage",
      ListPage(
        items: [PlayedTrack(time: UnixTime(nanoseconds: 3_000_000_000), plays: 4, track: listed)], total: 1, offset: 0)),
    ProtocolSample("PlaylistPage", ListPage(items: [playlist], total: 1, offset: 0)),
    ProtocolSample("FailurePage", ListPage(items: failures.listed, total: 1, offset: 0)),
    ProtocolSample("TrackList", TrackList(tracks: [listed])),
    ProtocolSample("AlbumContents", AlbumContents(album: album, tracks: [listed])),
    ProtocolSample("ArtistContents", ArtistContents(artist: artist, albums: [album])),
    ProtocolSample(
      "FolderContents",
      FolderContents(
        folders: [LibraryFolder(uri: "file:///f", offline: true)], tracks: [listed], total: 5, offset: 3)),
    ProtocolSample("FoundItems", found),
    ProtocolSample("SearchAnswer", SearchAnswer(found: found, exact: false, correction: "c")),
    ProtocolSample("SearchAnswer", SearchAnswer(found: FoundItems(), exact: true, correction: nil)),
    ProtocolSample(
      "Suggestions", Suggestions(suggestions: [LibrarySuggestion(text: "t", type: .search, uri: "segue:search/t")])),
    ProtocolSample("SearchList", SearchList(searches: ["q"])),
  ]

  private static let user = [
    ProtocolSample("FavoriteResult", FavoriteResult(uris: ["file:///t"], failed: failures, total: 1)),
    ProtocolSample("Rating", Rating(uri: "file:///t", rating: 7)),
    ProtocolSample("Rating", Rating(uri: "file:///t", rating: nil)), ProtocolSample("PlaylistInfo", playlist),
    ProtocolSample("PlaylistInfo", emptyPlaylist),
    ProtocolSample("PlaylistResult", PlaylistResult(playlist: playlist, failed: failures)),
  ]

  private static let item: Item = {
    var item = Item(uri: "itunes:album:1", kind: .album, title: "t", provider: "itunes")
    (item.creator, item.year, item.date, item.duration) = ("c", 1999, "1999-03-01", .seconds(2.5))
    (item.genres, item.art, item.description) = (["g"], "https://h/a.jpg", "d")
    item.rating = Item.Rating(value: 7.5, votes: 3, popularity: 1.5)
    (item.language, item.budget, item.link, item.credit) = ("en", 1, "https://h/", "c")
    (item.facts, item.playable, item.favorite) = ([Item.Fact(.tracks, "2")], true, true)
    return item
  }()
  private static let emptyItem = Item(uri: "tmdb:film:1", kind: .film, title: "t", provider: "tmdb")
  private static let unratedItem: Item = {
    var item = emptyItem
    item.rating = Item.Rating()
    return item
  }()
  private static let catalogGenre = CatalogGenre(id: "28", name: "n", kind: .film, provider: "tmdb")
  private static let providers = [
    CatalogProviderInfo(
      name: "tmdb", title: "t", kinds: [.film], charts: [.person], attribution: "a", link: "https://h/", error: "e"),
    CatalogProviderInfo(
      name: "radio", title: "t", kinds: [.station], charts: [.station], attribution: nil, link: "https://h/", error: nil
    ),
  ]
  private static let catalog =
    [
      ProtocolSample("Item", item), ProtocolSample("Item", emptyItem), ProtocolSample("Item", unratedItem),
      ProtocolSample(
        "CatalogPage",
        CatalogPage(
          items: [item], total: 45, offset: 20, limit: 20, provider: "itunes", attribution: "a", stale: true,
          age: .seconds(60))),
      ProtocolSample(
        "CatalogPage",
        CatalogPage(items: [], total: nil, offset: 0, limit: 20, provider: "radio", attribution: nil)),
      ProtocolSample(
        "CatalogDetails",
        CatalogDetails(
          item: item, contents: [emptyItem], total: 45, offset: 20, limit: 20, attribution: "a", stale: true,
          age: .seconds(60))),
      ProtocolSample(
        "CatalogDetails",
        CatalogDetails(item: emptyItem, contents: [], total: nil, offset: 0, limit: 20, attribution: nil)),
      ProtocolSample("CatalogGenre", catalogGenre),
      ProtocolSample("CatalogGenreList", CatalogGenreList(genres: [catalogGenre])),
      ProtocolSample("CatalogProviderList", CatalogProviderList(providers: providers)),
    ] + providers.map { ProtocolSample("CatalogProvider", $0) }
}
