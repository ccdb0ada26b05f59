internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// An element of a list of the daemon other than the queue.
enum ListedItem: ListElement, Equatable {
  case track(ListedTrack)
  case album(Album)
  case artist(Artist)

  /// Identifies the element within its list.
  var id: String { uri }

  var uri: String {
    switch self {
    case .track(let track): track.uri
    case .album(let album): album.uri
    case .artist(let artist): artist.uri
    }
  }

  /// The title or name.
  var title: String {
    switch self {
    case .track(let track): track.title
    case .album(let album): album.title.visible
    case .artist(let artist): artist.name.visible
    }
  }

  var isFavorite: Bool {
    switch self {
    case .track(let track): track.favorite
    case .album(let album): album.favorite
    case .artist(let artist): artist.favorite
    }
  }

  /// Whether the item cannot be played at the moment.
  var isUnavailable: Bool {
    switch self {
    case .track(let track): track.offline || track.error != nil
    case .album, .artist: false
    }
  }

  var filterText: String { "\(title) \(text(of: .artist)) \(text(of: .album))" }

  /// Returns the text in a column; it is empty if the item has none.
  func text(of column: ItemColumn) -> String {
    switch (self, column) {
    case (_, .title), (_, .name): title
    case (.track(let track), .number): track.metadata.track.map(String.init) ?? ""
    case (.track(let track), .artist): track.artist
    case (.track(let track), .album): (track.metadata.album ?? "").visible
    case (.track(let track), .year): track.metadata.year.map(String.init) ?? ""
    case (.track(let track), .time): durationText(track.duration, track.durationKind)
    case (.album(let album), .artist): album.albumArtist?.visible ?? LibraryMessages.severalArtists
    case (.album(let album), .year): album.year.map(String.init) ?? ""
    case (.album(let album), .tracks): String(album.trackCount)
    case (.album(let album), .time): album.duration.clock
    case (.artist(let artist), .albums): String(artist.albumCount)
    case (.artist(let artist), .tracks): String(artist.trackCount)
    default: ""
    }
  }

  /// Facts for the title of the page that shows the item.
  var facts: [String] {
    switch self {
    case .track: []
    case .album(let album):
      [
        text(of: .artist), text(of: .year), LibraryMessages.tracks(album.trackCount), album.duration.clock,
      ].filter { !$0.isEmpty }
    case .artist(let artist): [LibraryMessages.albums(artist.albumCount), LibraryMessages.tracks(artist.trackCount)]
    }
  }
}
