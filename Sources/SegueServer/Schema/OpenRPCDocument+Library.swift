internal import SegueSystem
internal import SegueWire

extension OpenRPCDocument {
  /// The objects of the library.
  static let librarySchemas: [(name: String, schema: Schema)] = [
    ("ListedTrack", .object(listedTrack)), ("Album", album), ("Artist", artist), ("Genre", genre),
    ("TrackPage", page("tracks", .named("ListedTrack"))), ("AlbumPage", page("albums", .named("Album"))),
    ("ArtistPage", page("artists", .named("Artist"))), ("GenrePage", page("genres", .named("Genre"))),
    ("PlayPage", page("plays", played)), ("PlaylistPage", page("playlists", .named("PlaylistInfo"))),
    ("FailurePage", page("failures", refused)),
    ("TrackList", .object([.init("tracks", .array(of: .named("ListedTrack")))])),
    ("AlbumContents", albumContents), ("ArtistContents", artistContents), ("TrackReport", report),
    ("FoundItems", .object(foundItems)), ("SearchAnswer", searchAnswer), ("Suggestions", suggestions),
    ("SearchList", .object([.init("searches", .array(of: .string), "The newest first.")])),
    ("LibraryStatus", libraryStatus), ("FavoriteResult", favoriteResult), ("Rating", rating),
    ("PlaylistInfo", playlist), ("PlaylistResult", playlistResult), ("Lyrics", lyrics), ("Art", art),
  ]

  private static let rank = Schema.nullable(.integer(0...10))

  private static let listedTrack: [Schema.Member] = [
    .init("id", number, "null: it is no entry of the queue."),
    .init("index", number, "Its place in a playlist, from 0; null elsewhere."),
    .init("uri", .string, "Percent-encoded; a file's name survives byte for byte."),
    .init("duration", time, "Seconds."),
    .init("durationKind", durationKind),
    .init("metadata", .named("Metadata")),
    .init("favorite", .boolean),
    .init("error", text, "Why it cannot be played."),
    .init("rating", rank),
    .init("added", time, "When it was found first, in seconds since 1970."),
    .init("album", text, "segue:album/ID"),
    .init("offline", .boolean, "Its folder cannot be reached at present."),
  ]

  private static let album = Schema.object([
    .init("id", .count, "Stays when a scan finds the same album again; never used twice."),
    .init("uri", .string, "segue:album/ID"),
    .init("title", .string),
    .init("albumArtist", text, "null for a compilation of several artists."),
    .init("year", number),
    .init("trackCount", .count),
    .init("discCount", .count),
    .init("duration", .seconds),
    .init("art", text, "A file:// URI of the cover."),
    .init("compilation", .boolean),
    .init("favorite", .boolean),
  ])

  private static let artist = Schema.object([
    .init("id", .count),
    .init("uri", .string, "segue:artist/ID"),
    .init("name", .string),
    .init("albumCount", .count, "On which the artist is heard."),
    .init("trackCount", .count),
    .init("favorite", .boolean),
  ])

  private static let genre = Schema.object([
    .init("name", .string), .init("uri", .string, "segue:genre/NAME"), .init("trackCount", .count),
  ])

  private static func page(_ name: String, _ item: Schema) -> Schema {
    .object([
      .init(name, .array(of: item), "A page ends early where it takes 2 MiB."),
      .init("total", .count, "How long the list is."), .init("offset", .count),
    ])
  }

  private static let played = Schema.object([
    .init("time", .seconds, "Since 1970."), .init("track", .named("ListedTrack")),
  ])

  static let refused = Schema.object([
    .init("uri", .string),
    .init("kind", .choice(Failure.Kind.allCases.map(\.rawValue))),
    .init("message", .string),
  ])

  /// The members of an answer that say what could not be done.
  static let refusals: [Schema.Member] = [
    .init("failed", .array(of: refused), "What could not be done, and why: at most the first 1000."),
    .init("failedTotal", .count, "How much could not be done."),
  ]

  private static let albumContents = Schema.object([
    .init("album", .named("Album")), .init("tracks", .array(of: .named("ListedTrack")), "By disc, number, name."),
    .init("total", .count, "How many it has."), .init("offset", .count),
  ])

  private static let artistContents = Schema.object([
    .init("artist", .named("Artist")), .init("albums", .array(of: .named("Album")), "By year."),
    .init("total", .count, "How many there are."), .init("offset", .count),
  ])

