internal import SegueFrontend
internal import SegueRPC
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The verbs `search` and `suggest`.
enum SearchVerbs {
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
