internal import SegueSystem
internal import SegueWire

extension Verb {
  static let library = [
    Verb(
      "search", .library, "[QUERY…] [--play|--add|--next]", 0...unlimited, flags: ["--play", "--add", "--next"],
      "find tracks, albums and artists",
      details: """
        Words in any order, begun or whole, in any script: kino finds Кино. These
        narrow a search: artist: album: title: genre: year:1990..1999 format:flac
        added:30d rating:8.. is:favorite, "words in quotes", -without.
        First what has just this title, then what begins with it, has all words in
        the title, has them anywhere; among equals favourites, then what is played
        most, then album by album. More than 5,000 of a kind are not told apart.

        --play plays what was found now, --next after the current entry, --add puts
        it at the end. Without QUERY: the last searches.

        Into a pipe all that was found, in lines as those of artists, albums, tracks.

          segue search miles blue
          segue search genre:jazz year:1950..1969 --play
          segue search 'artist:"The Beatles" -live' --add
        """, run: SearchVerbs.search),
    Verb(
      "suggest", .library, "PREFIX…", 1...unlimited, "what may be meant by what is typed so far",
      details: """
        First of the last five searches those that hold it. Into a pipe: URI, kind
        and text, with tabs between.

          segue suggest mil
        """, run: SearchVerbs.suggest),
    Verb(
      "albums", .library, "[QUERY…]", 0...unlimited, "the albums, or those that match",
      details: """
        By title. Into a pipe a line each, with tabs between: URI, title, artist,
        year, number of songs, length, and “favorite” or nothing.

          segue albums
          segue albums added:30d
          segue albums year:1959 | cut -f1 | xargs segue add
        """, run: ListVerbs.albums),
    Verb(
      "artists", .library, "[QUERY…]", 0...unlimited, "who is heard, or those that match",
      details: """
        By name. Into a pipe: URI, name, number of albums, number of songs, and
        “favorite” or nothing, with tabs between.
        """, run: ListVerbs.artists),
    Verb(
      "genres", .library, "[PART]", 0...unlimited, "the genres, or those with PART in the name",
      details: """
        Into a pipe: URI, name, number of songs, with tabs between.

          segue add segue:genre/Jazz
        """, run: ListVerbs.genres),
    Verb(
      "tracks", aliases: ["songs"], .library, "[QUERY…]", 0...unlimited, "the tracks, or those that match",
      details: """
        By album; of those that match the best first. Into a pipe a line each, with
        tabs between: URI, title, artist, album, year, length, rating, and “favorite”,
        “offline”, “unplayable” or nothing.

          segue tracks | wc -l
          segue tracks is:favorite rating:8..
          segue tracks kino | cut -f1 | xargs -d '\\n' segue add
        """, run: ListVerbs.tracks),
    Verb(
      "album", .library, "ID|NAME", 1...unlimited, "what is on an album",
      details: """
        The number is the one that   segue albums   shows. A name need not be whole
        if only one album matches it.

          segue album 12
          segue album kind of blue
          segue add segue:album/12
        """, run: DetailVerbs.album),
    Verb(
      "artist", .library, "ID|NAME", 1...unlimited, "the albums on which somebody is heard",
      details: """
          segue artist 7
          segue artist miles davis
          segue play segue:artist/7
        """, run: DetailVerbs.artist),
    Verb(
      "fav", aliases: ["favorite", "favourite", "like", "love"], .library, "[add|remove|list] […]", 0...unlimited,
      "favourites; alone: the current track, or no longer",
      details: """
          segue fav                      the current track, in or out
          segue fav add                  the current track
          segue fav add segue:album/12 ~/Music/song.flac
          segue fav remove segue:album/12
          segue fav list                 the newest first
          segue fav list rating          the best first; title, year likewise
        """, run: FavoriteVerbs.favorite),
    Verb(
      "rate", .library, "0…10|none [PATH|URI]", 1...2, "rate a track; the current one if none is named",
      details: """
          segue rate 8
          segue rate none                take the rating back
          segue rate 10 ~/Music/song.flac
        """, run: FavoriteVerbs.rate),
    Verb(
      "history", .library, "[N]", 0...1, "what was played, the newest first",
      details: """
        A track counts once half of it, or four minutes, were heard. On a terminal the
        last 20 without N; into a pipe all, with tabs between: URI, time (UTC), title,
        artist, album.
        """, run: FavoriteVerbs.history),
    Verb(
      "playlist", aliases: ["playlists", "pl"], .library, "[VERB NAME …]", 0...unlimited,
      flags: ["--replace"], "the playlists, and what is done with them",
      details: """
          segue playlist                 all of them (list is the same)
          segue playlist show NAME       what is in one
          segue playlist load NAME       put it at the end of the queue
          segue playlist save NAME       make one of the queue; --replace an old one
          segue playlist save NAME segue:album/12 …
          segue playlist add NAME [PATH|URI…]   the current track if none is named
          segue playlist remove NAME 3 5-9      entries, by their numbers
          segue playlist rename NAME NEW
          segue playlist delete NAME
        """, run: PlaylistVerb.run),
    Verb(
      "lyrics", .library, "[PATH|URI]", 0...1, "the words of a track, or of the current one", run: TrackVerbs.lyrics),
    TrackVerbs.art,
    Verb(
      "library", aliases: ["lib"], .library, "", 0...0, "how much there is, where it looks, what failed",
      details: """
        Into a pipe “key: value” lines, always tracks, albums, artists, scanning,
        done, total, failed, error, then a “folder: STATE URI” for each folder and
        a “failure: URI KIND REASON” for each file, with tabs between those.
        """, run: ScanVerbs.library),
    Verb(
      "scan", .library, "[PATH…] [--watch] [--loudness]", 0...unlimited, flags: ["--watch", "--loudness"],
      "look for what is new or gone",
      details: """
        The music folders, or what is named of them; this happens by itself, too.
        --watch shows how far it is, until it is done. Ending that does not end the
        scan. --loudness then measures in the background what files do not say of
        their loudness, for segue gain.

          segue scan --watch
          segue scan ~/Music/New
        """, run: ScanVerbs.scan),
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
    var reader = ListReader<Genre>(context: context, method: "library.genres", emptyMessage: emptyLibraryMessage)
    if !arguments.isEmpty {
      let part = joined(arguments).lowercased()
      reader.filter = { $0.name.lowercased().containsSubstring(part) }
      reader.emptyMessage = "No genre has that in its name."
    }
    try reader.show()
  }

