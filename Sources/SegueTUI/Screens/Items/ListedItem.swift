internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// An element of a list of the daemon other than the queue.
enum ListedItem: ListElement, Equatable {
  case track(ListedTrack)
  case album(Album)
  case artist(Artist)
  /// The list of the values of a tag.
  case tag(LibraryTag)
  case value(TagValue)
  case folder(LibraryFolder)
  case playlist(PlaylistInfo)
  case play(PlayedTrack)
  case output(ListedOutput)

  /// Identifies the element within its list, in which the same URI may occur several times.
  struct ID: Hashable {
    let uri: String
    /// The index in a playlist, or the time of a play; nil in other lists.
    var place: Int64?
  }

  var id: ID {
    switch self {
    case .track(let track): ID(uri: track.uri, place: track.index.map(Int64.init))
    case .play(let play): ID(uri: play.track.uri, place: play.time.nanoseconds)
    case .album, .artist, .tag, .value, .folder, .playlist, .output: ID(uri: uri)
    }
  }

  var uri: String {
    switch self {
    case .track(let track): track.uri
    case .album(let album): album.uri
    case .artist(let artist): artist.uri
    case .tag(let tag): tag.rawValue
    case .value(let value): value.uri
    case .folder(let folder): folder.uri
    case .playlist(let playlist): playlist.uri
    case .play(let play): play.track.uri
    case .output(let output): output.name
    }
  }

  /// The track; nil for anything else.
  var track: ListedTrack? {
    switch self {
    case .track(let track): track
    case .play(let play): play.track
    case .album, .artist, .tag, .value, .folder, .playlist, .output: nil
    }
  }

  /// The item whose details are displayed; nil if there are none.
  var item: CatalogItem? {
    switch self {
    case .track(let track): CatalogItem(track)
    case .play(let play): CatalogItem(play.track)
    case .album(let album): CatalogItem(album)
    case .artist(let artist): CatalogItem(artist)
    case .tag, .value, .folder, .playlist, .output: nil
    }
  }

  /// The lists of what the item contains, the one of its page first; empty for a track or an output.
  var contents: [ListSource] {
    switch self {
    case .album(let album): [.album(album.id)]
    case .artist(let artist): [.artist(artist.id)]
    case .tag(let tag): [.values(tag)]
    case .value(let value): value.contents
    case .folder(let folder): [.folder(folder.uri)]
    case .playlist(let playlist): [.playlist(playlist.name)]
    case .track, .play, .output: []
    }
  }

  /// The title or name.
  var title: String {
    switch self {
    case .track(let track): track.title
    case .album(let album): album.title.visible
    case .artist(let artist): artist.name.visible
    case .tag(let tag): LibraryMessages.values(tag)
    case .value(let value): value.name.visible
    case .folder(let folder): FolderMessages.name(folder.uri)
    case .playlist(let playlist): playlist.name.visible
    case .play(let play): play.track.title
    case .output(let output): output.title
    }
  }

  /// What distinguishes the item from others, and follows its name; it is empty if nothing does.
  var marks: String {
    if case .output(let output) = self { output.marks } else { "" }
  }

  var isFavorite: Bool {
    switch self {
    case .track(let track): track.favorite
    case .album(let album): album.favorite
    case .artist(let artist): artist.favorite
    case .play(let play): play.track.favorite
    case .tag, .value, .folder, .playlist, .output: false
    }
  }

  var canBeFavorite: Bool {
    switch self {
    case .track, .album, .artist, .play: true
    case .tag, .value, .folder, .playlist, .output: false
    }
  }

  /// Whether the item cannot be played at the moment.
  var isUnavailable: Bool {
    switch self {
    case .track(let track): track.offline || track.error != nil
    case .play(let play): play.track.offline || play.track.error != nil
    case .folder(let folder): folder.offline
    case .output(let output): output.device == nil
    case .album, .artist, .tag, .value, .playlist: false
    }
  }

  var isIdentifiedByPlace: Bool {
    if case .track(let track) = self { track.index != nil } else { false }
  }

  var filterText: String { "\(title) \(text(of: .artist)) \(text(of: .album))" }

  /// Returns the text in a column; it is empty if the item has none.
  func text(of column: ItemColumn) -> String {
    switch (self, column) {
    case (_, .title), (_, .name): title
    case (.track(let track), .artist): track.artist
    case (.track(let track), .time): durationText(track.duration, track.durationKind)
    case (.track(let track), _): track.metadata.text(of: column)
    case (.album(let album), .artist): album.albumArtist?.visible ?? tr("Several artists")
    case (.album(let album), .year): album.year.map(String.init) ?? ""
    case (.album(let album), .tracks): String(album.trackCount)
    case (.album(let album), .time): album.duration.clock
    case (.play(let play), .date): play.time.localTime
    case (.play(let play), .plays): String(play.plays)
    case (.play(let play), _): ListedItem.track(play.track).text(of: column)
    case (.playlist(let playlist), .tracks): String(playlist.trackCount)
    case (.playlist(let playlist), .time): playlist.duration?.clock ?? ""
    case (.playlist(let playlist), .date): playlist.modified.localTime
    case (.output(let output), .format): output.device.map(OutputMessages.format) ?? ""
    case (.artist(let artist), .albums): String(artist.albumCount)
    case (.artist(let artist), .tracks): String(artist.trackCount)
    case (.value(let value), .albums): String(value.albumCount)
    case (.value(let value), .tracks): String(value.trackCount)
    default: ""
    }
  }

  /// Returns whether the item has something in a column.
  func hasText(in column: ItemColumn) -> Bool {
    column == .rating ? track?.rating != nil : !text(of: column).isEmpty
  }

  /// The duration; nil if it is unknown.
  var duration: MediaTime? {
    switch self {
    case .track(let track): track.duration
    case .play(let play): play.track.duration
    case .album(let album): album.duration
    case .playlist(let playlist): playlist.duration
    case .artist, .folder, .output, .tag, .value: nil
    }
  }

  /// The lines below the title of an item with a cover, the most important ones first.
  var captions: [String] {
    switch self {
    case .album: [.artist, .year].map { text(of: $0) }
    default: [.artist, .album, .time].map { text(of: $0) }.filter { !$0.isEmpty }
    }
  }

  /// Facts for the title of the page that shows the item.
  var facts: [String] {
    switch self {
    case .track, .play, .tag, .output: []
    case .folder(let folder): [displayURI(folder.uri)]
    case .playlist(let playlist): [LibraryMessages.tracks(playlist.trackCount)]
    case .album(let album):
      [
        text(of: .artist), text(of: .year), LibraryMessages.tracks(album.trackCount), album.duration.clock,
      ].filter { !$0.isEmpty }
    case .artist(let artist): [LibraryMessages.albums(artist.albumCount), LibraryMessages.tracks(artist.trackCount)]
    case .value(let value): [LibraryMessages.albums(value.albumCount), LibraryMessages.tracks(value.trackCount)]
    }
  }
}
