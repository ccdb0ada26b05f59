internal import SegueClientKit

/// A column of a table of items.
enum ItemColumn {
  case number, title, name, artist, album, year, albums, tracks, time, date, plays, rating, format

  var heading: String {
    switch self {
    case .number: ItemMessages.number
    case .title: tr("Title")
    case .name: tr("Name")
    case .artist: tr("Artist")
    case .album: tr("Album")
    case .year: tr("Year")
    case .albums: ItemMessages.albums
    case .tracks: ItemMessages.tracks
    case .time: tr("Time")
    case .date: tr("Date")
    case .plays: tr("Plays")
    case .rating: tr("Rating")
    case .format: tr("Format")
    }
  }

  /// The minimum width.
  fileprivate var minimum: Int {
    switch self {
    case .number: 3
    case .title, .name: 14
    case .artist, .album: 10
    case .year: 4
    case .albums, .tracks, .plays, .rating: 6
    case .time: 7
    case .date: 16
    case .format: 22
    }
  }

  /// The share of the columns that are left; 0 for a column of fixed width.
  fileprivate var weight: Int {
    switch self {
    case .title, .name: 4
    case .artist, .album: 3
    case .number, .year, .albums, .tracks, .time, .date, .plays, .rating, .format: 0
    }
  }

  /// The columns that a narrow screen leaves out first have the lowest values.
  fileprivate var importance: Int {
    switch self {
    case .title, .name: 9
    case .time: 8
    case .artist: 7
    case .tracks, .plays: 6
    case .albums, .year, .rating: 5
    case .album, .date, .format: 4
    case .number: 3
    }
  }

  /// Whether the texts are numbers, which end at the same column.
  var isNumeric: Bool { weight == 0 }
}

/// The places of the columns of a table of items.
struct ItemTable {
  struct Place {
    let column: ItemColumn
    let start: Int
    let width: Int
    var end: Int { start + width }
  }

  /// The number of columns before the first text, for the symbols of playback, selection and favorites.
  private static let margin = 5
  /// The number of columns between two texts.
  private static let gap = 2

  let places: [Place]

  /// Places the columns in an area. Columns for which there is no room are left out.
  init(_ columns: [ItemColumn], _ area: Area) {
    let available = max(1, area.columns - Self.margin - 1)
    var columns = columns
    while columns.count > 1, Self.minimumWidth(columns) > available,
      let index = columns.indices.min(by: { columns[$0].importance < columns[$1].importance })
    {
      columns.remove(at: index)
    }
    var rest = max(0, available - Self.minimumWidth(columns))
    var weights = columns.reduce(0) { $0 + $1.weight }
    var start = area.column + Self.margin
    places = columns.map { column in
      let share = column.weight == 0 ? 0 : rest * column.weight / weights
      rest -= share
      weights -= column.weight
      let place = Place(column: column, start: start, width: min(column.minimum + share, available))
      start = place.end + Self.gap
      return place
    }
  }

  private static func minimumWidth(_ columns: [ItemColumn]) -> Int {
    columns.reduce(0) { $0 + $1.minimum } + gap * (columns.count - 1)
  }
}
