internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The lookup of an item by its kind and its name, such as `album kind of blue`, or by its name alone.
struct NameLookup {
  /// A word that is followed by the name of an item.
  private enum Kind: String {
    case album, artist, track, genre, playlist
  }

  /// The maximum number of genres and playlists among which a name is searched for.
  private static let maximumCount = 10_000
  private static let pageSize = 1_000

  let context: VerbContext
  /// The arguments that name the item, with its kind if they begin with it. They are the last ones of the command line.
  let arguments: [Argument]

  /// Returns the URI of the item if the first argument is a kind and others follow it; nil otherwise. Throws if no item or
  /// more than one has the name. A file with the name of a kind has precedence.
  func uri() throws(ClientError) -> String? {
    guard arguments.count > 1, let kind = Kind(rawValue: arguments[0].text), (try? Resource.uri(arguments[0])) == nil
    else { return nil }
    let name = Array(arguments.dropFirst())
    switch kind {
    case .album: return AlbumContents(try DetailVerbs.details(Album.self, name, self)).album.uri
    case .artist: return ArtistContents(try DetailVerbs.details(Artist.self, name, self)).artist.uri
    case .track: return try onlyMatch(ListedTrack.self, ListVerbs.joined(name)).uri
    case .genre: return try onlyMatch(Genre.self, ListVerbs.joined(name)).uri
    case .playlist: return try onlyMatch(PlaylistInfo.self, ListVerbs.joined(name)).uri
    }
  }

  private func onlyMatch<Item: NamedItem>(_ kind: Item.Type, _ name: String) throws(ClientError) -> Item {
    guard let item = try match(kind, name) else { throw notFound(kind, name) }
    return item
  }

  /// Returns the only item with this name, else the only item that matches, or nil if none does. Throws if several do.
  func match<Item: NamedItem>(_ kind: Item.Type, _ name: String) throws(ClientError) -> Item? {
    let found: [Item] = Item.listMethod == nil ? try search(name) : try filter(name)
    let exact = found.filter { $0.name.lowercased() == name.lowercased() }
    let candidates = exact.isEmpty ? found : exact
    if candidates.count <= 1 { return candidates.first }
    let command = context.options.words.dropLast(arguments.count).map(\.text).joined(separator: " ")
    throw ClientError(
      .failed, Item.isAmbiguous(name),
      hints: candidates.prefix(10).map { "segue \(command) \($0.uri)   \($0.resultTitle(context.style))" }
        + (candidates.count > 10 ? [tr("%1$s   lists all of them", "segue \(Item.noun)s \(name)")] : []))
  }

  func notFound<Item: NamedItem>(_ kind: Item.Type, _ name: String) -> ClientError {
    ClientError(
      .failed, Item.notFound(name), kind: Failure.Kind.notFound.rawValue,
      hints: [tr("segue search %1$s   searches the whole library", name), Item.listHint])
  }

  /// Returns the best matches of the full-text search.
  private func search<Item: NamedItem>(_ name: String) throws(ClientError) -> [Item] {
    let result = try context.call(
      ClientRequest("library.search") {
        $0.member("query", name)
        $0.member("type", Item.noun)
        $0.member("limit", 50)
        $0.member("remember", false)
      })
    return (result["\(Item.listName)"]?.elements ?? []).map(Item.init)
  }

  /// Returns the items of a list whose name contains `name`, in upper or lower case.
  private func filter<Item: NamedItem>(_ name: String) throws(ClientError) -> [Item] {
    guard let method = Item.listMethod else { return [] }
    var items: [Item] = []
    var offset = 0
    while offset < Self.maximumCount {
      let page = try context.call(
        ClientRequest(method) {
          $0.member("offset", offset)
          $0.member("limit", Self.pageSize)
        })
      let elements = page["\(Item.listName)"]?.elements ?? []
      items += elements.map(Item.init).filter { $0.name.lowercased().containsSubstring(name.lowercased()) }
      offset += elements.count
      if elements.isEmpty || offset >= (page["total"]?.int ?? 0) { break }
    }
    return items
  }
}

/// An item that users name.
protocol NamedItem: Tabular {
  var uri: String { get }
  var name: String { get }
  /// The method that lists all items; nil if the full-text search finds them.
  static var listMethod: String? { get }
  /// Returns the message that there is no item with this name.
  static func notFound(_ name: String) -> String
  /// Returns the message that there are several items with this name.
  static func isAmbiguous(_ name: String) -> String
  /// The command that lists all items.
  static var listHint: String { get }
}

/// An item that a verb of its own shows.
protocol DetailedItem: NamedItem {
  /// Returns the message that a result is an item of another kind.
  static func isAnotherKind(_ number: Int, _ title: String) -> String
}

extension Album: DetailedItem {
  var name: String { title }
  static var listMethod: String? { nil }
  static func notFound(_ name: String) -> String { tr("album “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one album", name) }
  static var listHint: String { tr("segue albums   lists all albums") }
  static func isAnotherKind(_ number: Int, _ title: String) -> String {
    tr("result %1$d, %2$s, is not an album of the library", number, title)
  }
}

extension Artist: DetailedItem {
  static var listMethod: String? { nil }
  static func notFound(_ name: String) -> String { tr("artist “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one artist", name) }
  static var listHint: String { tr("segue artists   lists all artists") }
  static func isAnotherKind(_ number: Int, _ title: String) -> String {
    tr("result %1$d, %2$s, is not an artist of the library", number, title)
  }
}

extension ListedTrack: NamedItem {
  var name: String { title }
  static var listMethod: String? { nil }
  static func notFound(_ name: String) -> String { tr("track “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one track", name) }
  static var listHint: String { tr("segue tracks   lists all tracks") }
}

extension Genre: NamedItem {
  static var listMethod: String? { "library.genres" }
  static func notFound(_ name: String) -> String { tr("genre “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one genre", name) }
  static var listHint: String { tr("segue genres   lists all genres") }
}

extension PlaylistInfo: NamedItem {
  static var listMethod: String? { "playlists.list" }
  static func notFound(_ name: String) -> String { tr("there is no playlist “%1$s”", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one playlist", name) }
  static var listHint: String { tr("segue playlist   shows the names") }
}
