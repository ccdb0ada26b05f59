internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

extension Verb {
  static let library = [
    Verb(
      "search", .library, "[QUERY…] [--play|--add|--next|--online] [OPTION…]", 0...unlimited,
      options: [.play, .add, .next, .online, .kind, .provider, .country, .limit, .page, .tiles, .number],
      tr("find tracks, albums and artists"),
      details: tr(
        """
        Words may be in any order, abbreviated and in any script: kino finds Кино.
        Filters: artist: album: title: genre: year:1990..1999 format:flac added:30d
        rating:8.. is:favorite "exact phrase" -excluded.
        Results are sorted by relevance (exact title, titles that start with the
        query, titles with all words, other matches), then favourites and frequently
        played tracks first. At most 5,000 results of a kind are found.

        --play plays the results now, --next plays them after the current entry, and
        --add appends them to the queue. Without QUERY, the last searches are listed.

        In a pipe, all results are printed in the formats of artists, albums and
        tracks. On a terminal, they are numbered, and the next command accepts the
        numbers instead of URIs. --number does so in a pipe; then the number is the
        first field.

        --online searches online catalogues for items of one KIND (song, album,
        artist, film, audiobook, podcast, episode, station, person), or of several.
        It accepts --kind KIND, --provider NAME, --country CODE, --limit N (30 items;
        at most 200), --page N, and --tiles for two columns of tiles. In a pipe, the
        fields are URI, kind, title, creator, year, duration, and “favorite” or
        nothing.

          segue search --online kino --kind album
          segue play 2                   the second result
          segue fav add 1 3-5
          segue search miles blue
          segue search genre:jazz year:1950..1969 --play
          segue search 'artist:"The Beatles" -live' --add
        """), run: SearchVerbs.search),
    Verb(
      "suggest", .library, "PREFIX…", 1...unlimited, tr("complete a partial search"),
      details: tr(
        """
        Matches among the last five searches are listed first. In a pipe, the fields
        are URI, kind and text, separated by tabs.

          segue suggest mil
        """), run: SearchVerbs.suggest),
    Verb(
      "albums", .library, "[QUERY…]", 0...unlimited, tr("list albums"),
      details: tr(
        """
        Albums are sorted by title. In a pipe, the fields are URI, title, artist,
        year, number of songs, duration, and “favorite” or nothing, separated by tabs.

          segue albums
          segue albums added:30d
          segue albums year:1959 | cut -f1 | xargs segue add
        """), run: ListVerbs.albums),
    Verb(
      "artists", .library, "[QUERY…]", 0...unlimited, tr("list artists"),
      details: tr(
        """
        Artists are sorted by name. In a pipe, the fields are URI, name, number of
        albums, number of songs, and “favorite” or nothing, separated by tabs.
        """), run: ListVerbs.artists),
    Verb(
      "genres", .library, "[PART] [--online] [--kind KIND] [--provider NAME]", 0...unlimited,
      options: [.online, .kind, .provider], tr("list genres"),
      details: tr(
        """
        With PART, lists only genres whose name contains it. In a pipe, the fields are
        URI, name and number of songs, separated by tabs.

        --online lists the genres of an online catalogue, of songs or of items of
        another KIND;   segue popular   accepts them. In a pipe, the fields are id,
        name and provider.

          segue add segue:genre/Jazz
          segue genres --online --kind film
        """), run: ListVerbs.genres),
    Verb(
      "tracks", aliases: ["songs"], .library, "[QUERY…]", 0...unlimited, tr("list tracks"),
      details: tr(
        """
        Tracks are sorted by album, search results by relevance. In a pipe, the fields
        are URI, title, artist, album, year, duration, rating, and “favorite”,
        “offline”, “unplayable” or nothing, separated by tabs.

          segue tracks | wc -l
          segue tracks is:favorite rating:8..
          segue tracks kino | cut -f1 | xargs -d '\\n' segue add
        """), run: ListVerbs.tracks),
    Verb(
      "album", .library, "ID|NAME", 1...unlimited, tr("list the tracks of an album"),
      details: tr(
        """
        ID is the number that   segue albums   shows. A part of the name suffices if
        only one album matches.

          segue album 12
          segue album kind of blue
          segue add segue:album/12
        """), run: DetailVerbs.album),
    Verb(
      "artist", .library, "ID|NAME", 1...unlimited, tr("list an artist's albums"),
      details: tr(
        """
          segue artist 7
          segue artist miles davis
          segue play segue:artist/7
        """), run: DetailVerbs.artist),
    Verb(
      "fav", aliases: ["favorite", "favourite", "like", "love"], .library, "[add|remove|list] […]", 0...unlimited,
      tr("list and edit favourites"),
      details: tr(
        """
          segue fav                      add the current track, or remove it
          segue fav add                  add the current track
          segue fav add segue:album/12 ~/Music/song.flac
          segue fav remove segue:album/12
          segue fav list                 list favourites, newest first
          segue fav list rating          best first; also title and year
        """), run: FavoriteVerbs.favorite),
    Verb(
      "rate", .library, "0…10|none [PATH|URI]", 1...2, tr("rate a track (default: the current track)"),
      details: tr(
        """
          segue rate 8
          segue rate none                remove the rating
          segue rate 10 ~/Music/song.flac
        """), run: FavoriteVerbs.rate),
    Verb(
      "history", .library, "[N]", 0...1, tr("list played tracks, newest first"),
      details: tr(
        """
        A track counts as played after half of its duration or four minutes. Without
        N, a terminal shows the last 20 and a pipe receives all. In a pipe, the fields
        are URI, time (UTC), title, artist and album, separated by tabs.
        """), run: FavoriteVerbs.history),
    Verb(
      "playlist", aliases: ["playlists", "pl"], .library, "[VERB NAME …]", 0...unlimited,
      options: [.replace], tr("list and edit playlists"),
      details: tr(
        """
          segue playlist                 list all playlists (same as list)
          segue playlist show NAME       list the entries
          segue playlist load NAME       append the playlist to the queue
          segue playlist save NAME       save the queue; --replace overwrites
          segue playlist save NAME segue:album/12 …
          segue playlist add NAME [PATH|URI…]   default: the current track
          segue playlist remove NAME 3 5-9      remove entries by number
          segue playlist rename NAME NEW
          segue playlist delete NAME
        """), run: PlaylistVerb.run),
    Verb(
      "lyrics", .library, "[PATH|URI]", 0...1, tr("show lyrics (default: of the current track)"), run: TrackVerbs.lyrics
    ),
    TrackVerbs.art,
    Verb(
      "library", aliases: ["lib"], .library, "", 0...0, tr("show library statistics, folders and errors"),
      details: tr(
        """
        In a pipe, the output consists of “key: value” lines: tracks, albums, artists,
        scanning, done, total, failed, error, then “folder: STATE URI” for each folder
        and “failure: URI KIND REASON” for each unreadable file, with tabs.
        """), run: ScanVerbs.library),
    Verb(
      "scan", .library, "[PATH…] [--watch] [--loudness]", 0...unlimited, options: [.watch, .loudness],
      tr("scan the music folders for changes"),
      details: tr(
        """
        Scans all music folders, or the given paths in them. Changes are also detected
        automatically. --watch shows the progress until the scan ends; interrupting it
        does not stop the scan. --loudness also measures tracks without loudness tags,
        in the background after the scan;   segue gain   uses the results.

          segue scan --watch
          segue scan ~/Music/New
        """), run: ScanVerbs.scan),
  ]
}