  private static let level = Schema.nullable(.number())

  private static let report = Schema.object(
    listedTrack + [
      .init("audio", .named("Audio")),
      .init("originalDate", text, "Of the first release."),
      .init("compilation", .boolean),
      .init(
        "sort",
        .object([.init("title", text), .init("artist", text), .init("album", text), .init("albumArtist", text)]),
        "The names to sort by, where the file gives any."),
      .init(
        "musicBrainz",
        .object([
          .init("track", text), .init("release", text), .init("releaseGroup", text),
          .init("artists", .array(of: .string)), .init("albumArtists", .array(of: .string)),
        ])),
      .init(
        "gain",
        .object([
          .init("trackGain", level), .init("trackPeak", level), .init("albumGain", level), .init("albumPeak", level),
        ]), "dB to −18 LUFS; peaks, 1 being full scale."),
      .init("chapters", .array(of: chapterMark)),
      .init("hasCover", .boolean, "Inside it."),
      .init("hasLyrics", .boolean, "Inside it."),
    ])

  private static let foundItems: [Schema.Member] = [
    .init("tracks", .array(of: .named("ListedTrack"))),
    .init("albums", .array(of: .named("Album"))),
    .init("artists", .array(of: .named("Artist"))),
    .init("total", .count, "Of all kinds that were asked for."),
    .init("offset", .count),
  ]

  private static let searchAnswer = Schema.object(
    foundItems + [
      .init("exact", .boolean, "false: there are at least `total`, and no more can be had."),
      .init("correction", text, "What was searched for instead, because nothing matches the query."),
    ])

  private static let suggestions = Schema.object([
    .init(
      "suggestions",
      .array(
        of: .object([
          .init("text", .string),
          .init("type", .choice(LibrarySuggestion.Kind.allCases.map(\.rawValue))),
          .init("uri", .string, "What `queue.add` takes."),
        ])))
  ])

  private static let libraryStatus = Schema.object([
    .init("tracks", .count),
    .init("albums", .count),
    .init("artists", .count),
    .init("searchable", .count, "Tracks that a search finds: fewer than all for a while after many were added."),
    .init("scanning", .boolean),
    .init("done", .count, "Files that the scan, or the last one, looked into."),
    .init("total", .count, "Files that were new or changed."),
    .init("failed", .count, "Files that were looked into in vain: `library.failures`."),
    .init(
      "folders",
      .array(
        of: .object([
          .init("uri", .string),
          .init(
            "state", .choice(LibraryStatus.Folder.State.allCases.map(\.rawValue)),
            "`offline`: gone or empty, though there was music in it, which is kept."),
        ]))),
    .init(
      "measuring",
      .nullable(.object([.init("done", .count), .init("total", .count), .init("failed", .count)])),
      "Tracks whose loudness is measured; null while none is."),
    .init("error", text, "Why the library cannot be read or written at present."),
  ])

  private static let favoriteResult = Schema.object(
    [
      .init("uris", .array(of: .string), "Those that are favourites now, or are none any more: the first 1000."),
      .init("urisTotal", .count, "How many those are."),
      .init("total", .count, "How many favourites there are."),
    ] + refusals)

  private static let rating = Schema.object([.init("uri", .string), .init("rating", rank)])

  private static let playlist = Schema.object([
    .init("name", .string),
    .init("uri", .string, "segue:playlist/NAME"),
    .init("trackCount", .count),
    .init("duration", time, "Of the tracks whose lengths it says."),
    .init("modified", .seconds, "Since 1970."),
  ])

  private static let playlistResult = Schema.object(
    [
      .init("playlist", .named("PlaylistInfo"))
    ] + refusals)

  private static let art = Schema.object([
    .init("path", .string, "Of a file in the cache."),
    .init("uri", .string, "file://, of the same."),
    .init("width", .integer(1...Int64.max), "Pixels."),
    .init("height", .integer(1...Int64.max), "Pixels."),
  ])

  private static let lyrics = Schema.object([
    .init("uri", .string),
    .init("source", .choice(Lyrics.Source.allCases.map(\.rawValue)), "`file`: an .lrc file beside the track."),
    .init("text", .string, "Without times."),
    .init(
      "lines",
      .nullable(.array(of: .object([.init("time", .seconds, "From the track's start."), .init("text", .string)]))),
      "null where no times are said."),
  ])
}
