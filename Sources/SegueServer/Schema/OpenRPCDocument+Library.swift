internal import SegueSystem
internal import SegueWire

extension OpenRPCDocument {
  /// The schemas of the library's objects.
  static let librarySchemas: [(name: String, schema: Schema)] = [
    ("ListedTrack", .object(listedTrack)), ("Album", album), ("Artist", artist), ("Genre", genre),
    ("TrackPage", page("tracks", .named("ListedTrack"))), ("AlbumPage", page("albums", .named("Album"))),
    ("ArtistPage", page("artists", .named("Artist"))), ("GenrePage", page("genres", .named("Genre"))),
    ("PlayPage", page("plays", played)), ("PlaylistPage", page("playlists", .named("PlaylistInfo"))),
    ("FailurePage", page("failures", uriFailure)), ("LocalizableMessage", localizableMessage),
    ("TrackList", .object([.init("tracks", .array(of: .named("ListedTrack")))])),
    ("AlbumContents", albumContents), ("ArtistContents", artistContents),
    ("FolderContents", folderContents), ("TrackReport", report),
    ("FoundItems", .object(foundItems)), ("SearchAnswer", searchAnswer), ("Suggestions", suggestions),
    ("SearchList", .object([.init("searches", .array(of: .string), "Newest first.")])),
    ("LibraryStatus", libraryStatus), ("FavoriteResult", favoriteResult), ("Rating", rating),
    ("PlaylistInfo", playlist), ("PlaylistResult", playlistResult), ("Lyrics", lyrics), ("Art", art),
  ]

  private static let ratingValue = Schema.nullable(.integer(0...10))

  private static let listedTrack: [Schema.Member] = [
    .init("id", number, "null: the track is not an entry of the queue."),
    .init("index", number, "The index in the playlist, from 0; null in other lists."),
    .init("uri", .string, "Percent-encoded; preserves every byte of a file name."),
    .init("duration", time, "Seconds."),
    .init("durationKind", durationKind),
    .init("metadata", .named("Metadata")),
    .init("favorite", .boolean),
    .init("error", text, "The reason why the track cannot be played."),
    .init("errorTemplate", errorTemplate),
    .init("rating", ratingValue),
    .init("added", time, "The time at which the track was added, in seconds since 1970."),
    .init("album", text, "segue:album/ID"),
    .init("offline", .boolean, "Whether the folder of the track is not available at the moment."),
  ]

  private static let album = Schema.object([
    .init("id", .count, "Does not change when a scan finds the album again; never reused."),
    .init("uri", .string, "segue:album/ID"),
    .init("title", .string),
    .init("albumArtist", text, "null for a compilation of several artists."),
    .init("year", number),
    .init("trackCount", .count),
    .init("discCount", .count),
    .init("duration", .seconds),
    .init("art", text, "The file:// URI of the cover."),
    .init("compilation", .boolean),
    .init("favorite", .boolean),
  ])

  private static let artist = Schema.object([
    .init("id", .count),
    .init("uri", .string, "segue:artist/ID"),
    .init("name", .string),
    .init("albumCount", .count, "The number of albums that contain the artist."),
    .init("trackCount", .count),
    .init("favorite", .boolean),
  ])

  private static let genre = Schema.object([
    .init("name", .string), .init("uri", .string, "segue:genre/NAME"), .init("trackCount", .count),
  ])

  private static func page(_ name: String, _ item: Schema) -> Schema {
    .object([
      .init(name, .array(of: item), "A page ends early when it reaches 2 MiB."),
      .init("total", .count, "The length of the whole list."), .init("offset", .count),
    ])
  }

  private static let played = Schema.object([
    .init("time", .seconds, "Seconds since 1970; with the sort `plays`, of the last play."),
    .init("plays", .count, "The number of plays of the track in the whole history."),
    .init("track", .named("ListedTrack")),
  ])

  static let uriFailure = Schema.object([
    .init("uri", .string),
    .init("kind", .choice(of: Failure.Kind.self)),
    .init("message", .string),
    .init("template", .nullable(.string), "The message with %1$s in place of its first argument."),
    .init("arguments", localizableArguments),
  ])

  static let localizableMessage = Schema.object([
    .init("message", .string, "The message in English."),
    .init("template", .nullable(.string), "The message with %1$s in place of its first argument."),
    .init("arguments", localizableArguments),
  ])

  private static let localizableArguments = Schema.array(of: .either(.string, .named("LocalizableMessage")))

  /// The member beside `error` with which clients translate it.
  static let errorTemplate = Schema.nullable(
    .object([
      .init("template", .string, "The error with %1$s in place of its first argument."),
      .init("arguments", localizableArguments),
    ]))

  /// The members of a result that list failures.
  static let failures: [Schema.Member] = [
    .init("failed", .array(of: uriFailure), "The first 1000 failures, with their reasons."),
    .init("failedTotal", .count, "The number of all failures."),
  ]

  private static let albumContents = Schema.object([
    .init("album", .named("Album")),
    .init("tracks", .array(of: .named("ListedTrack")), "Ordered by disc, number and name."),
    .init("total", .count, "The number of all tracks of the album."), .init("offset", .count),
  ])

