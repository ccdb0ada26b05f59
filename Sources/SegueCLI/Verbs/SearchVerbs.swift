internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The verbs `search` and `suggest`.
enum SearchVerbs {
  static let search = Verb(
    "search", .library, "[QUERY…] [--play|--add|--next|--online] [OPTION…]", 0...Verb.unlimited,
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
      """), isLong: true, run: search)

  static let suggest = Verb(
    "suggest", .library, "PREFIX…", 1...Verb.unlimited, tr("complete a partial search"),
    details: tr(
      """
      Matches among the last five searches are listed first. In a pipe, the fields
      are URI, kind and text, separated by tabs.

        segue suggest mil
      """), run: suggest)

  @Sendable static func search(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = context.options
    let placements = options.verbOptions.filter { if case .placement = $0 { true } else { false } }
    guard Set(placements.map(\.name)).count <= 1 else {
      throw .usage(tr("--play, --add and --next cannot be combined"))
    }
    if options.isGiven(.online) {
      if let option = placements.first {
        throw .usage(
          tr("%1$s cannot be combined with %2$s", option.name.rawValue, "--online"),
          hints: [tr("segue search --online TERM   prints numbers; then   segue play N   plays a result")])
      }
      return try CatalogListVerbs.search(context, arguments)
    }
    try options.requireOnline()
    guard !arguments.isEmpty else {
      if let option = placements.first {
        throw .usage(tr("%1$s requires %2$s", option.name.rawValue, "QUERY"), hints: ["segue help search"])
      }
      return try lastSearches(HistorySearchesRequest(), context)
    }
    let query = ListVerbs.joined(arguments)
    if case .placement(let placement) = placements.first {
      try QueueVerbs.add(context, ["segue:search/\(FileURI.percentEncoded(query))"], placement)
    } else if context.printsJSON {
      context.print(json: try context.call(LibrarySearchRequest(query: query)).json)
    } else {
      try show(query, context)
    }
  }

  /// Prints the matches, or the matches of a corrected query if there are none.
  private static func show(_ query: String, _ context: VerbContext) throws(ClientError) {
    for acceptsCorrection in [false, true] {
      let numbering = context.resultNumbering()
      // The kinds mostly have the same correction, which is announced once.
      var announced: Set<String> = []
      let announce = { (correction: String) in
        guard announced.insert(correction).inserted else { return }
        context.printNotice(tr("no matches; showing results for “%1$s”", correction))
      }
      func section<Item: Tabular>(_ kind: Item.Type, _ heading: String, _ limit: Int) throws(ClientError) -> Int {
        try ListReader<Item>(
          context: context, request: LibrarySearchRequest(query: query, type: Item.libraryKind),
          limit: context.style.isTerminal ? limit : .max, heading: heading, moreHint: "segue \(Item.noun)s …",
          acceptsCorrection: acceptsCorrection, announceCorrection: announce, numbering: numbering
        ).show()
      }
      let count =
        try section(Artist.self, tr("Artists"), 5) + section(Album.self, tr("Albums"), 10)
        + section(ListedTrack.self, tr("Tracks"), 20)
      context.keep(numbering)
      if count > 0 { return }
    }
    context.discardResults()
    try context.printNoMatches(tr("No matches."))
  }

  /// Prints the last searches.
  static func lastSearches(
    _ request: some ProtocolRequest<SearchList>, _ context: VerbContext
  ) throws(ClientError) {
    let result = try context.call(request)
    if context.printsJSON { return context.print(json: result.json) }
    let searches = result.value.searches
    for search in searches { context.console.printLine(search.visible) }
    if searches.isEmpty, context.style.isTerminal { context.console.printLine(tr("No searches yet.")) }
  }

  @Sendable static func suggest(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let prefix = ListVerbs.joined(arguments)
    let result = try context.call(LibrarySuggestRequest(prefix: prefix))
    if context.printsJSON { return context.print(json: result.json) }
    let style = context.style
    for suggestion in result.value.suggestions {
      let (text, kind) = (suggestion.text.visible, suggestion.type.label)
      guard style.isTerminal else {
        context.console.printLine([suggestion.uri.visible, kind, text].joined(separator: "\t"))
        continue
      }
      let shown = text.truncated(to: max(8, style.columns - DisplayWidth.of(kind) - 2), ellipsis: style.ellipsis)
      context.console.printLine(shown + "  " + style.paint(kind, .dim))
    }
  }
}
