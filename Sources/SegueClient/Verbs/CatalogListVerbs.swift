internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The verbs that list items of online catalogues: `search --online`, `popular`, `people`, `radio` and `genres --online`.
enum CatalogListVerbs {
  /// The number of items of a page, unless `--limit` is given.
  private static let searchLimit = 30
  private static let chartLimit = 20

  static func search(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    guard !arguments.isEmpty else {
      if let option = context.options.verbOptions.first(where: { CatalogOptions.onlineOnly.contains($0.name) }) {
        throw .usage(tr("%1$s requires %2$s", option.name.rawValue, "TERM"), hints: ["segue help search"])
      }
      return try SearchVerbs.lastSearches("catalog.hints", context)
    }
    let request = ClientRequest("catalog.search") {
      $0.member("query", ListVerbs.joined(arguments))
      if let kind = options.kind { $0.member("kind", kind.rawValue) }
      options.encodePage(into: &$0, standardLimit: searchLimit)
    }
    try show(request, options, searchLimit, empty: tr("No matches."), context)
  }

  @Sendable static func popular(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let kind = try arguments.first.map { argument throws(ClientError) in try Item.Kind(parsing: argument.text) }
    let request = ClientRequest("catalog.popular") {
      if let kind { $0.member("kind", kind.rawValue) }
      options.encodeGenre(into: &$0)
      options.encodePage(into: &$0, standardLimit: chartLimit)
    }
    try show(request, options, chartLimit, empty: tr("Nothing is listed."), context)
  }

  @Sendable static func people(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let request = ClientRequest("catalog.people") { options.encodePage(into: &$0, standardLimit: chartLimit) }
    try show(request, options, chartLimit, empty: tr("Nobody is listed."), context)
  }

  /// Searches for stations, or lists the popular ones.
  @Sendable static func radio(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let isSearch = !arguments.isEmpty
    if isSearch, let option = context.options.verbOptions.first(where: { [.genre, .refresh].contains($0.name) }) {
      throw .usage(tr("%1$s cannot be combined with %2$s", option.name.rawValue, "TERM"), hints: ["segue help radio"])
    }
    let limit = isSearch ? searchLimit : chartLimit
    let request = ClientRequest(isSearch ? "catalog.search" : "catalog.popular") {
      if isSearch { $0.member("query", ListVerbs.joined(arguments)) }
      $0.member("kind", Item.Kind.station.rawValue)
      options.encodeGenre(into: &$0)
      options.encodePage(into: &$0, standardLimit: limit)
    }
    try show(request, options, limit, empty: tr("No stations."), context)
  }

  /// Sends the request and prints the page.
  private static func show(
    _ request: ClientRequest, _ options: CatalogOptions, _ standardLimit: Int, empty: String, _ context: VerbContext
  ) throws(ClientError) {
    let (result, terminal) = try context.callCatalog(request)
    if context.printsJSON { return context.print(json: result) }
    let page = CatalogPage(result)
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
      ClientRequest("catalog.genres") {
        $0.member("kind", (options.kind ?? .song).rawValue)
        if let provider = options.provider { $0.member("provider", provider) }
      })
    if context.printsJSON { return context.print(json: result) }
    let part = ListVerbs.joined(arguments).lowercased()
    let genres = CatalogGenreList(result).genres.filter { $0.name.lowercased().containsSubstring(part) }
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
  /// Sends a request to a catalogue and returns its result. Meanwhile, the terminal is asked whether it displays pictures; the
  /// returned terminal is nil if it does not.
  func callCatalog(_ request: ClientRequest) throws(ClientError) -> (result: JSON, terminal: GraphicsTerminal?) {
    let id = try send(request, progress: tr("asking the catalogue…"))
    let terminal = style.columns >= Self.minimumColumns ? try graphicsTerminal() : nil
    do throws(ClientError) {
      return (try response(to: id, progress: tr("asking the catalogue…")), terminal)
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
