internal import SegueFrontend
internal import SegueRPC
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
        1997 also finds the tracks of that year.
        Filters: artist: album: title: genre: year:1990..1999 year:1960s format:flac
        added:30d rating:8.. is:favorite "exact phrase" -excluded.
        Results are sorted by relevance (exact title, titles that start with the
        query, titles with all words, other matches), then favorites and frequently
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
          segue search genre:jazz year:1960s --play
          segue search 'artist:"The Beatles" -live' --add
        """), isLong: true, run: SearchVerbs.search),
    Verb(
      "suggest", .library, "PREFIX…", 1...unlimited, tr("complete a partial search"),
      details: tr(
        """
        Matches among the last five searches are listed first. In a pipe, the fields
        are URI, kind and text, separated by tabs.

          segue suggest mil
        """), run: SearchVerbs.suggest),
    Verb(
      "albums", .library, "[QUERY…] [--sort KEY] [--reverse] [--limit N]", 0...unlimited,
      options: [.sort, .reverse, .limit, .number], orders: AlbumSort.words, tr("list albums"),
      details: tr(
        """
        Albums are sorted by title, or by KEY: title, artist, year, added (the newest
        first) or random (50 albums, unless N says otherwise). On a terminal, they are
        numbered, and the next command accepts the numbers. In a pipe, the fields are
        URI, title, artist, year, number of songs, duration, and “favorite” or
        nothing, separated by tabs.

          segue albums
          segue play 3                   the third one
          segue albums added:30d --sort added
          segue albums --sort random --limit 1 | cut -f1 | segue play -
          segue albums year:1959 | cut -f1 | segue add -
        """), isLong: true, run: ListVerbs.albums),
    Verb(
      "artists", .library, "[QUERY…] [--reverse] [--limit N]", 0...unlimited,
      options: [.reverse, .limit, .number], tr("list artists"),
      details: tr(
        """
        Artists are sorted by name and numbered as albums are. In a pipe, the fields
        are URI, name, number of albums, number of songs, and “favorite” or nothing,
        separated by tabs.

          segue artists
          segue artist 2                 the albums of the second one
          segue artists miles
        """), isLong: true, run: ListVerbs.artists),
    Verb(
      "genres", .library, "[PART] [--online] [--kind KIND] [--provider NAME]", 0...unlimited,
      options: [.online, .kind, .provider, .number], tr("list genres"),
      details: tr(
        """
        With PART, lists only genres whose name contains it. In a pipe, the fields are
        URI, name and number of songs, separated by tabs.

        --online lists the genres of an online catalogue, of songs or of items of
        another KIND;   segue popular   accepts them. In a pipe, the fields are id,
        name and provider.

          segue genres
          segue add genre jazz
          segue genres --online --kind film
        """), isLong: true, run: ListVerbs.genres),
    Verb(
      "tracks", aliases: ["songs"], .library, "[QUERY…] [--sort KEY] [--reverse] [--limit N]", 0...unlimited,
      options: [.sort, .reverse, .limit, .number], orders: TrackSort.words, tr("list tracks"),
      details: tr(
        """
        Tracks are sorted by album, search results by relevance; or by KEY: album,
        artist, title, year, added (the newest first), rating (the best first) or
        random (50 tracks, unless N says otherwise). On a terminal, they are numbered,
        and the next command accepts the numbers. In a pipe, the fields are URI,
        title, artist, album, year, duration, rating, and “favorite”, “offline”,
        “unplayable” or nothing, separated by tabs.

          segue tracks | wc -l
          segue tracks genre:jazz --sort random --limit 20 | cut -f1 | segue play -
          segue tracks is:favorite rating:8..
          segue tracks kino | cut -f1 | segue add -
        """), isLong: true, run: ListVerbs.tracks),
    Verb(
      "album", .library, "N|NAME", 1...unlimited, options: [.number], values: .first(.names(.album)),
      tr("list the tracks of an album"),
      details: tr(
        """
        N is a number of the last list, or else the id of an album, as in
        segue:album/12. A part of the name suffices if only one album matches. The
        tracks are numbered, too.

          segue albums
          segue album 3                  the third one
          segue play 2                   its second track
          segue album kind of blue
        """), run: DetailVerbs.album),
    Verb(
      "artist", .library, "N|NAME", 1...unlimited, options: [.number], values: .first(.names(.artist)),
      tr("list an artist's albums"),
      details: tr(
        """
        N and NAME are as for album. The albums are numbered, too.

          segue artist miles davis
          segue play 1                   the first of these albums
          segue play artist miles davis  all of them
        """), isLong: true, run: DetailVerbs.artist),
    Verb(
      "fav", aliases: ["favorite", "favorites", "favourite", "favourites", "like", "love"], .library,
      "[add|remove|list] […]", 0...unlimited,
      options: [.sort, .reverse, .number], orders: FavoriteSort.words, values: FavoriteVerbs.favoriteValues,
      tr("list and edit favorites"),
      details: tr(
        """
          segue fav                      add the current track, or remove it
          segue fav add                  add the current track
          segue fav add album kind of blue
          segue fav remove 3 ~/Music/song.flac
          segue fav list                 list favorites, newest first
          segue fav list --sort rating   best first; also title, year and date
          segue play 2-5                 favorites 2 to 5 of the list
          segue play favorites           all of them
        """), isLong: true, run: FavoriteVerbs.favorite),
    Verb(
      "rate", .library, "[0…10|none] [N|PATH|URI]", 0...unlimited, values: FavoriteVerbs.ratingValues,
      tr("rate a track (default: the current track)"),
      details: tr(
        """
          segue rate                     show the rating of the current track
          segue rate 8
          segue rate none                remove the rating
          segue rate 10 ~/Music/song.flac
          segue rate 9 track so what
        """), run: FavoriteVerbs.rate),
    Verb(
      "history", .library, "[N] [--sort time|plays]", 0...1, options: [.sort, .number], orders: HistorySort.words,
      tr("list played tracks, newest first"),
      details: tr(
        """
        A track counts as played after half of its duration or four minutes. Without
        N, a terminal shows the last 20 and a pipe receives all. --sort plays lists
        every track once, the most often played first. In a pipe, the fields are URI,
        time of the play or of the last one (UTC), title, artist, album and number of
        plays, separated by tabs.

          segue history 5
          segue play 2                   plays the second of them again
          segue history 50 --sort plays | cut -f1 | segue replace -
        """), isLong: true, run: FavoriteVerbs.history),
    Verb(
      "playlist", aliases: ["playlists", "pl"], .library, "[VERB NAME …]", 0...unlimited,
      options: [.replace, .number], values: PlaylistVerb.values, tr("list and edit playlists"),
      details: tr(
        """
        NAME is a name, or the number of an existing playlist in the last list. For
        show and load, a part suffices if only one playlist matches.

          segue playlist                 list all playlists (same as list)
          segue playlist show NAME       list the entries
          segue playlist load NAME       append the playlist to the queue
          segue playlist save NAME       save the queue; --replace overwrites
          segue playlist save NAME album kind of blue
          segue playlist add NAME [N|PATH|URI…]   default: the current track
          segue playlist remove NAME 3 5-9      remove entries by number
          segue playlist rename NAME NEW
          segue playlist delete NAME
        """), isLong: true, run: PlaylistVerb.run),
    Verb(
      "lyrics", .library, "[N|PATH|URI] | --follow", 0...unlimited, options: [.follow], values: .resources,
      tr("show lyrics (default: of the current track)"),
      details: tr(
        """
        With --follow, prints each line of the current track when it is sung, and goes
        on with the next track. The timestamps come from an .lrc file beside the track
        or from its tags; lyrics without timestamps are printed at once. Without
        --follow, a terminal shows all lines and marks the one that is sung now.

          segue lyrics
          segue lyrics track so what
          segue lyrics --follow
        """), isLong: true, run: TrackVerbs.lyrics),
    Verb(
      "folders", aliases: ["browse"], .library, "[N|PATH]", 0...1, options: [.number], values: .first(.files),
      tr("list a folder of the library"),
      details: tr(
        """
        Lists the folders and the tracks in a folder, by default of the music folder,
        or the music folders if there are several. They are numbered, and the next
        command accepts the numbers. In a pipe, the fields are URI, “folder” or
        “track”, name, artist and duration, separated by tabs.

          segue folders
          segue folders 2                what the second folder contains
          segue add 1-3
          segue folders ~/Music/Jazz
        """), isLong: true, run: FolderVerb.run),
    TrackVerbs.art,
    Verb(
      "library", aliases: ["lib"], .library, "", 0...0, tr("show library statistics, folders and errors"),
      details: tr(
        """
        In a pipe, the output consists of “key: value” lines: tracks, albums, artists,
        scanning, done, total, failed, error, then “folder: STATE URI” for each folder
        and “failure: URI KIND REASON” for each unreadable file, with tabs.

          segue library
          segue library | grep ^failure
        """), isLong: true, run: ScanVerbs.library),
    Verb(
      "scan", aliases: ["update"], .library, "[PATH…] [--watch] [--loudness] | --cancel", 0...unlimited,
      options: [.watch, .loudness, .cancel], values: .all(.files),
      tr("scan the music folders for changes"),
      details: tr(
        """
        Scans all music folders, or the given paths in them. Changes are also detected
        automatically. --watch shows the progress until the scan ends; interrupting it
        does not stop the scan. --loudness also measures tracks without loudness tags,
        in the background after the scan;   segue gain   uses the results. --cancel
        ends that measurement; what was measured is kept.

          segue scan --watch
          segue scan --loudness --watch  shows the estimated time
          segue scan --cancel
          segue scan ~/Music/New
        """), run: ScanVerbs.scan),
  ]
}

/// The verbs `tracks`, `albums`, `artists` and `genres`.
enum ListVerbs {
  @Sendable static func tracks(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let order = try ListOrder(context.options, keys: TrackSort.words, standard: "album")
    if !arguments.isEmpty { try order.requireSort() }
    let request = LibraryTracksRequest(sort: order.key(or: .album), order: order.direction ?? .ascending)
    try list(ListedTrack.self, request, order, matchesBy: .best, context, arguments)
  }

  @Sendable static func albums(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let order = try ListOrder(context.options, keys: AlbumSort.words, standard: "title")
    let request = LibraryAlbumsRequest(sort: order.key(or: .title), order: order.direction ?? .ascending)
    try list(Album.self, request, order, matchesBy: .title, context, arguments)
  }

  @Sendable static func artists(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let order = try ListOrder(context.options, keys: [], standard: "title")
    let request = LibraryArtistsRequest(order: order.direction ?? .ascending)
    try list(Artist.self, request, order, matchesBy: .title, context, arguments)
  }

  @Sendable static func genres(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if context.options.isGiven(.online) { return try CatalogListVerbs.genres(context, arguments) }
    try context.options.requireOnline()
    let part = joined(arguments).lowercased()
    try ListReader<Genre>(
      context: context, request: LibraryGenresRequest(),
      filter: arguments.isEmpty ? nil : { $0.name.lowercased().containsSubstring(part) },
      emptyMessage: arguments.isEmpty ? emptyLibraryMessage : tr("No matching genres.")
    ).showAsResults()
  }

  /// Prints the items that `request` lists, or those that match the query of the arguments, in the standard order
  /// `standardSort`.
  private static func list<Item: Tabular>(
    _ kind: Item.Type, _ request: any PagedRequest, _ order: ListOrder, matchesBy standardSort: SearchSort,
    _ context: VerbContext, _ arguments: [Argument]
  ) throws(ClientError) {
    guard !arguments.isEmpty else {
      try ListReader<Item>(
        context: context, request: request, limit: order.limit, emptyMessage: emptyLibraryMessage
      ).showAsResults()
      return
    }
    let search = LibrarySearchRequest(
      query: joined(arguments), type: Item.libraryKind, sort: order.key(or: standardSort), remember: false,
      order: order.direction ?? .ascending)
    let count = try ListReader<Item>(context: context, request: search, limit: order.limit).showAsResults()
    if count == 0 { try context.printNoMatches(Item.noMatches) }
  }

  /// Returns the arguments joined with spaces, so that queries need no quotes.
  static func joined(_ arguments: [Argument]) -> String { arguments.map(\.text).joined(separator: " ") }

  static var emptyLibraryMessage: String { tr("The library is empty.  segue library   shows the music folders.") }
}

extension VerbContext {
  /// Prints `message` on a terminal if a search has no results, or explains that the library is empty or being scanned.
  func printNoMatches(_ message: String) throws(ClientError) {
    guard style.isTerminal, !printsJSON else { return }
    let status = try call(LibraryStatusRequest()).value
    var line = message
    if status.scanning || status.searchable < status.tracks {
      line = tr("Nothing yet: the library is being scanned.  segue scan --watch   shows the progress.")
    } else if status.tracks == 0 {
      line = ListVerbs.emptyLibraryMessage
    }
    console.printLine(style.fitted(style.withASCIIFallback(line)))
  }
}
