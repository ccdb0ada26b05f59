internal import SegueClientKit
internal import SegueWire

/// An order of a list of the daemon. The raw value is its name in the protocol and in `ui.conf`.
protocol ListOrder: Hashable, Sendable, RawRepresentable<String> {
  /// Whether the greatest values come first: the newest and the best.
  var isDescending: Bool { get }
  /// The name of the order for the title line.
  var label: String { get }
}

extension ListOrder {
  var direction: SortOrder { isDescending ? .descending : .ascending }
}

extension AlbumSort: ListOrder {
  var isDescending: Bool {
    switch self {
    case .title, .artist, .random: false
    case .year, .added: true
    }
  }

  var label: String {
    switch self {
    case .title: OrderMessages.title
    case .artist: OrderMessages.artist
    case .year: OrderMessages.year
    case .added: OrderMessages.added
    case .random: OrderMessages.random
    }
  }
}

extension TrackSort: ListOrder {
  var isDescending: Bool {
    switch self {
    case .title, .artist, .album, .random: false
    case .year, .added, .rating: true
    }
  }

  var label: String {
    switch self {
    case .title: OrderMessages.title
    case .artist: OrderMessages.artist
    case .album: tr("by album")
    case .year: OrderMessages.year
    case .added: OrderMessages.added
    case .rating: OrderMessages.rating
    case .random: OrderMessages.random
    }
  }
}

extension FavoriteSort: ListOrder {
  var isDescending: Bool {
    switch self {
    case .title: false
    case .date, .year, .rating: true
    }
  }

  var label: String {
    switch self {
    case .title: OrderMessages.title
    case .date: OrderMessages.newest
    case .year: OrderMessages.year
    case .rating: OrderMessages.rating
    }
  }
}

extension HistorySort: ListOrder {
  var isDescending: Bool { true }

  var label: String {
    switch self {
    case .time: OrderMessages.newest
    case .plays: tr("most played first")
    }
  }
}

/// The names of orders that several lists have.
private enum OrderMessages {
  static var title: String { tr("by title") }
  static var artist: String { tr("by artist") }
  static var year: String { tr("by year") }
  static var added: String { tr("newly added first") }
  static var rating: String { tr("best first") }
  static var newest: String { tr("newest first") }
  static var random: String { tr("in random order") }
}
