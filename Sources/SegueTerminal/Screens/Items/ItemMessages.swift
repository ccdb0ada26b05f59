internal import SegueFrontend

/// The messages of all lists of items. Each is a whole sentence or a label of its own, so that it can be translated.
enum ItemMessages {
  static let number = "#"
  static var title: String { tr("Title") }
  static var name: String { tr("Name") }
  static var artist: String { tr("Artist") }
  static var album: String { tr("Album") }
  static var year: String { tr("Year") }
  static var albums: String { tr("Albums") }
  static var tracks: String { tr("Tracks") }
  static var time: String { tr("Time") }
  static var date: String { tr("Date") }
  static var plays: String { tr("Plays") }
  static var rating: String { tr("Rating") }
  static var format: String { tr("Format") }
  static var loading: String { tr("Loading…") }
  static var noMatch: String { tr("Nothing in this list contains this text.") }
  static var nothingFocused: String { tr("There is nothing in this list to which the key applies.") }
  static var noDetails: String { tr("Only tracks, albums and artists have details.") }
  static var noFavorite: String { tr("Only tracks, albums and artists can be favorites.") }
  static var notLoaded: String { tr("The list is not loaded yet.") }
  static var nothingToCancel: String { tr("There is neither a filter nor a selection to end. The key q returns.") }
  static var retry: String { tr("Try again with “%1$s”.", Command.reload.label) }

  static func selected(_ selected: Int, of count: Int) -> String { tr("%1$d of %2$d are selected", selected, count) }

  static func scanning(_ done: Int, of total: Int) -> String {
    tr("The music folders are being scanned: %1$d of %2$d files are read.", done, total)
  }
}
