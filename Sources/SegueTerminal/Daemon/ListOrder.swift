internal import SegueFrontend

/// An order of a list of the daemon. The raw value is the sort key of the protocol.
enum ListOrder: String {
  case title, artist, album, year, added, rating
  /// The time at which an item became a favorite.
  case date
  /// The time of a play.
  case time
  /// The number of plays.
  case plays

  /// Whether the greatest values come first: the newest and the best.
  var isDescending: Bool {
    switch self {
    case .title, .artist, .album: false
    case .year, .added, .rating, .date, .time, .plays: true
    }
  }

  /// The name of the order for the title line.
  var label: String {
    switch self {
    case .title: tr("by title")
    case .artist: tr("by artist")
    case .album: tr("by album")
    case .year: tr("by year")
    case .added: tr("newly added first")
    case .rating: tr("best first")
    case .date, .time: tr("newest first")
    case .plays: tr("most played first")
    }
  }
}
