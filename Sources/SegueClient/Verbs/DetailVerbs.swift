internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The verbs `album` and `artist`, which show an item that is given by its number or its name.
enum DetailVerbs {
  @Sendable static func album(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var pages = [try details(Album.self, "library.album", arguments, context, \.title) { $0.heading(context.style) }]
    var contents = AlbumContents(pages[0])
    while contents.tracks.count < contents.total {
      let next = try page("library.album", contents.album.id, from: contents.tracks.count, context)
      let tracks = AlbumContents(next).tracks
      if tracks.isEmpty { break }
      pages.append(next)
      contents.tracks += tracks
    }
    if context.printsJSON { return context.print(pages: pages, joining: ["tracks"]) }
    guard context.style.isTerminal else {
      for track in contents.tracks { context.console.printLine(track.tabSeparated) }
      return
    }
    try context.print(besideCoverOf: contents.album.uri) { style in
      AlbumScreen(contents: contents, style: style).lines
    }
  }

  @Sendable static func artist(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var pages = [try details(Artist.self, "library.artist", arguments, context, \.name) { $0.name.visible }]
    var contents = ArtistContents(pages[0])
    while contents.albums.count < contents.total {
      let next = try page("library.artist", contents.artist.id, from: contents.albums.count, context)
      let albums = ArtistContents(next).albums
      if albums.isEmpty { break }
      pages.append(next)
      contents.albums += albums
    }
    if context.printsJSON { return context.print(pages: pages, joining: ["albums"]) }
    let (console, style) = (context.console, context.style)
    let lines = style.isTerminal ? screen(contents, style) : contents.albums.map(\.tabSeparated)
    for line in lines { console.printLine(line) }
  }

  private static func page(
    _ method: String, _ id: Int64, from offset: Int, _ context: VerbContext
  ) throws(ClientError) -> JSON {
    try context.call(
      ClientRequest(method) {
        $0.member("id", id)
        $0.member("offset", offset)
      })
  }

  private static func screen(_ contents: ArtistContents, _ style: Style) -> [String] {
    let (artist, rows) = (contents.artist, contents.albums.map { $0.row(style) })
    let counts = "\(Counts.albums(artist.albumCount)), \(Counts.songs(artist.trackCount))  \(artist.uri.visible)"
    let table = Table(Album.columns, first: rows, style: style)
    return [
      style.paint(style.fitted(artist.name.visible), .bold),
      style.paint(style.fitted(counts), .dim),
    ] + rows.map(table.line)
  }

  /// Returns the result of `method` for the item that the arguments name by a number, a URI, a name or a part of a name.
  private static func details<Item: Tabular & Identified>(
    _ kind: Item.Type, _ method: String, _ arguments: [Argument], _ context: VerbContext,
    _ name: KeyPath<Item, String>, _ heading: (Item) -> String
  ) throws(ClientError) -> JSON {
    let text = ListVerbs.joined(arguments)
    let prefix = "segue:\(Item.noun)/"
    var digits = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
    if let number = EntryRange.positiveInteger(text), let results = context.latestResults(),
      (results.first...results.last).contains(number)
    {
      let result = try results.result(number)
      guard result.uri.hasPrefix(prefix) else {
        throw ClientError(
          .failed, Item.isAnotherKind(number, result.title),
          kind: Failure.Kind.notFound.rawValue,
          hints: [
            tr("segue info %1$d   shows it", number),
            tr("%1$s   shows number %2$d", "segue \(Item.noun) \(prefix)\(number)", number),
          ])
      }
      digits = result.uri.dropFirst(prefix.count)
    }
    if let id = EntryRange.positiveInteger(digits) {
      do throws(ClientError) {
        return try context.call(
          ClientRequest(method) { $0.member("id", id) },
          hints: [.notFound: [tr("%1$s   shows the numbers", "segue \(Item.noun)s")]])
      } catch {
        // The number may be a name, like the album "1989".
        guard error.kind == Failure.Kind.notFound.rawValue else { throw error }
        guard let item = try uniqueMatch(kind, text, context, name, heading) else { throw error }
        return try context.call(ClientRequest(method) { $0.member("id", item.id) })
      }
    }
    guard let item = try uniqueMatch(kind, text, context, name, heading) else {
      throw ClientError(
        .failed, Item.notFound(text), kind: Failure.Kind.notFound.rawValue,
        hints: [
          tr("segue search %1$s   searches the whole library", text),
          Item.listHint,
        ])
    }
    return try context.call(ClientRequest(method) { $0.member("id", item.id) })
  }

  /// Returns the only item with this name, else the only item that matches, or nil if none does. Throws if several do.
  private static func uniqueMatch<Item: Tabular & Identified>(
    _ kind: Item.Type, _ text: String, _ context: VerbContext, _ name: KeyPath<Item, String>,
    _ heading: (Item) -> String
  ) throws(ClientError) -> Item? {
    let result = try context.call(
      ClientRequest("library.search") {
        $0.member("query", text)
        $0.member("type", Item.noun)
        $0.member("limit", 50)
        $0.member("remember", false)
      })
    let found = (result["\(Item.listName)"]?.elements ?? []).map(Item.init)
    let exact = found.filter { $0[keyPath: name].lowercased() == text.lowercased() }
    let candidates = exact.isEmpty ? found : exact
    if candidates.count <= 1 { return candidates.first }
    throw ClientError(
      .failed, Item.isAmbiguous(text),
      hints: candidates.prefix(10).map { "segue \(Item.noun) \($0.id)   \(heading($0))" }
        + (candidates.count > 10 ? [tr("%1$s   lists all of them", "segue \(Item.noun)s \(text)")] : []))
  }
}

/// An item with an id.
protocol Identified {
  var id: Int64 { get }
  /// Returns the message that there is no item with this name.
  static func notFound(_ name: String) -> String
  /// Returns the message that there are several items with this name.
  static func isAmbiguous(_ name: String) -> String
  /// The command that lists all items.
  static var listHint: String { get }
  /// Returns the message that a result is an item of another kind.
  static func isAnotherKind(_ number: Int, _ title: String) -> String
}

extension Album: Identified {
  static func notFound(_ name: String) -> String { tr("album “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one album", name) }
  static var listHint: String { tr("segue albums   lists all albums") }
  static func isAnotherKind(_ number: Int, _ title: String) -> String {
    tr("result %1$d, %2$s, is not an album of the library", number, title)
  }
}

extension Artist: Identified {
  static func notFound(_ name: String) -> String { tr("artist “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one artist", name) }
  static var listHint: String { tr("segue artists   lists all artists") }
  static func isAnotherKind(_ number: Int, _ title: String) -> String {
    tr("result %1$d, %2$s, is not an artist of the library", number, title)
  }
}
