internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A list of the daemon that is read in pages.
enum ListSource: Hashable {
  case queue
  /// All albums, or those with a value of a tag.
  case albums(AlbumSort, of: ListedValue? = nil)
  case artists
  /// All tracks, or those with a value of a tag.
  case tracks(TrackSort, of: ListedValue? = nil)
  /// The tags by which the library is browsed.
  case tags
  /// The values of a tag, such as the composers.
  case values(LibraryTag)
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

  /// The URI of what the list shows the contents of, in their order; nil if it is none that can be played.
  var uri: String? {
    switch self {
    case .album(let id): "segue:album/\(id)"
    case .artist(let id): "segue:artist/\(id)"
    case .folder(let uri): uri
    case .playlist(let name): "segue:playlist/\(FileURI.percentEncoded(name))"
    // The daemon plays the tracks of a genre by artist, and those of any other value by album.
    case .tracks(let order, of: let value?): order == (value.tag == .genre ? .artist : .album) ? value.uri : nil
    case .queue, .albums, .artists, .tracks, .tags, .values, .musicFolders, .playlists, .favorites, .history, .outputs:
      nil
    }
  }

  /// The order of the list; nil if it has a single one.
  var order: (any ListOrder)? {
    switch self {
    case .albums(let order, _): order
    case .tracks(let order, _): order
    case .favorites(_, let order): order
    case .history(let order): order
    case .queue, .artists, .tags, .values, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs: nil
    }
  }

  /// The setting of its order; nil if it has a single one.
  var orderSetting: ListSetting? {
    switch self {
    case .albums(_, of: let value): value == nil ? .albumOrder : .tagAlbumOrder
    case .tracks(_, of: let value): value == nil ? .trackOrder : .tagTrackOrder
    case .favorites: .favoriteOrder
    case .history: .historyOrder
    case .queue, .artists, .tags, .values, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs: nil
    }
  }

  /// The setting of its layout; nil if it has a single one.
  var layoutSetting: ListSetting? {
    switch self {
    case .albums(_, of: let value): value == nil ? .albumLayout : .tagAlbumLayout
    case .artist: .artistLayout
    case .favorites(.track, _): .favoriteTrackLayout
    case .favorites(.album, _): .favoriteAlbumLayout
    case .queue, .artists, .tracks, .tags, .values, .album, .musicFolders, .folder, .playlists, .playlist,
      .favorites(.artist, _), .history, .outputs:
      nil
    }
  }

  var isInStandardOrder: Bool { orderSetting?.words.first == order?.rawValue }

  /// Returns the list in the order that the configuration has for it.
  func inOrder(of configuration: InterfaceConfiguration) -> ListSource {
    orderSetting.map { inOrder(configuration.word(of: $0)) } ?? self
  }

  /// Returns the list in an order, by a word of its setting. Other words have no effect.
  func inOrder(_ word: String) -> ListSource {
    switch self {
    case .albums(let order, let value): .albums(AlbumSort(rawValue: word) ?? order, of: value)
    case .tracks(let order, let value): .tracks(TrackSort(rawValue: word) ?? order, of: value)
    case .favorites(let kind, let order): .favorites(kind, FavoriteSort(rawValue: word) ?? order)
    case .history(let order): .history(HistorySort(rawValue: word) ?? order)
    case .queue, .artists, .tags, .values, .album, .artist, .musicFolders, .folder, .playlists, .playlist, .outputs:
      self
    }
  }

