internal import SegueClientKit

/// The messages of all lists of items. Each is a whole sentence or a label of its own, so that it can be translated.
enum ItemMessages {
  static let number = "#"
  static var albums: String { tr("Albums") }
  static var tracks: String { tr("Tracks") }
  static var loading: String { tr("Loading…") }
  static var noMatch: String { tr("Nothing in this list contains this text.") }
  static var nothingFocused: String { tr("There is nothing in this list to which the key applies.") }
  static var noFavorite: String { tr("Only tracks, albums and artists can be favorites.") }
  static var notLoaded: String { tr("The list is not loaded yet.") }
  static func retry(_ state: SharedState) -> String { tr("Try again with %1$s.", state.named(.reload)) }

  static func selected(_ selected: Int, of count: Int) -> String { tr("%1$d of %2$d are selected", selected, count) }

  static func scanning(_ done: Int, of total: Int) -> String {
    tr("The music folders are being scanned: %1$d of %2$d files are read.", done, total)
  }
}