/// The verbs `tracks`, `albums`, `artists` and `genres`.
enum ListVerbs {
  @Sendable static func tracks(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try list(ListedTrack.self, "library.tracks", by: .best, context, arguments)
  }

  @Sendable static func albums(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try list(Album.self, "library.albums", by: .title, context, arguments)
  }

  @Sendable static func artists(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try list(Artist.self, "library.artists", by: .title, context, arguments)
  }

  @Sendable static func genres(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if context.options.isGiven(.online) { return try CatalogListVerbs.genres(context, arguments) }
    try context.options.requireOnline()
    let part = joined(arguments).lowercased()
    try ListReader<Genre>(
      context: context, method: "library.genres",
      filter: arguments.isEmpty ? nil : { $0.name.lowercased().containsSubstring(part) },
      emptyMessage: arguments.isEmpty ? emptyLibraryMessage : tr("No matching genres.")
    ).show()
  }

  private static func list<Item: Tabular>(
    _ kind: Item.Type, _ method: String, by order: Order, _ context: VerbContext, _ arguments: [Argument]
  ) throws(ClientError) {
    guard arguments.isEmpty else {
      let count = try ListReader<Item>(
        context: context, method: "library.search",
        parameters: {
          $0.member("query", joined(arguments))
          $0.member("type", Item.noun)
          if order != .best { $0.member("sort", order.rawValue) }
          $0.member("remember", false)
        }
      ).show()
      if count == 0 { try context.printNoMatches(Item.noMatches) }
      if Item.numberColumn != nil { context.supersedeResults() }
      return
    }
    try ListReader<Item>(context: context, method: method, emptyMessage: emptyLibraryMessage).show()
    if Item.numberColumn != nil { context.supersedeResults() }
  }

  /// An order of search results.
  private enum Order: String {
    case best, title
  }

  /// Returns the arguments joined with spaces, so that queries need no quotes.
  static func joined(_ arguments: [Argument]) -> String { arguments.map(\.text).joined(separator: " ") }

  static var emptyLibraryMessage: String { tr("The library is empty.  segue library   shows the music folders.") }
}

extension VerbContext {
  /// Prints `message` on a terminal if a search has no results, or explains that the library is empty or being scanned.
  func printNoMatches(_ message: String) throws(ClientError) {
    guard style.isTerminal, !printsJSON else { return }
    let status = LibraryStatus(try call(ClientRequest("library.status")))
    var line = message
    if status.scanning || status.searchable < status.tracks {
      line = tr("Nothing yet: the library is being scanned.  segue scan --watch   shows the progress.")
    } else if status.tracks == 0 {
      line = ListVerbs.emptyLibraryMessage
    }
    console.printLine(style.fitted(style.withASCIIFallback(line)))
  }
}
