internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The lookup of an item by its kind and its name, such as `album kind of blue`, or by its name alone.
struct NameLookup {
  /// A word that is followed by the name of an item.
  enum Kind: String {
    case album, artist, track, genre, playlist, composer, conductor, work, year, decade
    case albumArtist = "albumartist"

    /// Returns whether a URI is that of an item of this kind.
    fileprivate func matches(_ uri: String) -> Bool {
      switch self {
      case .album, .artist, .genre, .playlist: uri.hasPrefix("segue:\(rawValue)/")
      case .track: !uri.hasPrefix("segue:")
      case .composer, .conductor, .work, .year, .decade, .albumArtist:
        tag.map { uri.hasPrefix("segue:\($0.rawValue)/") } ?? false
      }
    }

    /// The tag whose values `library.values` lists; nil for an item that another method lists.
    var tag: LibraryTag? {
      switch self {
      case .album, .artist, .track, .genre, .playlist: nil
      case .composer, .conductor, .work, .year, .decade, .albumArtist: LibraryTag(word: rawValue)
      }
    }
  }

  /// The maximum number of genres and playlists among which a name is searched for.
  private static let maximumCount = 10_000

  let context: VerbContext
  /// The arguments that name the item, with its kind if they begin with it. They are the last ones of the command line.
  let arguments: [Argument]

  /// Returns the item if the first argument is a kind and others follow it, and all favorites for the word `favorites`;
  /// nil otherwise. Throws if no item or more than one has the name. A file with the name of the word has precedence.
  func items() throws(ClientError) -> [ResultList.Result]? {
    guard let word = arguments.first?.text, (try? Resource.uri(arguments[0])) == nil else { return nil }
    if arguments.count == 1 { return ["favorites", "favourites"].contains(word) ? try favorites() : nil }
    guard let kind = Kind(rawValue: word) else { return nil }
    return [try item(kind, Array(arguments.dropFirst()))]
  }

  /// Returns the item of a kind with a name, or with the number of a result of this kind.
  private func item(_ kind: Kind, _ name: [Argument]) throws(ClientError) -> ResultList.Result {
    if name.count == 1, let number = EntryRange.positiveInteger(name[0].text), let results = context.latestResults(),
      let result = results[number], kind.matches(result.uri)
    {
      return result
    }
    let text = ListVerbs.joined(name)
    if kind.matches(text), ["segue:", "file:"].contains(where: text.hasPrefix) {
      return ResultList.Result(uri: text, title: displayURI(text))
    }
    switch kind {
    case .album: return result(try onlyMatch(Album.self, text))
    case .artist: return result(try onlyMatch(Artist.self, text))
    case .track: return result(try onlyMatch(ListedTrack.self, text))
    case .genre: return result(try onlyMatch(Genre.self, text))
    case .playlist: return result(try onlyMatch(PlaylistInfo.self, text))
    case .composer, .conductor, .work, .year, .decade, .albumArtist:
      let values = try filter(kind.tag.map { LibraryValuesRequest(tag: $0) }, text)
      guard let value = try only(values, text) else { throw notFound(TagValue.self, text) }
      return result(value)
    }
  }

  /// Returns all favorites, sorted by title.
  private func favorites() throws(ClientError) -> [ResultList.Result] {
    var favorites: [ResultList.Result] = []
    while favorites.count < Self.maximumCount {
      let items = try context.call(FavoritesListRequest(sort: .title, offset: favorites.count)).value
      let found = items.artists.map(result) + items.albums.map(result) + items.tracks.map(result)
      favorites += found
      if found.isEmpty || favorites.count >= items.total { break }
    }
    if favorites.isEmpty {
      throw ClientError(
        .failed, tr("there are no favorites"), kind: Failure.Kind.notFound.rawValue,
        hints: [tr("segue fav   makes the current track one")])
    }
    return favorites
  }

  private func result(_ item: some NamedItem) -> ResultList.Result {
    ResultList.Result(uri: item.uri, title: item.resultTitle(context.style))
  }

  /// Returns the only item with this name, else the only item that matches. Throws if there is none, or if there are
  /// several.
  func onlyMatch<Item: NamedItem>(_ kind: Item.Type, _ name: String) throws(ClientError) -> Item {
    guard let item = try match(kind, name) else { throw notFound(kind, name) }
    return item
  }

  /// Returns the only item with this name, else the only item that matches, or nil if none does. Throws if several do.
  func match<Item: NamedItem>(_ kind: Item.Type, _ name: String) throws(ClientError) -> Item? {
    try only(Item.listRequest == nil ? try search(name) : try filter(Item.listRequest, name), name)
  }

  /// Returns the only item with this name, else the only one of `found`, or nil if there is none. Throws if there are
  /// several.
  private func only<Item: NamedItem>(_ found: [Item], _ name: String) throws(ClientError) -> Item? {
    let exact = found.filter { $0.name.lowercased() == name.lowercased() }
    let candidates = exact.isEmpty ? found : exact
    if candidates.count <= 1 { return candidates.first }
    throw ClientError(
      .failed, Item.isAmbiguous(name),
      hints: hints(Array(candidates.prefix(10)))
        + (candidates.count > 10 ? [Item.listHint] : []))
  }

  /// Returns commands for each of several items. On a terminal, the items are numbered as results.
  private func hints<Item: NamedItem>(_ items: [Item]) -> [String] {
    let command = context.options.words.dropLast(arguments.count).map(\.text).joined(separator: " ")
    let numbering = context.resultNumbering()
    let lines = items.map { item in
      let title = item.resultTitle(context.style)
      let argument = numbering.map { String($0.number(item.uri, title)) } ?? item.uri
      return "segue \(command) \(argument)   \(title)\(item.origin.isEmpty ? "" : " (\(item.origin))")"
    }
    context.keep(numbering)
    return lines
  }

