internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The verbs `fav`, `rate` and `history`.
enum FavoriteVerbs {
  private enum Action: String, CaseIterable {
    case add, remove, list
  }

  @Sendable static func favorite(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    guard let word = arguments.first?.text else {
      let track = try context.currentTrack()
      return try set(context, [track.uri], to: !track.favorite, of: track)
    }
    guard let action = Action(rawValue: word) else {
      throw .usage(
        "unknown action “\(word)”: use add, remove or list",
        hints: ["segue fav add \(word)", "segue help fav"])
    }
    let rest = Array(arguments.dropFirst())
    if action == .list { return try list(context, rest) }
    if !rest.isEmpty {
      let uris = try context.uris(for: rest)
      context.printResults(namedBy: rest)
      return try set(context, uris, to: action == .add)
    }
    let track = try context.currentTrack()
    try set(context, [track.uri], to: action == .add, of: track)
  }

  private static func set(
    _ context: VerbContext, _ uris: [String], to isFavorite: Bool, of track: Track? = nil
  ) throws(ClientError) {
    var result = FavoriteResult(uris: [], failed: URIFailureList(), total: 0)
    for batch in URIBatches.split(uris) {
      let response = try context.call(
        ClientRequest(isFavorite ? "favorites.add" : "favorites.remove") { $0.member("uris", batch) })
      result.append(FavoriteResult(response))
    }
    context.printErrors(result.failed)
    if context.printsJSON {
      context.print(encoded: result)
    } else if !result.uris.isEmpty {
      let items = track?.heading(context.style) ?? counted(result.urisTotal, "favourite")
      let total = "(\(result.total) \(isFavorite ? "in total" : "left"))"
      context.console.printLine(
        track == nil
          ? "\(isFavorite ? "added" : "removed") \(items) \(total)"
          : isFavorite ? "added \(items) to favourites \(total)" : "removed \(items) from favourites \(total)")
    }
    if result.uris.isEmpty { throw ClientError(.failed, "nothing was changed", hints: ["segue help fav"]) }
  }

  private static func list(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let sorts = ["date", "title", "year", "rating"]
    let sort = arguments.first?.text ?? sorts[0]
    guard arguments.count <= 1, sorts.contains(sort) else {
      throw .usage(
        "invalid arguments for fav list: use date, title, year or rating", hints: sorts.map { "segue fav list \($0)" })
    }
    if context.printsJSON { return try printJSON(sort, context) }
    let count =
      try section(Artist.self, "Artists", sort, context) + section(Album.self, "Albums", sort, context)
      + section(ListedTrack.self, "Tracks", sort, context)
    if count == 0, context.style.isTerminal {
      context.console.printLine("No favourites.  segue fav   makes the current track one.")
    }
  }

  /// Prints all pages in the form of a single response.
  private static func printJSON(_ sort: String, _ context: VerbContext) throws(ClientError) {
    let lists = ["tracks", "albums", "artists"]
    var pages: [JSON] = []
    var count = 0
    while true {
      let page = try context.call(
        ClientRequest("favorites.list") {
          $0.member("sort", sort)
          if count > 0 { $0.member("offset", count) }
        })
      pages.append(page)
      let pageCount = lists.reduce(0) { $0 + (page[$1]?.count ?? 0) }
      count += pageCount
      if pageCount == 0 || count >= page["total"]?.int ?? 0 { break }
    }
    context.print(pages: pages, joining: lists)
  }

  private static func section<Item: Tabular>(
    _ kind: Item.Type, _ heading: String, _ sort: String, _ context: VerbContext
  ) throws(ClientError) -> Int {
    try ListReader<Item>(
      context: context, method: "favorites.list",
      parameters: {
        $0.member("type", Item.noun)
        $0.member("sort", sort)
      }, heading: heading
    ).show()
  }

  @Sendable static func rate(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let text = arguments[0].text
    let rating = text == "0" ? 0 : EntryRange.positiveInteger(text)
    guard text == "none" || rating.map({ $0 <= 10 }) == true else {
      throw .usage("invalid rating “\(text)”: use 0 to 10, or none")
    }
    let track = arguments.count > 1 ? nil : try context.currentTrack()
    let uri = if let track { track.uri } else { try context.uri(for: arguments[1]) }
    let result = try context.call(
      ClientRequest("rating.set") {
        $0.member("uri", uri)
        $0.member("rating", rating)
      })
    context.print(result) { result in
      let name = track?.heading(context.style) ?? displayURI(uri)
      return Rating(result).rating.map { "\(name): \($0) of 10" } ?? "\(name): no rating"
    }
  }

  @Sendable static func history(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var limit = context.style.isTerminal && !context.printsJSON ? 20 : Int.max
    if let text = arguments.first?.text {
      guard let count = EntryRange.positiveInteger(text) else { throw .usage("invalid number of plays “\(text)”") }
      limit = count
    }
    try ListReader<PlayedTrack>(
      context: context, method: "history.list", limit: limit, emptyMessage: "No tracks have been played yet."
    ).show()
  }
}

extension FavoriteResult {
  /// Adds the result of a later batch.
  fileprivate mutating func append(_ later: FavoriteResult) {
    uris += later.uris
    urisTotal += later.urisTotal
    failed.append(contentsOf: later.failed)
    total = later.total
  }
}