  private static func list<Item: Tabular>(
    _ kind: Item.Type, _ method: String, by order: Order, _ context: VerbContext, _ arguments: [Argument]
  ) throws(ClientError) {
    guard arguments.isEmpty else {
      let count = try search(kind, joined(arguments), by: order, context, isRemembered: false).show()
      if count == 0 { try context.printNoMatches("No \(Item.noun) matches that.") }
      return
    }
    try ListReader<Item>(context: context, method: method, emptyMessage: emptyLibraryMessage).show()
  }

  /// An order of search results.
  enum Order: String {
    case best, title
  }

  /// Returns a reader of the items of a kind that match `query`. If `isRemembered` is true, the daemon adds the query to the
  /// last searches.
  static func search<Item: Tabular>(
    _ kind: Item.Type, _ query: String, by order: Order, _ context: VerbContext, isRemembered: Bool
  ) -> ListReader<Item> {
    ListReader(
      context: context, method: "library.search",
      parameters: {
        $0.member("query", query)
        $0.member("type", Item.noun)
        if order != .best { $0.member("sort", order.rawValue) }
        if !isRemembered { $0.member("remember", false) }
      })
  }

  /// Returns the arguments joined with spaces, so that queries need no quotes.
  static func joined(_ arguments: [Argument]) -> String { arguments.map(\.text).joined(separator: " ") }

  static let emptyLibraryMessage = "The library is empty.  segue library   shows where it looks."
}

extension VerbContext {
  /// Prints `message` on a terminal if a search has no results, or explains that the library is empty or being scanned.
  func printNoMatches(_ message: String) throws(ClientError) {
    guard style.isTerminal, !options.json else { return }
    let status = LibraryStatus(try call(Request("library.status")))
    var line = message
    if status.scanning || status.searchable < status.tracks {
      line = "Nothing yet: the library is being scanned.  segue scan --watch   shows how far it is."
    } else if status.tracks == 0 {
      line = ListVerbs.emptyLibraryMessage
    }
    console.printLine(style.withASCIIFallback(line).truncated(to: style.columns, ellipsis: style.ellipsis))
  }
}
