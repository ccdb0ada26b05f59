internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The verbs `tracks`, `albums`, `artists` and `genres`.
enum ListVerbs {
  static let albums = Verb(
    "albums", .library, "[QUERY…] [--sort KEY] [--reverse] [--limit N]", 0...Verb.unlimited,
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
      """), isLong: true, run: albums)

  static let artists = Verb(
    "artists", .library, "[QUERY…] [--reverse] [--limit N]", 0...Verb.unlimited,
    options: [.reverse, .limit, .number], tr("list artists"),
    details: tr(
      """
      Artists are sorted by name and numbered as albums are. In a pipe, the fields
      are URI, name, number of albums, number of songs, and “favorite” or nothing,
      separated by tabs.

        segue artists
        segue artist 2                 the albums of the second one
        segue artists miles
      """), isLong: true, run: artists)

  static let genres = Verb(
    "genres", .library, "[PART] [--online] [--kind KIND] [--provider NAME]", 0...Verb.unlimited,
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
      """), isLong: true, run: genres)

  static let tracks = Verb(
    "tracks", aliases: ["songs"], .library, "[QUERY…] [--sort KEY] [--reverse] [--limit N]", 0...Verb.unlimited,
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
      """), isLong: true, run: tracks)

  @Sendable static func tracks(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let order = try ListOptions(context.options, keys: TrackSort.words, standard: "album")
    if !arguments.isEmpty { try order.requireSort() }
    let request = LibraryTracksRequest(sort: order.key(or: .album), order: order.direction ?? .ascending)
    try list(ListedTrack.self, request, order, matchesBy: .best, context, arguments)
  }

  @Sendable static func albums(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let order = try ListOptions(context.options, keys: AlbumSort.words, standard: "title")
    let request = LibraryAlbumsRequest(sort: order.key(or: .title), order: order.direction ?? .ascending)
    try list(Album.self, request, order, matchesBy: .title, context, arguments)
  }

  @Sendable static func artists(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let order = try ListOptions(context.options, keys: [], standard: "title")
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
    _ kind: Item.Type, _ request: any PagedRequest, _ order: ListOptions, matchesBy standardSort: SearchSort,
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
