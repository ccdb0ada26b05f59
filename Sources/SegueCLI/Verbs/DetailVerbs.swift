internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The verbs `album` and `artist`, which show an item that is given by its number or its name.
enum DetailVerbs {
  static let album = Verb(
    "album", .library, "N|NAME", 1...Verb.unlimited, options: [.number], values: .first(.names(.album)),
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
      """), run: album)

  static let artist = Verb(
    "artist", .library, "N|NAME", 1...Verb.unlimited, options: [.number], values: .first(.names(.artist)),
    tr("list an artist's albums"),
    details: tr(
      """
      N and NAME are as for album. The albums are numbered, too.

        segue artist miles davis
        segue play 1                   the first of these albums
        segue play artist miles davis  all of them
      """), isLong: true, run: artist)

  @Sendable static func album(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var pages = [try details(Album.self, arguments, context)]
    var contents = pages[0].value
    while contents.tracks.count < contents.total {
      let next = try context.call(LibraryAlbumRequest(id: contents.album.id, offset: contents.tracks.count))
      let tracks = next.value.tracks
      if tracks.isEmpty { break }
      pages.append(next)
      contents.tracks += tracks
    }
    if context.printsJSON { return context.print(pages: pages.map(\.json), joining: ["tracks"]) }
    guard context.style.isTerminal else { return printFields(contents.tracks, context) }
    let numbering = context.resultNumbering()
    try context.print(besideCoverOf: contents.album.uri) { style in
      AlbumScreen(contents: contents, style: style, numbering: numbering).lines
    }
    context.keep(numbering)
  }

  @Sendable static func artist(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var pages = [try details(Artist.self, arguments, context)]
    var contents = pages[0].value
    while contents.albums.count < contents.total {
      let next = try context.call(LibraryArtistRequest(id: contents.artist.id, offset: contents.albums.count))
      let albums = next.value.albums
      if albums.isEmpty { break }
      pages.append(next)
      contents.albums += albums
    }
    if context.printsJSON { return context.print(pages: pages.map(\.json), joining: ["albums"]) }
    guard context.style.isTerminal else { return printFields(contents.albums, context) }
    let numbering = context.resultNumbering()
    for line in screen(contents, numbering, context.style) { context.console.printLine(line) }
    context.keep(numbering)
  }

  /// Prints the items for programs.
  private static func printFields(_ items: [some Tabular], _ context: VerbContext) {
    let numbering = context.resultNumbering()
    for item in items { context.console.printLine(item.tabSeparated(context.style, numbering)) }
    context.keep(numbering)
  }

  private static func screen(
    _ contents: ArtistContents, _ numbering: ResultNumbering?, _ style: Style
  ) -> [String] {
    let (artist, rows) = (contents.artist, contents.albums.map { $0.row(style, numbering) })
    let counts = "\(Counts.albums(artist.albumCount)), \(Counts.songs(artist.trackCount))  \(artist.uri.visible)"
    let table = Table(Album.columns, first: rows, style: style)
    return [
      style.paint(style.fitted(artist.name.visible), .bold),
      style.paint(style.fitted(counts), .dim),
    ] + rows.map(table.line)
  }

  /// Returns the contents of the album or artist that the arguments name by a URI, by the number of a
  /// result, by an id if there are no results, or by a name or a part of it.
  private static func details<Item: DetailedItem>(
    _ kind: Item.Type, _ arguments: [Argument], _ context: VerbContext
  ) throws(ClientError) -> Response<Item.Contents> {
    let text = ListVerbs.joined(arguments)
    let lookup = NameLookup(context: context, arguments: arguments)
    let prefix = "segue:\(Item.noun)/"
    if text.hasPrefix(prefix), let id = EntryRange.positiveInteger(text.dropFirst(prefix.count)) {
      return try details(kind, id: id, context)
    }
    guard let number = EntryRange.positiveInteger(text) else {
      return try details(kind, uri: try lookup.onlyMatch(kind, text).uri, context)
    }
    guard let results = context.latestResults() else {
      do throws(ClientError) {
        return try details(kind, id: number, context)
      } catch {
        // The number may be a name, like the album "1989".
        guard error.kind == Failure.Kind.notFound.rawValue, let item = try lookup.match(kind, text) else { throw error }
        return try details(kind, uri: item.uri, context)
      }
    }
    if results[number] == nil, let item = try lookup.match(kind, text) {
      return try details(kind, uri: item.uri, context)
    }
    let result = try results.result(number) { _ in tr("%1$s   shows the numbers", "segue \(Item.noun)s") }
    guard result.uri.hasPrefix(prefix) else {
      throw ClientError(
        .failed, Item.isAnotherKind(number, result.title),
        kind: Failure.Kind.notFound.rawValue,
        hints: [
          tr("segue info %1$d   shows it", number),
          tr("%1$s   shows number %2$d", "segue \(Item.noun) \(prefix)\(number)", number),
        ])
    }
    return try details(kind, uri: result.uri, context)
  }

  private static func details<Item: DetailedItem>(
    _ kind: Item.Type, uri: String, _ context: VerbContext
  ) throws(ClientError) -> Response<Item.Contents> {
    try details(kind, id: EntryRange.positiveInteger(uri.dropFirst("segue:\(Item.noun)/".count)) ?? 0, context)
  }

  private static func details<Item: DetailedItem>(
    _ kind: Item.Type, id: Int, _ context: VerbContext
  ) throws(ClientError) -> Response<Item.Contents> {
    try context.call(
      Item.contentsRequest(Int64(id)),
      hints: [.notFound: [tr("%1$s   shows the numbers", "segue \(Item.noun)s")]])
  }
}
