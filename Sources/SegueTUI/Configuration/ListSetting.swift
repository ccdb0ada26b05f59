internal import SegueWire

/// A setting of `ui.conf` that a key of a list changes: the order of the list, or its layout. A list takes over the
/// value when its screen is shown. The screen of the settings does not have it, because the list itself shows what the
/// key does. The raw value is the key in `ui.conf`.
enum ListSetting: String, CaseIterable, Sendable {
  case albumOrder = "AlbumOrder"
  case trackOrder = "TrackOrder"
  /// The albums and the tracks with a value of a tag, such as those of a genre.
  case tagAlbumOrder = "TagAlbumOrder"
  case tagTrackOrder = "TagTrackOrder"
  /// All tabs of the favorites.
  case favoriteOrder = "FavoriteOrder"
  case historyOrder = "HistoryOrder"

  case albumLayout = "AlbumLayout"
  case tagAlbumLayout = "TagAlbumLayout"
  /// The albums of an artist.
  case artistLayout = "ArtistLayout"
  case favoriteTrackLayout = "FavoriteTrackLayout"
  case favoriteAlbumLayout = "FavoriteAlbumLayout"
  case searchLayout = "SearchLayout"
  case popularLayout = "PopularLayout"
  case peopleLayout = "PeopleLayout"
  case radioLayout = "RadioLayout"

  /// The words of layouts: tiles beside each other, or a row for each item.
  static let (tiles, table) = ("tiles", "table")

  /// The values that it can have, in the order in which the key goes through them. The first one is the default.
  var words: [String] {
    switch self {
    case .albumOrder, .tagAlbumOrder: Self.words([AlbumSort.title, .artist, .year, .added])
    case .trackOrder: Self.words([TrackSort.title, .artist, .album, .year, .added, .rating])
    case .tagTrackOrder: Self.words([TrackSort.album, .year, .added, .rating, .title, .artist])
    case .favoriteOrder: Self.words([FavoriteSort.title, .date, .rating])
    case .historyOrder: Self.words([HistorySort.time, .plays])
    case .albumLayout, .tagAlbumLayout, .artistLayout, .favoriteTrackLayout, .favoriteAlbumLayout, .searchLayout:
      [Self.tiles, Self.table]
    case .popularLayout, .peopleLayout, .radioLayout: [Self.table, Self.tiles]
    }
  }

  private static func words(_ orders: [some ListOrder]) -> [String] { orders.map(\.rawValue) }
}

extension [String] {
  /// Returns the word after another one, or the first one after the last. There is at least one.
  func word(after word: String) -> String { self[((firstIndex(of: word) ?? -1) + 1) % count] }
}