  private static let artistContents = Schema.object([
    .init("artist", .named("Artist")), .init("albums", .array(of: .named("Album")), "Ordered by year."),
    .init("total", .count, "The number of all albums."), .init("offset", .count),
  ])

  private static let folderContents = Schema.object([
    .init(
      "folders",
      .array(
        of: .object([
          .init("uri", .string, "The file:// URI."),
          .init("offline", .boolean, "Whether the folder is not available at the moment."),
        ])), "Ordered by name."),
    .init("tracks", .array(of: .named("ListedTrack")), "Ordered by file name, after the folders."),
    .init("total", .count, "The number of all folders and tracks in the folder."), .init("offset", .count),
  ])

  private static let level = Schema.nullable(.number())

  private static let report = Schema.object(
    listedTrack + [
      .init("audio", .named("Audio")),
      .init("originalDate", text, "The date of the first release."),
      .init("compilation", .boolean),
      .init(
        "sort",
        .object([.init("title", text), .init("artist", text), .init("album", text), .init("albumArtist", text)]),
        "The sort names of the tags."),
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
        ]), "Gains in dB to −18 LUFS; peaks relative to full scale."),
      .init("chapters", .array(of: chapterMark)),
      .init("hasCover", .boolean, "Whether the file contains a picture."),
      .init("hasLyrics", .boolean, "Whether the file contains lyrics."),
    ])

  private static let foundItems: [Schema.Member] = [
    .init("tracks", .array(of: .named("ListedTrack"))),
    .init("albums", .array(of: .named("Album"))),
    .init("artists", .array(of: .named("Artist"))),
    .init("total", .count, "The number of matches of all requested kinds."),
    .init("offset", .count),
  ]

  private static let searchAnswer = Schema.object(
    foundItems + [
      .init("exact", .boolean, "false: there are more matches than `total`, which are not returned."),
      .init("correction", text, "The query that was used instead, because nothing matches the original one."),
    ])

  private static let suggestions = Schema.object([
    .init(
      "suggestions",
      .array(
        of: .object([
          .init("text", .string),
          .init("type", .choice(of: LibrarySuggestion.Kind.self)),
          .init("uri", .string, "A URI for `queue.add`."),
        ])))
  ])

  private static let libraryStatus = Schema.object([
    .init("tracks", .count),
    .init("albums", .count),
    .init("artists", .count),
    .init(
      "searchable", .count,
      "The number of tracks that a search finds; lower than `tracks` for a while after many were added."),
    .init("scanning", .boolean),
    .init("done", .count, "The number of files that the current or last scan has read."),
    .init("total", .count, "The number of new or changed files of that scan."),
    .init("failed", .count, "The number of files that could not be read; see `library.failures`."),
    .init(
      "folders",
      .array(
        of: .object([
          .init("uri", .string),
          .init(
            "state", .choice(of: LibraryStatus.Folder.State.self),
            "`offline`: missing or empty although it contained music; its tracks stay in the library."),
        ]))),
    .init(
      "measuring",
      .nullable(
        .object([
          .init("done", .count), .init("total", .count), .init("failed", .count),
          .init("remaining", .nullable(.seconds), "The estimated time until the end; null if it is unknown."),
        ])),
      "The progress of the loudness measurement; null while none is running."),
    .init("error", text, "The reason why the library cannot be read or written at the moment."),
    .init("errorTemplate", errorTemplate),
  ])

  private static let favoriteResult = Schema.object(
    [
      .init("uris", .array(of: .string), "The URIs that were added or removed; the first 1000."),
      .init("urisTotal", .count, "The number of these URIs."),
      .init("unchanged", .count, "The number of those that were favorites already, or were none."),
      .init("total", .count, "The number of all favorites."),
    ] + failures)

  private static let rating = Schema.object([.init("uri", .string), .init("rating", ratingValue)])

  private static let playlist = Schema.object([
    .init("name", .string),
    .init("uri", .string, "segue:playlist/NAME"),
    .init("trackCount", .count),
    .init("duration", time, "The total duration of the entries whose durations the playlist states."),
    .init("modified", .seconds, "Seconds since 1970."),
  ])

  private static let playlistResult = Schema.object(
    [
      .init("playlist", .named("PlaylistInfo"))
    ] + failures)

  private static let art = Schema.object([
    .init("path", .string, "The path of a file in the cache."),
    .init("uri", .string, "The file:// URI of the same file."),
    .init("width", .integer(1...Int64.max), "Pixels."),
    .init("height", .integer(1...Int64.max), "Pixels."),
  ])

  private static let lyrics = Schema.object([
    .init("uri", .string),
    .init("source", .choice(of: Lyrics.Source.self), "`file`: an .lrc file beside the track."),
    .init("text", .string, "The lyrics without timestamps."),
    .init(
      "lines",
      .nullable(
        .array(of: .object([.init("time", .seconds, "From the start of the track."), .init("text", .string)]))),
      "null if the lyrics have no timestamps."),
  ])
}
