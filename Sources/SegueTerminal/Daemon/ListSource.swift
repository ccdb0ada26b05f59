internal import SegueFrontend
internal import SegueWire

/// A list of the daemon that is read in pages.
enum ListSource: Hashable {
  case queue
  case albums
  case artists
  case tracks
  /// The tracks of an album, by its id.
  case album(Int64)
  /// The albums of an artist, by the artist's id.
  case artist(Int64)

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
    case .albums: request("library.albums") { $0.member("sort", "title") }
    case .artists: request("library.artists")
    case .tracks: request("library.tracks") { $0.member("sort", "title") }
    case .album(let id): request("library.album") { $0.member("id", id) }
    case .artist(let id): request("library.artist") { $0.member("id", id) }
    }
  }

  /// Returns the elements of a page, which begins at an offset.
  func items(in page: JSON) -> [ListedItem] {
    switch self {
    case .queue: []
    case .tracks, .album: page.list("tracks").map(ListedItem.track)
    case .albums, .artist: page.list("albums").map(ListedItem.album)
    case .artists: page.list("artists").map(ListedItem.artist)
    }
  }

  /// Returns the item whose contents the list shows; nil if the page does not state it.
  func container(in page: JSON) -> ListedItem? {
    switch self {
    case .album: page.member("album").map(ListedItem.album)
    case .artist: page.member("artist").map(ListedItem.artist)
    case .queue, .albums, .artists, .tracks: nil
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
    }
  }

  /// The name of the list as a tab.
  var name: String {
    switch self {
    case .queue: ListMessages.title
    case .albums, .artist: LibraryMessages.albums
    case .artists: LibraryMessages.artists
    case .tracks, .album: LibraryMessages.tracks
    }
  }

  /// Returns the length of the list with its unit.
  func counted(_ count: Int) -> String {
    switch self {
    case .albums, .artist: LibraryMessages.albums(count)
    case .artists: LibraryMessages.artists(count)
    case .queue, .tracks, .album: LibraryMessages.tracks(count)
    }
  }

  /// What the screen says if the list is empty: a sentence, and what would help.
  var emptyMessages: [String] {
    switch self {
    case .queue: [ListMessages.empty, ListMessages.emptyHint]
    case .albums, .artists, .tracks: [LibraryMessages.empty, LibraryMessages.emptyHint, LibraryMessages.scanCommand]
    case .album, .artist: [LibraryMessages.noContents]
    }
  }
}