  private func notFound<Item: NamedItem>(_ kind: Item.Type, _ name: String) -> ClientError {
    ClientError(
      .failed, Item.notFound(name), kind: Failure.Kind.notFound.rawValue,
      hints: (Item.listRequest == nil ? [tr("segue search %1$s   searches the whole library", name)] : [])
        + [Item.listHint])
  }

  /// Returns the best matches of the full-text search, without those of a similar name: a command must not act on an
  /// item that was not named.
  private func search<Item: NamedItem>(_ name: String) throws(ClientError) -> [Item] {
    let result = try context.call(
      LibrarySearchRequest(query: Self.query(for: name), type: Item.libraryKind, remember: false))
    if let correction = result.value.correction {
      throw ClientError(
        .failed, Item.notFound(name), kind: Failure.Kind.notFound.rawValue,
        hints: [tr("did you mean %1$s?", "“\(correction)”"), Item.listHint])
    }
    return result.json.list("\(Item.listName)")
  }

  /// Returns a query that searches for the words of a name, none of which is taken for a filter, an exclusion or a
  /// year.
  static func query(for name: String) -> String {
    name.split { " :\"".contains($0) }.map { $0.drop { $0 == "-" } }.map {
      $0.count == 4 && EntryRange.isNumber($0) ? "\"\($0)\"" : String($0)
    }.joined(separator: " ")
  }

  /// Returns the items of a list whose name contains `name`, in upper or lower case.
  private func filter<Item: NamedItem>(
    _ request: (any PagedRequest<ListPage<Item>>)?, _ name: String
  ) throws(ClientError) -> [Item] {
    guard var request else { return [] }
    var items: [Item] = []
    var offset = 0
    while offset < Self.maximumCount {
      request.offset = offset
      let page = try context.call(request).value
      items += page.items.filter { $0.name.lowercased().containsSubstring(name.lowercased()) }
      offset += page.items.count
      if page.items.isEmpty || offset >= page.total { break }
    }
    return items
  }
}

/// An item that users name.
protocol NamedItem: Tabular {
  var uri: String { get }
  var name: String { get }
  /// The album of a track, which distinguishes it from others with the same title; empty for other items.
  var origin: String { get }
  /// The request that lists all items; nil if the full-text search finds them.
  static var listRequest: (any PagedRequest<ListPage<Self>>)? { get }
  /// Returns the message that there is no item with this name.
  static func notFound(_ name: String) -> String
  /// Returns the message that there are several items with this name.
  static func isAmbiguous(_ name: String) -> String
  /// The command that lists all items.
  static var listHint: String { get }
}

/// An item that a verb of its own shows.
protocol DetailedItem: NamedItem {
  /// The item with a page of what belongs to it.
  associatedtype Contents: JSONEncodable & JSONDecodable

  /// Returns the request for the first page of what belongs to the item with this id.
  static func contentsRequest(_ id: Int64) -> any ProtocolRequest<Contents>
  /// Returns the message that a result is an item of another kind.
  static func isAnotherKind(_ number: Int, _ title: String) -> String
}

extension NamedItem {
  var origin: String { "" }
}

extension Album: DetailedItem {
  static func contentsRequest(_ id: Int64) -> any ProtocolRequest<AlbumContents> { LibraryAlbumRequest(id: id) }
  var name: String { title }
  static var listRequest: (any PagedRequest<ListPage<Album>>)? { nil }
  static func notFound(_ name: String) -> String { tr("album “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one album", name) }
  static var listHint: String { tr("segue albums   lists all albums") }
  static func isAnotherKind(_ number: Int, _ title: String) -> String {
    tr("result %1$d, %2$s, is not an album of the library", number, title)
  }
}

extension Artist: DetailedItem {
  static func contentsRequest(_ id: Int64) -> any ProtocolRequest<ArtistContents> { LibraryArtistRequest(id: id) }
  static var listRequest: (any PagedRequest<ListPage<Artist>>)? { nil }
  static func notFound(_ name: String) -> String { tr("artist “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one artist", name) }
  static var listHint: String { tr("segue artists   lists all artists") }
  static func isAnotherKind(_ number: Int, _ title: String) -> String {
    tr("result %1$d, %2$s, is not an artist of the library", number, title)
  }
}

extension ListedTrack: NamedItem {
  var name: String { title }
  var origin: String { (metadata.album ?? "").visible }
  static var listRequest: (any PagedRequest<ListPage<ListedTrack>>)? { nil }
  static func notFound(_ name: String) -> String { tr("track “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one track", name) }
  static var listHint: String { tr("segue tracks   lists all tracks") }
}

extension Genre: NamedItem {
  static var listRequest: (any PagedRequest<ListPage<Genre>>)? { LibraryGenresRequest() }
  static func notFound(_ name: String) -> String { tr("genre “%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one genre", name) }
  static var listHint: String { tr("segue genres   lists all genres") }
}

extension TagValue: NamedItem {
  static var listRequest: (any PagedRequest<ListPage<TagValue>>)? { nil }
  static func notFound(_ name: String) -> String { tr("“%1$s” not found in the library", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one value", name) }
  static var listHint: String { tr("segue browse TAG   lists all values of a tag") }
}

extension PlaylistInfo: NamedItem {
  static var listRequest: (any PagedRequest<ListPage<PlaylistInfo>>)? { PlaylistsListRequest() }
  static func notFound(_ name: String) -> String { tr("there is no playlist “%1$s”", name) }
  static func isAmbiguous(_ name: String) -> String { tr("“%1$s” matches more than one playlist", name) }
  static var listHint: String { tr("segue playlist   shows the names") }
}
