internal import SegueSystem
internal import SegueWire

/// `segue album` and `segue artist`: one by its number or its name.
enum DetailVerbs {
  @Sendable static func album(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let result = try find(Album.self, "library.album", arguments, session, \.title) { $0.heading(session.style) }
    var contents = AlbumContents(result)
    let isWhole = contents.tracks.count >= contents.total
    while contents.tracks.count < contents.total {
      let next = AlbumContents(try page("library.album", contents.album.id, from: contents.tracks.count, session))
      if next.tracks.isEmpty { break }
      contents.tracks += next.tracks
    }
    if session.options.json { return isWhole ? session.print(json: result) : session.print(encoded: contents) }
    guard session.style.isTerminal else {
      for track in contents.tracks { session.console.line(track.tabSeparated) }
      return
    }
    try session.print(besideCoverOf: contents.album.uri) { style in
      AlbumScreen(contents: contents, style: style).lines
    }
  }

  @Sendable static func artist(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let result = try find(Artist.self, "library.artist", arguments, session, \.name) { $0.name.visible }
    var contents = ArtistContents(result)
    let isWhole = contents.albums.count >= contents.total
    while contents.albums.count < contents.total {
      let next = ArtistContents(try page("library.artist", contents.artist.id, from: contents.albums.count, session))
      if next.albums.isEmpty { break }
      contents.albums += next.albums
    }
    if session.options.json { return isWhole ? session.print(json: result) : session.print(encoded: contents) }
    let (console, style) = (session.console, session.style)
    let lines = style.isTerminal ? screen(contents, style) : contents.albums.map(\.tabSeparated)
    for line in lines { console.line(line) }
  }

  private static func page(
    _ method: String, _ id: Int64, from offset: Int, _ session: Session
  ) throws(ClientError) -> JSON {
    try session.call(
      Request(method) {
        $0.member("id", id)
        $0.member("offset", offset)
      })
  }

  private static func screen(_ contents: ArtistContents, _ style: Style) -> [String] {
    let (artist, rows) = (contents.artist, contents.albums.map { $0.row(style) })
    let counts = "\(counted(artist.albumCount, "album")), \(counted(artist.trackCount, "song"))  \(artist.uri.visible)"
    let table = Table(Album.columns, first: rows, style: style)
    return [
      style.paint(artist.name.visible.cut(to: style.columns, mark: style.ellipsis), .bold),
      style.paint(counts.cut(to: style.columns, mark: style.ellipsis), .dim),
    ] + rows.map(table.line)
  }

  /// The answer of `method` for what the arguments name: a number, a URI, a name or a part of one.
  private static func find<Item: Tabular & Identified>(
    _ kind: Item.Type, _ method: String, _ arguments: [Argument], _ session: Session,
    _ name: KeyPath<Item, String>, _ heading: (Item) -> String
  ) throws(ClientError) -> JSON {
    let wish = ListVerbs.words(arguments)
    let prefix = "segue:\(Item.noun)/"
    let digits = wish.hasPrefix(prefix) ? wish.dropFirst(prefix.count) : wish[...]
    if let id = EntryRange.number(digits) {
      do throws(ClientError) {
        return try session.call(
          Request(method) { $0.member("id", id) }, if: .notFound,
          hints: ["segue \(Item.noun)s   shows the numbers"])
      } catch {
        // It may be a name, as that of Taylor Swift's "1989".
        guard error.kind == Failure.Kind.notFound.rawValue else { throw error }
        guard let item = try one(kind, wish, session, name, heading) else { throw error }
        return try session.call(Request(method) { $0.member("id", item.id) })
      }
    }
    guard let item = try one(kind, wish, session, name, heading) else {
      throw ClientError(
        .failed, "there is no \(Item.noun) “\(wish)” in the library", kind: Failure.Kind.notFound.rawValue,
        hints: ["segue search \(wish)   looks everywhere", "segue \(Item.noun)s   shows all"])
    }
    return try session.call(Request(method) { $0.member("id", item.id) })
  }

  /// The only one that is called so, or else the only one that matches; nil if none does.
  private static func one<Item: Tabular & Identified>(
    _ kind: Item.Type, _ wish: String, _ session: Session, _ name: KeyPath<Item, String>, _ heading: (Item) -> String
  ) throws(ClientError) -> Item? {
    let result = try session.call(
      Request("library.search") {
        $0.member("query", wish)
        $0.member("type", Item.noun)
        $0.member("limit", 50)
        $0.member("remember", false)
      })
    let found = (result["\(Item.listName)"]?.elements ?? []).map(Item.init)
    let exact = found.filter { $0[keyPath: name].lowercased() == wish.lowercased() }
    let meant = exact.isEmpty ? found : exact
    if meant.count <= 1 { return meant.first }
    throw ClientError(
      .failed, "“\(wish)” could be more than one \(Item.noun)",
      hints: meant.prefix(10).map { "segue \(Item.noun) \($0.id)   \(heading($0))" }
        + (meant.count > 10 ? ["segue \(Item.noun)s \(wish)   shows all"] : []))
  }
}

/// What has a number of its own.
protocol Identified {
  var id: Int64 { get }
}

extension Album: Identified {}
extension Artist: Identified {}
