internal import SegueFrontend
internal import SegueWire

/// A list of the daemon that is read in pages.
enum ListSource: Hashable {
  case queue
  case albums(ListOrder)
  case artists
  case tracks(ListOrder)
  /// The tracks of an album, by its id.
  case album(Int64)
  /// The albums of an artist, by the artist's id.
  case artist(Int64)

  case musicFolders
  /// The contents of a folder, by its URI.
  case folder(String)
  case playlists
  /// The entries of a playlist, by its name.
  case playlist(String)
  case favorites(FavoriteKind, ListOrder)
  case history(ListOrder)
  case outputs

  /// A kind of favorites. The raw value is that of the protocol.
  enum FavoriteKind: String {
    case track, album, artist
  }

  /// Creates the contents of an album or an artist of the library, by its URI; nil for any other URI.
  init?(contentsOf uri: String) {
    func id(_ prefix: String) -> Int64? { uri.hasPrefix(prefix) ? Int64(uri.dropFirst(prefix.count)) : nil }
    if let album = id("segue:album/") {
      self = .album(album)
    } else if let artist = id("segue:artist/") {
      self = .artist(artist)
    } else {
      return nil
    }
  }

  /// The order of the list; nil if it has a single one.
  var order: ListOrder? {
    switch self {
    case .albums(let order), .tracks(let order), .favorites(_, let order), .history(let order): order
    case .queue, .artists, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs: nil
    }
  }

  /// The orders that the list can have, the standard one first; empty if it has a single one.
  private var orders: [ListOrder] {
    switch self {
    case .albums: [.title, .artist, .year, .added]
    case .tracks: [.title, .artist, .album, .year, .added, .rating]
    case .favorites: [.title, .date, .rating]
    case .history: [.time, .plays]
    case .queue, .artists, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs: []
    }
  }

  var isInStandardOrder: Bool { order == orders.first }

  /// The list in the next of its orders, after the last one in the first one.
  var inNextOrder: ListSource {
    guard let order, let index = orders.firstIndex(of: order) else { return self }
    let next = orders[(index + 1) % orders.count]
    return switch self {
    case .albums: .albums(next)
    case .tracks: .tracks(next)
    case .favorites(let kind, _): .favorites(kind, next)
    case .history: .history(next)
    case .queue, .artists, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs: self
    }
  }

  /// Returns the request for a part of the list.
  func request(for read: ListRead) -> ClientRequest {
    func request(_ method: String, _ write: (inout JSONWriter) -> Void = { _ in }) -> ClientRequest {
      ClientRequest(method) {
        $0.member("offset", read.offset)
        $0.member("limit", read.limit)
        write(&$0)
      }
    }
    return switch self {
    case .queue: request("list")
    case .albums(let order): request("library.albums") { write(order, into: &$0) }
    case .artists: request("library.artists")
    case .tracks(let order): request("library.tracks") { write(order, into: &$0) }
    case .album(let id): request("library.album") { $0.member("id", id) }
    case .artist(let id): request("library.artist") { $0.member("id", id) }
    case .musicFolders: ClientRequest("library.status")
    case .folder(let uri): request("library.folder") { $0.member("uri", uri) }
    case .playlists: request("playlists.list")
    case .playlist(let name): request("playlists.load") { $0.member("name", name) }
    case .favorites(let kind, let order):
      request("favorites.list") {
        $0.member("type", kind.rawValue)
        $0.member("sort", order.rawValue)
      }
    case .history(let order): request("history.list") { $0.member("sort", order.rawValue) }
    case .outputs: ClientRequest("output.list")
    }
  }

  private func write(_ order: ListOrder, into json: inout JSONWriter) {
    json.member("sort", order.rawValue)
    if order.isDescending { json.member("order", "descending") }
  }

  /// Whether the daemon returns the whole list at once, whatever part of it is needed.
  private var isWhole: Bool {
    switch self {
    case .musicFolders, .outputs: true
    default: false
    }
  }

  /// Returns the elements of a response.
  func items(in page: JSON, for read: ListRead) -> [ListedItem] {
    let items = elements(of: page)
    return isWhole ? Array(items.dropFirst(read.offset).prefix(read.limit)) : items
  }

  /// Returns the length of the list.
  func total(in page: JSON) -> Int { isWhole ? elements(of: page).count : page["total"]?.int ?? 0 }

  private func elements(of page: JSON) -> [ListedItem] {
    switch self {
    case .queue: []
    case .tracks, .album, .playlist: page.list("tracks").map(ListedItem.track)
    case .albums, .artist: page.list("albums").map(ListedItem.album)
    case .artists: page.list("artists").map(ListedItem.artist)
    case .musicFolders:
      LibraryStatus(page).folders.map { .folder(LibraryFolder(uri: $0.uri, offline: $0.state == .offline)) }
    case .folder: page.list("folders").map(ListedItem.folder) + page.list("tracks").map(ListedItem.track)
    case .playlists: page.list("playlists").map(ListedItem.playlist)
    case .favorites:
      page.list("tracks").map(ListedItem.track) + page.list("albums").map(ListedItem.album)
        + page.list("artists").map(ListedItem.artist)
    case .history: page.list("plays").map(ListedItem.play)
    case .outputs: ListedOutput.rows(of: page).map(ListedItem.output)
    }
  }