  /// Returns the request for a part of the list.
  func request(for read: ListRead) -> any ProtocolRequest {
    let (offset, limit) = (read.offset, read.limit)
    return switch self {
    case .queue: QueueListRequest(offset: offset, limit: limit)
    case .albums(let order, let value):
      LibraryAlbumsRequest(
        sort: order, order: order.direction, offset: offset, limit: limit, albumArtist: value?.name(of: .albumArtist),
        genre: value?.name(of: .genre), composer: value?.name(of: .composer), conductor: value?.name(of: .conductor),
        work: value?.name(of: .work), year: value?.years)
    case .values(let tag): LibraryValuesRequest(tag: tag, offset: offset, limit: limit)
    case .artists: LibraryArtistsRequest(offset: offset, limit: limit)
    case .tracks(let order, let value):
      LibraryTracksRequest(
        sort: order, order: order.direction, offset: offset, limit: limit, albumArtist: value?.name(of: .albumArtist),
        genre: value?.name(of: .genre), composer: value?.name(of: .composer), conductor: value?.name(of: .conductor),
        work: value?.name(of: .work), year: value?.years)
    case .album(let id): LibraryAlbumRequest(id: id, offset: offset, limit: limit)
    case .artist(let id): LibraryArtistRequest(id: id, offset: offset, limit: limit)
    case .musicFolders, .tags: LibraryStatusRequest()
    case .folder(let uri): LibraryFolderRequest(uri: uri, offset: offset, limit: limit)
    case .playlists: PlaylistsListRequest(offset: offset, limit: limit)
    case .playlist(let name): PlaylistsGetRequest(name: name, offset: offset, limit: limit)
    case .favorites(let kind, let order):
      FavoritesListRequest(type: kind, sort: order, offset: offset, limit: limit)
    case .history(let order): HistoryListRequest(offset: offset, limit: limit, sort: order)
    case .outputs: OutputListRequest()
    }
  }

  /// The setting of its columns; nil if they are always the same.
  var columnSetting: ColumnSetting? {
    switch self {
    case .queue: .queue
    case .tracks, .playlist: .tracks
    case .albums, .artists, .tags, .values, .album, .artist, .musicFolders, .folder, .playlists, .favorites, .history,
      .outputs:
      nil
    }
  }

  /// Returns the columns of the table: those of the configuration, or the default ones, with one for the ratings of
  /// tracks. Columns that no row fills are left out.
  func columns(_ configuration: InterfaceConfiguration, filled: FilledColumns) -> [ItemColumn] {
    func displayed(_ columns: [ItemColumn]) -> [ItemColumn] {
      filled.filled(of: columns).filter { $0 != .rating || configuration.showsRatings }
    }
    if let setting = columnSetting, let columns = configuration.columns[setting] {
      let displayed = displayed(columns)
      if !displayed.isEmpty { return displayed }
    }
    var columns = standardColumns
    if !filled.isEmpty, !columns.contains(.rating) {
      columns.insert(.rating, at: columns.firstIndex(of: .time) ?? columns.endIndex)
    }
    return displayed(columns)
  }

  /// The columns of the list by default, from left to right.
  private var standardColumns: [ItemColumn] {
    switch self {
    case .queue: ColumnSetting.queue.standard
    case .albums: [.title, .artist, .tracks, .year]
    case .artist: [.title, .tracks, .year, .time]
    case .artists, .values: [.name, .albums, .tracks]
    case .tracks, .playlist: ColumnSetting.tracks.standard
    case .album: [.number, .title, .artist, .time]
    case .musicFolders, .tags: [.name]
    case .folder: [.title, .artist, .time]
    case .playlists: [.name, .tracks, .time, .date]
    case .favorites(.track, _): [.title, .artist, .rating, .time]
    case .favorites(.album, _): [.title, .artist, .year, .tracks]
    case .favorites(.artist, _): [.name, .albums, .tracks]
    case .history(.plays): [.plays, .title, .artist, .date]
    case .history: [.date, .title, .artist, .time]
    case .outputs: [.name, .format]
    }
  }

  /// Whether elements of the list have contents of their own.
  var hasContainers: Bool {
    switch self {
    case .albums, .artists, .tags, .values, .artist, .musicFolders, .folder, .playlists, .favorites(.album, _),
      .favorites(.artist, _):
      true
    case .queue, .tracks, .album, .playlist, .favorites(.track, _), .history, .outputs: false
    }
  }

  /// The name of the list as a tab.
  var name: String {
    switch self {
    case .queue: ListMessages.title
    case .albums, .artist, .favorites(.album, _): LibraryMessages.albums
    case .artists, .favorites(.artist, _): LibraryMessages.artists
    case .tracks, .album, .playlist, .favorites(.track, _): LibraryMessages.tracks
    case .tags: LibraryMessages.more
    case .values(let tag): LibraryMessages.values(tag)
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
    case .values(let tag): LibraryMessages.values(tag, count)
    case .musicFolders, .folder, .tags: trn("1 entry", "%1$d entries", count)
    case .playlists: trn("1 playlist", "%1$d playlists", count)
    case .history(.plays): LibraryMessages.tracks(count)
    case .history: trn("1 play", "%1$d plays", count)
    case .outputs: trn("1 output", "%1$d outputs", count)
    }
  }

