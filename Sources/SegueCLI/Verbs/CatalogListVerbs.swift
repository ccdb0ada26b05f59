internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The verbs that list items of online catalogues: `search --online`, `popular`, `people`, `radio` and `genres
/// --online`.
enum CatalogListVerbs {
  static let popular = Verb(
    "popular", .catalog, "[KIND] [--genre GENRE] [--refresh] [--page N] [OPTION…]", 0...1,
    options: [.genre, .refresh, .page, .limit, .provider, .country, .tiles, .number],
    values: .first(.words(CatalogItem.Kind.words)), tr("list popular songs, or items of another kind"),
    details: tr(
      """
      KIND is song, album, artist, film, audiobook, podcast, station or person, in
      the singular or plural;   segue providers   shows which are available. GENRE
      is the name of a genre (see help genres) or its beginning; all lists all
      genres. --refresh does not use the cache. Also accepted: --limit N (20 items;
      at most 200), --provider NAME, --country CODE, --tiles and --number; see
      help search.

      Results are numbered, and the next command accepts the numbers.

        segue popular
        segue popular films --genre comedy --tiles
        segue play 3
      """), run: popular)

  static let radio = Verb(
    "radio", .catalog, "[TERM…] [--genre GENRE] [--refresh] [--page N] [OPTION…]", 0...Verb.unlimited,
    options: [.genre, .refresh, .page, .limit, .provider, .country, .tiles, .number],
    tr("find radio stations (default: popular ones)"),
    details: tr(
      """
      --genre and --refresh are for popular stations only. Also accepted: --limit N,
      --provider NAME, --country CODE, --tiles and --number; see help search.

        segue radio jazz
        segue play 1
      """), run: radio)

  static let people = Verb(
    "people", .catalog, "[--refresh] [--page N] [OPTION…]", 0...0,
    options: [.refresh, .page, .limit, .provider, .country, .tiles, .number],
    tr("list popular artists or actors"),
    details: tr(
      """
      Also accepted: --limit N, --provider NAME, --country CODE, --tiles and
      --number; see help search.

        segue people
        segue person 2
      """), run: people)

  static func search(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    guard !arguments.isEmpty else {
      if let option = context.options.verbOptions.first(where: { CatalogOptions.onlineOnly.contains($0.name) }) {
        throw .usage(tr("%1$s requires %2$s", option.name.rawValue, "TERM"), hints: ["segue help search"])
      }
      return try SearchVerbs.lastSearches(CatalogSearchesRequest(), context)
    }
    let request = CatalogSearchRequest(
      query: ListVerbs.joined(arguments), kind: options.kind, provider: options.provider, country: options.country)
    try show(request, options, empty: tr("No matches."), context)
  }

  @Sendable static func popular(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let kind = try arguments.first.map { argument throws(ClientError) in try CatalogItem.Kind(parsing: argument.text) }
    let request = CatalogPopularRequest(
      kind: kind ?? .song, genre: options.genre, provider: options.provider, country: options.country,
      refresh: options.refresh)
    try show(request, options, empty: tr("Nothing is listed."), context)
  }

  @Sendable static func people(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let request = CatalogPeopleRequest(
      provider: options.provider, country: options.country, refresh: options.refresh)
    try show(request, options, empty: tr("Nobody is listed."), context)
  }

  /// Searches for stations, or lists the popular ones.
  @Sendable static func radio(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let isSearch = !arguments.isEmpty
    if isSearch, let option = context.options.verbOptions.first(where: { [.genre, .refresh].contains($0.name) }) {
      throw .usage(tr("%1$s cannot be combined with %2$s", option.name.rawValue, "TERM"), hints: ["segue help radio"])
    }
    let request: any PagedRequest<CatalogPage> =
      isSearch
      ? CatalogSearchRequest(
        query: ListVerbs.joined(arguments), kind: .station, provider: options.provider, country: options.country)
      : CatalogPopularRequest(
        kind: .station, genre: options.genre, provider: options.provider, country: options.country,
        refresh: options.refresh)
    try show(request, options, empty: tr("No stations."), context)
  }

  /// Sends the request and prints the page.
  private static func show(
    _ request: some PagedRequest<CatalogPage>, _ options: CatalogOptions, empty: String, _ context: VerbContext
  ) throws(ClientError) {
    let (result, terminal) = try context.callCatalog(options.page(of: request))
    if context.printsJSON { return context.print(json: result.json) }
    let page = result.value
    let style = context.style
    if page.items.isEmpty {
      context.discardResults()
      if style.isTerminal { context.console.printLine(empty) }
    }
    try CatalogListing(
      context: context, items: page.items, first: page.offset.oneBased, usesTiles: options.tiles, terminal: terminal
    ).show()
    CatalogPageHint(
      offset: page.offset, count: page.items.count, limit: page.limit, total: page.total, page: options.page
    ).show(context)
    CatalogNotes(attribution: page.attribution, isStale: page.stale, age: page.age).show(context)
  }

  static func genres(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let (result, _) = try context.callCatalog(
      CatalogGenresRequest(kind: options.kind ?? .song, provider: options.provider))
    if context.printsJSON { return context.print(json: result.json) }
    let part = ListVerbs.joined(arguments).lowercased()
    let genres = result.value.genres.filter { $0.name.lowercased().containsSubstring(part) }
    let style = context.style
    guard style.isTerminal else {
      for genre in genres {
        context.console.printLine([genre.id, genre.name, genre.provider].map(\.visible).joined(separator: "\t"))
      }
      return
    }
    if genres.isEmpty { context.console.printLine(tr("No matching genres.")) }
    let rows = genres.map { Table.Row(cells: [$0.id.visible, $0.name.visible, $0.provider.visible]) }
    let table = Table([.text(), .text(weight: 2), .text(dropOrder: 1)], first: rows, style: style)
    for row in rows { context.console.printLine(table.line(row)) }
  }
}

extension VerbContext {
  /// Sends a request to a catalogue and returns its result. Meanwhile, the terminal is asked whether it displays
  /// pictures; the returned terminal is nil if it does not.
  func callCatalog<Value>(
    _ request: some ProtocolRequest<Value>
  ) throws(ClientError) -> (result: Response<Value>, terminal: GraphicsTerminal?) {
    let id = try send(EncodedRequest(request), progress: tr("asking the catalogue…"))
    let terminal = style.columns >= Self.minimumColumns ? try graphicsTerminal() : nil
    do throws(ClientError) {
      return (Response(try response(to: id, progress: tr("asking the catalogue…"))), terminal)
    } catch {
      let hints: [String]
      switch error.kind.flatMap(Failure.Kind.init) {
      case .denied, .unavailable: hints = [tr("segue providers   shows which providers can be used")]
      case .notFound: hints = [tr("segue search --online TERM   finds items")]
      default: throw error
      }
      throw error.with(hints: hints)
    }
  }
}
