internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verbs `fav`, `rate` and `history`.
enum FavoriteVerbs {
  static let favorite = Verb(
    "fav", aliases: ["favorite", "favorites", "favourite", "favourites", "like", "love"], .library,
    "[add|remove|list] […]", 0...Verb.unlimited,
    options: [.sort, .reverse, .number], orders: FavoriteSort.words, values: favoriteValues,
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
      """), isLong: true, run: favorite)

  static let rate = Verb(
    "rate", .library, "[0…10|none] [N|PATH|URI]", 0...Verb.unlimited, values: ratingValues,
    tr("rate a track (default: the current track)"),
    details: tr(
      """
        segue rate                     show the rating of the current track
        segue rate 8
        segue rate none                remove the rating
        segue rate 10 ~/Music/song.flac
        segue rate 9 track so what
      """), run: rate)

  static let history = Verb(
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
      """), isLong: true, run: history)

  private enum Action: String, CaseIterable {
    case add, remove, list
  }

  static let favoriteValues = ArgumentValues { arguments in
    guard let word = arguments.first else { return [.words(Action.words)] }
    return switch Action(rawValue: word) {
    case .list: arguments.count == 1 ? [.words(FavoriteSort.words)] : []
    case .add, .remove: ArgumentValues.resources(after: arguments.dropFirst())
    case nil: []
    }
  }

  static let ratingValues = ArgumentValues { arguments in
    arguments.isEmpty
      ? [.words((0...10).map(String.init) + ["none"])] : ArgumentValues.resources(after: arguments.dropFirst())
  }

  @Sendable static func favorite(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if arguments.first?.text != Action.list.rawValue, let option = context.options.verbOptions.first {
      throw .usage(tr("%1$s can only be used with %2$s", option.name.rawValue, "fav list"))
    }
    guard let word = arguments.first?.text else {
      let track = try context.currentTrack()
      return try set(context, [track.uri], to: !track.favorite, of: track)
    }
    guard let action = Action(rawValue: word) else {
      throw .usage(
        tr("unknown action “%1$s”: use add, remove or list", word),
        hints: EditDistance.nearest(to: word, in: Action.words).map {
          [tr("did you mean   segue %1$s   ?", "fav \($0)")]
        } ?? ["segue fav add \(word)", "segue help fav"])
    }
    let rest = Array(arguments.dropFirst())
    if action == .list { return try list(context, rest) }
    if !rest.isEmpty {
      let uris = try context.uris(for: rest, acceptsEntries: true)
      context.printResults(namedBy: rest, acceptsEntries: true)
      return try set(context, uris, to: action == .add)
    }
    let track = try context.currentTrack()
    try set(context, [track.uri], to: action == .add, of: track)
  }

  private static func set(
    _ context: VerbContext, _ uris: [String], to isFavorite: Bool, of track: QueueEntry? = nil
  ) throws(ClientError) {
    var result = FavoriteResult(uris: [], failed: URIFailureList(), total: 0)
    for batch in URIBatches.split(uris) {
      let request: any ProtocolRequest<FavoriteResult> =
        isFavorite ? FavoritesAddRequest(uris: batch) : FavoritesRemoveRequest(uris: batch)
      result.append(try context.call(request).value)
    }
    context.printErrors(result.failed)
    if context.printsJSON {
      context.print(encoded: result)
    } else if !result.uris.isEmpty {
      context.console.printLine(message(isFavorite, track?.heading(context.style), result))
    }
    if result.uris.isEmpty { throw ClientError(.failed, tr("nothing was changed"), hints: ["segue help fav"]) }
  }

  /// Returns the message about added or removed favorites; `heading` is that of the only track.
  private static func message(_ isFavorite: Bool, _ heading: String?, _ result: FavoriteResult) -> String {
    let changed = result.urisTotal - result.unchanged
    if changed == 0 {
      return isFavorite
        ? trn(
          "already a favorite (%2$d in total)", "already favorites (%2$d in total)", result.urisTotal, result.total)
        : trn("not a favorite (%2$d left)", "not favorites (%2$d left)", result.urisTotal, result.total)
    }
    if let heading {
      return isFavorite
        ? tr("added %1$s to favorites (%2$d in total)", heading, result.total)
        : tr("removed %1$s from favorites (%2$d left)", heading, result.total)
    }
    return isFavorite
      ? trn(
        "added %1$d favorite (%2$d in total)", "added %1$d favorites (%2$d in total)", changed, result.total)
      : trn(
        "removed %1$d favorite (%2$d left)", "removed %1$d favorites (%2$d left)", changed, result.total)
  }

  private static func list(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    guard arguments.count <= 1 else {
      throw .usage(tr("%1$s: too many arguments", "fav list"), hints: ["segue help fav"])
    }
    let order = try ListOptions(
      context.options, keys: FavoriteSort.words, standard: "date", word: arguments.first?.text)
    if context.printsJSON { return try printJSON(order, context) }
    let numbering = context.resultNumbering()
    let count =
      try section(Artist.self, tr("Artists"), order, numbering, context)
      + section(Album.self, tr("Albums"), order, numbering, context)
      + section(ListedTrack.self, tr("Tracks"), order, numbering, context)
    context.keep(numbering)
    if count == 0, context.style.isTerminal {
      context.console.printLine(tr("No favorites.  segue fav   makes the current track one."))
    }
  }

  /// Prints all pages in the form of a single response.
  private static func printJSON(_ order: ListOptions, _ context: VerbContext) throws(ClientError) {
    var pages: [JSON] = []
    var count = 0
    while true {
      let page = try context.call(
        FavoritesListRequest(sort: order.key(or: .date), order: order.direction, offset: count))
      pages.append(page.json)
      let found = page.value
      let pageCount = found.tracks.count + found.albums.count + found.artists.count
      count += pageCount
      if pageCount == 0 || count >= found.total { break }
    }
    context.print(pages: pages, joining: ["tracks", "albums", "artists"])
  }

  private static func section<Item: Tabular>(
    _ kind: Item.Type, _ heading: String, _ order: ListOptions, _ numbering: ResultNumbering?, _ context: VerbContext
  ) throws(ClientError) -> Int {
    try ListReader<Item>(
      context: context,
      request: FavoritesListRequest(type: Item.libraryKind, sort: order.key(or: .date), order: order.direction),
      heading: heading, numbering: numbering
    ).show()
  }

  @Sendable static func rate(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if arguments.isEmpty { return try showRating(context) }
    let text = arguments[0].text
    let rating = text == "0" ? 0 : EntryRange.positiveInteger(text)
    guard text == "none" || rating.map({ $0 <= 10 }) == true else {
      throw .usage(tr("invalid rating “%1$s”: use 0 to 10, or none", text))
    }
    let item: ResultList.Result
    if arguments.count > 1 {
      item = try context.item(for: Array(arguments.dropFirst()), acceptsEntries: true)
    } else {
      let track = try context.currentTrack()
      item = ResultList.Result(uri: track.uri, title: track.heading(context.style))
    }
    context.print(try context.call(RatingSetRequest(uri: item.uri, rating: rating))) {
      message($0, item.title.visible)
    }
  }

  /// Prints the rating of the current track.
  private static func showRating(_ context: VerbContext) throws(ClientError) {
    let track = try context.currentTrack()
    context.print(try context.call(RatingGetRequest(uri: track.uri))) { message($0, track.heading(context.style)) }
  }

  private static func message(_ rating: Rating, _ name: String) -> String {
    rating.rating.map { tr("%1$s: %2$d of 10", name, $0) } ?? tr("%1$s: no rating", name)
  }

  @Sendable static func history(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var limit = context.style.isTerminal && !context.printsJSON ? 20 : Int.max
    if let text = arguments.first?.text {
      guard let count = EntryRange.positiveInteger(text) else {
        throw .usage(tr("invalid number of plays “%1$s”: use a number from 1", text))
      }
      limit = count
    }
    let order = try ListOptions(context.options, keys: HistorySort.words, standard: "time")
    try ListReader<PlayedTrack>(
      context: context, request: HistoryListRequest(sort: order.key(or: .time)), limit: limit,
      emptyMessage: tr("No tracks have been played yet.")
    ).showAsResults()
  }
}

extension FavoriteResult {
  /// Adds the result of a later batch.
  fileprivate mutating func append(_ later: FavoriteResult) {
    uris += later.uris
    urisTotal += later.urisTotal
    unchanged += later.unchanged
    failed.append(contentsOf: later.failed)
    total = later.total
  }
}