  /// Returns the text of the screen if the daemon knows nothing of what the list belongs to. It knows a music folder by
  /// its music.
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
    case .albums(_, of: .some), .tracks(_, of: .some): [LibraryMessages.noContents]
    case .values: [tr("No track of the library has this tag.")]
    case .albums, .artists, .tracks, .tags: [LibraryMessages.empty] + LibraryMessages.emptyHints(state)
    case .folder(let uri) where isMusicFolder(state):
      [FolderMessages.noMusic] + LibraryMessages.emptyHints(state, folder: uri)
    case .album, .artist, .folder: [LibraryMessages.noContents]
    case .musicFolders: [tr("There is no music folder.")] + LibraryMessages.emptyHints(state)
    case .playlists: [PlaylistMessages.empty, PlaylistMessages.emptyHint(state)]
    case .playlist: [tr("The playlist is empty.")]
    case .favorites: [FavoriteMessages.empty, FavoriteMessages.emptyHint(state)]
    case .history:
      [tr("Nothing was played yet."), tr("A track appears here after half of it, or four minutes, were played.")]
    case .outputs: [tr("The sound server has no output."), OutputMessages.emptyHint(state)]
    }
  }
}

/// A part of a list that the daemon has sent.
struct ListedPage {
  private(set) var items: [ListedItem]
  /// The length of the whole list.
  private(set) var total: Int
  /// The item whose contents the list shows; nil if it shows no item's contents.
  private(set) var container: ListedItem?

  /// Creates the part of a list from the result of the request for it.
  init(_ result: any JSONDecodable, _ read: ListRead, of source: ListSource) {
    switch result {
    // The tags are always the same, and an empty library has none.
    case let status as LibraryStatus where source == .tags:
      let tags: [LibraryTag] =
        status.tracks == 0 ? [] : [.genre, .composer, .conductor, .work, .year, .decade, .albumArtist]
      items = tags.dropFirst(read.offset).prefix(read.limit).map(ListedItem.tag)
      total = tags.count
    case let page as ListPage<ListedTrack>: (items, total) = (page.items.map(ListedItem.track), page.total)
    case let page as ListPage<Album>: (items, total) = (page.items.map(ListedItem.album), page.total)
    case let page as ListPage<Artist>: (items, total) = (page.items.map(ListedItem.artist), page.total)
    case let page as ListPage<TagValue>: (items, total) = (page.items.map(ListedItem.value), page.total)
    case let page as ListPage<PlaylistInfo>: (items, total) = (page.items.map(ListedItem.playlist), page.total)
    case let page as ListPage<PlayedTrack>: (items, total) = (page.items.map(ListedItem.play), page.total)
    case let album as AlbumContents:
      (items, total, container) = (album.tracks.map(ListedItem.track), album.total, .album(album.album))
    case let artist as ArtistContents:
      (items, total, container) = (artist.albums.map(ListedItem.album), artist.total, .artist(artist.artist))
    case let folder as FolderContents:
      items = folder.folders.map(ListedItem.folder) + folder.tracks.map(ListedItem.track)
      total = folder.total
    case let found as FoundItems:
      items =
        found.tracks.map(ListedItem.track) + found.albums.map(ListedItem.album) + found.artists.map(ListedItem.artist)
      total = found.total
    // The daemon returns these lists at once, whatever part of them is needed.
    case let status as LibraryStatus:
      let folders = status.folders.map { LibraryFolder(uri: $0.uri, offline: $0.state == .offline) }
      items = folders.dropFirst(read.offset).prefix(read.limit).map(ListedItem.folder)
      total = folders.count
    case let outputs as OutputList:
      let rows = ListedOutput.rows(of: outputs)
      items = rows.dropFirst(read.offset).prefix(read.limit).map(ListedItem.output)
      total = rows.count
    default: preconditionFailure("\(type(of: result)) is not the result of a request for a list")
    }
  }
}