  /// Returns the item whose contents the list shows; nil if the page does not state it.
  func container(in page: JSON) -> ListedItem? {
    switch self {
    case .album: page.member("album").map(ListedItem.album)
    case .artist: page.member("artist").map(ListedItem.artist)
    default: nil
    }
  }

  /// The columns of the list, from left to right.
  var columns: [ItemColumn] {
    switch self {
    case .queue: []
    case .albums: [.title, .artist, .tracks, .year]
    case .artist: [.title, .tracks, .year, .time]
    case .artists: [.name, .albums, .tracks]
    case .tracks: [.title, .artist, .album, .time]
    case .album: [.number, .title, .artist, .time]
    case .musicFolders: [.name]
    case .folder: [.title, .artist, .time]
    case .playlists: [.name, .tracks, .time, .date]
    case .playlist: [.title, .artist, .album, .time]
    case .favorites(.track, _): [.title, .artist, .rating, .time]
    case .favorites(.album, _): [.title, .artist, .year, .tracks]
    case .favorites(.artist, _): [.name, .albums, .tracks]
    case .history(.plays): [.plays, .title, .artist, .date]
    case .history: [.date, .title, .artist, .time]
    case .outputs: [.name, .format]
    }
  }

  /// The form in which a terminal with pictures displays the list.
  var form: ItemForm {
    switch self {
    case .albums, .artist: .covers
    case .favorites(.track, _), .favorites(.album, _): .gallery
    case .queue, .artists, .tracks, .album, .musicFolders, .folder, .playlists, .playlist, .favorites(.artist, _),
      .history, .outputs:
      .table
    }
  }

  /// The name of the list as a tab.
  var name: String {
    switch self {
    case .queue: ListMessages.title
    case .albums, .artist, .favorites(.album, _): LibraryMessages.albums
    case .artists, .favorites(.artist, _): LibraryMessages.artists
    case .tracks, .album, .playlist, .favorites(.track, _): LibraryMessages.tracks
    case .musicFolders, .folder: FolderMessages.title
    case .playlists: PlaylistMessages.title
    case .history: HistoryMessages.title
    case .outputs: OutputMessages.title
    }
  }

  /// Returns the length of the list with its unit.
  func counted(_ count: Int) -> String {
    switch self {
    case .albums, .artist, .favorites(.album, _): LibraryMessages.albums(count)
    case .artists, .favorites(.artist, _): LibraryMessages.artists(count)
    case .queue, .tracks, .album, .playlist, .favorites(.track, _): LibraryMessages.tracks(count)
    case .musicFolders, .folder: FolderMessages.entries(count)
    case .playlists: PlaylistMessages.playlists(count)
    case .history(.plays): LibraryMessages.tracks(count)
    case .history: HistoryMessages.plays(count)
    case .outputs: OutputMessages.outputs(count)
    }
  }

  /// Returns the text of the screen if the daemon knows nothing of what the list belongs to. It knows a music folder by its music.
  func missingMessages(_ state: SharedState) -> [String] {
    isMusicFolder(state) ? emptyMessages(state) : [LibraryMessages.noContents]
  }

  /// Whether the list shows a music folder itself.
  private func isMusicFolder(_ state: SharedState) -> Bool {
    guard case .folder(let uri) = self else { return false }
    return state.library?.folders.contains { $0.uri == uri } == true
  }

  /// Returns the text of the screen if the list is empty: a sentence, and what would help.
  func emptyMessages(_ state: SharedState) -> [String] {
    switch self {
    case .queue: [ListMessages.empty] + ListMessages.emptyHints(state)
    case .albums, .artists, .tracks: [LibraryMessages.empty] + LibraryMessages.emptyHints(state)
    case .folder(let uri) where isMusicFolder(state):
      [FolderMessages.noMusic] + LibraryMessages.emptyHints(state, folder: uri)
    case .album, .artist, .folder: [LibraryMessages.noContents]
    case .musicFolders: [FolderMessages.empty] + LibraryMessages.emptyHints(state)
    case .playlists: [PlaylistMessages.empty, PlaylistMessages.emptyHint]
    case .playlist: [PlaylistMessages.noEntries]
    case .favorites: [FavoriteMessages.empty, FavoriteMessages.emptyHint]
    case .history: [HistoryMessages.empty, HistoryMessages.emptyHint]
    case .outputs: [OutputMessages.empty, OutputMessages.emptyHint]
    }
  }
}
