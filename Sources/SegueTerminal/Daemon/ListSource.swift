internal import SegueFrontend
internal import SegueWire

/// A list of the daemon that is read in pages.
enum ListSource: Hashable {
  case queue
  case albums(AlbumSort)
  case artists
  case tracks(TrackSort)
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
  case favorites(LibraryKind, FavoriteSort)
  case history(HistorySort)
  case outputs

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
  var order: (any ListOrder)? {
    switch self {
    case .albums(let order): order
    case .tracks(let order): order
    case .favorites(_, let order): order
    case .history(let order): order
    case .queue, .artists, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs: nil
    }
  }

  // The orders that lists can have, the standard one first.
  private static let albumOrders: [AlbumSort] = [.title, .artist, .year, .added]
  private static let trackOrders: [TrackSort] = [.title, .artist, .album, .year, .added, .rating]
  private static let favoriteOrders: [FavoriteSort] = [.title, .date, .rating]
  private static let historyOrders: [HistorySort] = [.time, .plays]

  var isInStandardOrder: Bool {
    switch self {
    case .albums(let order): order == Self.albumOrders.first
    case .tracks(let order): order == Self.trackOrders.first
    case .favorites(_, let order): order == Self.favoriteOrders.first
    case .history(let order): order == Self.historyOrders.first
    case .queue, .artists, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs: true
    }
  }

  /// The list in the next of its orders, after the last one in the first one.
  var inNextOrder: ListSource {
    switch self {
    case .albums(let order): .albums(order.next(in: Self.albumOrders))
    case .tracks(let order): .tracks(order.next(in: Self.trackOrders))
    case .favorites(let kind, let order): .favorites(kind, order.next(in: Self.favoriteOrders))
    case .history(let order): .history(order.next(in: Self.historyOrders))
    case .queue, .artists, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs: self
    }
  }

  /// Returns the request for a part of the list.
  func request(for read: ListRead) -> any ProtocolRequest {
    let (offset, limit) = (read.offset, read.limit)
    return switch self {
    case .queue: QueueListRequest(offset: offset, limit: limit)
    case .albums(let order):
      LibraryAlbumsRequest(sort: order, order: order.direction, offset: offset, limit: limit)
    case .artists: LibraryArtistsRequest(offset: offset, limit: limit)
    case .tracks(let order):
      LibraryTracksRequest(sort: order, order: order.direction, offset: offset, limit: limit)
    case .album(let id): LibraryAlbumRequest(id: id, offset: offset, limit: limit)
    case .artist(let id): LibraryArtistRequest(id: id, offset: offset, limit: limit)
    case .musicFolders: LibraryStatusRequest()
    case .folder(let uri): LibraryFolderRequest(uri: uri, offset: offset, limit: limit)
    case .playlists: PlaylistsListRequest(offset: offset, limit: limit)
    case .playlist(let name): PlaylistsGetRequest(name: name, offset: offset, limit: limit)
    case .favorites(let kind, let order):
      FavoritesListRequest(type: kind, sort: order, offset: offset, limit: limit)
    case .history(let order): HistoryListRequest(offset: offset, limit: limit, sort: order)
    case .outputs: OutputListRequest()
    }
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
