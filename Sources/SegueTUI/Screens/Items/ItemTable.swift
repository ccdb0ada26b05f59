internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// A column of a table of items. The raw value is its name in `ui.conf`.
enum ItemColumn: String, CaseIterable, Sendable {
  case number, title, name, artist, album, year, genre, composer, albums, tracks, time, date, plays, rating, format

  var heading: String {
    switch self {
    case .number: ItemMessages.number
    case .title: tr("Title")
    case .name: tr("Name")
    case .artist: tr("Artist")
    case .album: tr("Album")
    case .year: tr("Year")
    case .genre: tr("Genre")
    case .composer: tr("Composer")
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
    case .artist, .album, .composer: 10
    case .genre: 8
    case .year: 4
    case .albums, .tracks, .plays, .rating: 6
    case .time: 7
    case .date: 16
    case .format: 22
    }
  }

  /// The width that the column should have beside additional ones.
  fileprivate var preferred: Int {
    switch self {
    case .title, .name: 30
    case .artist: 18
    case .number, .album, .composer, .genre, .year, .albums, .tracks, .time, .date, .plays, .rating, .format: minimum
    }
  }

  /// Whether the column is displayed only where the others have about their preferred widths.
  fileprivate var isAdditional: Bool {
    switch self {
    case .album, .genre, .composer: true
    case .title, .name, .artist, .number, .year, .albums, .tracks, .time, .date, .plays, .rating, .format: false
    }
  }

  /// The share of the columns that are left; 0 for a column of fixed width.
  fileprivate var weight: Int {
    switch self {
    case .title, .name: 4
    case .artist, .album, .composer: 3
    case .genre: 2
    case .number, .year, .albums, .tracks, .time, .date, .plays, .rating, .format: 0
    }
  }

  /// The columns that a narrow screen leaves out first have the lowest values.
  fileprivate var importance: Int {
    switch self {
    case .title, .name: 9
    case .time: 8
    case .artist: 7
    case .tracks, .plays, .rating: 6
    case .albums, .album: 5
    case .year, .date, .format: 4
    case .genre, .composer, .number: 3
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

    /// Writes a text into a row. Numbers end at the same column.
    func write(_ text: String, row: Int, look: Look, _ frame: inout TerminalFrame, _ state: SharedState) {
      if column.isNumeric {
        frame.grid.write(text, row: row, endingAt: end, look: look)
      } else {
        frame.grid.write(
          text, row: row, column: start, width: width, look: look, ellipsis: state.appearance.ellipsis)
      }
    }
  }

  /// The widths that a column needs, and its importance.
  private struct Need {
    let column: ItemColumn
    var minimum: Int
    var preferred: Int
    var importance: Int

    init(_ column: ItemColumn) {
      self.column = column
      (minimum, preferred, importance) = (column.minimum, column.preferred, column.importance)
    }

    /// Creates the need of the position in the queue, which is always displayed.
    init(position width: Int) {
      self.init(.number)
      (minimum, preferred, importance) = (width, width, .max)
    }
  }

  /// The number of columns before the first text, for the symbols of playback, selection and favorites.
  private static let margin = 5
  /// The number of columns between two texts.
  private static let gap = 2
  /// The number of columns by which preferred widths may be missed in favor of an additional column.
  private static let tolerance = 6

  let places: [Place]
  /// The place of the first text.
  var textPlace: Place? { places.first { !$0.column.isNumeric } }

  /// Places the columns in an area. Columns for which there is no room are left out: the least important ones, and
  /// among equal ones the last one. In the table of the queue, the number is a position in a list of `queueLength`
  /// entries.
  init(_ columns: [ItemColumn], _ area: Area, queueLength: Int? = nil) {
    let available = max(1, area.columns - Self.margin - 1)
    let positionWidth = queueLength.map { max(2, String(max(1, $0)).utf8.count) }
    let needs = Self.fitting(
      columns.map { column in
        if column == .number, let positionWidth { Need(position: positionWidth) } else { Need(column) }
      }, available)
    let (widths, weights) = Self.shares(needs, available)
    var rest = max(0, available - widths.reduce(0, +) - Self.gap * (needs.count - 1))
    var weightSum = weights.reduce(0, +)
    var start = area.column + Self.margin
    places = needs.indices.map { index in
      let share = weights[index] == 0 ? 0 : rest * weights[index] / weightSum
      rest -= share
      weightSum -= weights[index]
      let place = Place(
        column: needs[index].column, start: start, width: min(widths[index] + share, available))
      start = place.end + Self.gap
      return place
    }
  }

  /// Draws the headings of the columns.
  func drawHeadings(_ frame: inout TerminalFrame, _ row: Int, _ state: SharedState) {
    for place in places { place.write(place.column.heading, row: row, look: .dim, &frame, state) }
  }

  /// Returns the columns for which there is room, in their order.
  private static func fitting(_ needs: [Need], _ available: Int) -> [Need] {
    var indices: [Int] = []
    let order = needs.indices.sorted { (needs[$0].importance, $1) > (needs[$1].importance, $0) }
    for index in order {
      let chosen = (indices + [index]).sorted()
      if indices.isEmpty || fit(chosen.map { needs[$0] }, available) {
        indices = chosen
      } else if !needs[index].column.isAdditional {
        // No column takes the place of a more important one.
        break
      }
    }
    return indices.map { needs[$0] }
  }

  /// Returns whether there is room for the columns.
  private static func fit(_ needs: [Need], _ available: Int) -> Bool {
    let gaps = gap * (needs.count - 1)
    guard needs.reduce(gaps, { $0 + $1.minimum }) <= available else { return false }
    return !needs.contains { $0.column.isAdditional }
      || needs.reduce(gaps, { $0 + $1.preferred }) <= available + tolerance
  }

  /// Returns widths for the columns, and the weights by which they share what is left.
  private static func shares(_ needs: [Need], _ available: Int) -> (widths: [Int], weights: [Int]) {
    let (minimums, preferred) = (needs.map(\.minimum), needs.map(\.preferred))
    let weights = needs.map(\.column.weight)
    guard needs.contains(where: { $0.column.isAdditional }) else { return (minimums, weights) }
    if preferred.reduce(gap * (needs.count - 1), +) <= available { return (preferred, weights) }
    return (minimums, zip(preferred, minimums).map { $0 - $1 })
  }
}

extension Metadata {
  /// Returns the text in a column of a table of tracks; it is empty if there is none.
  func text(of column: ItemColumn) -> String {
    switch column {
    case .number: track.map(String.init) ?? ""
    case .album: (album ?? "").visible
    case .year: year.map(String.init) ?? ""
    case .genre: genre.joined(separator: ", ").visible
    case .composer: (composer ?? "").visible
    case .title, .name, .artist, .albums, .tracks, .time, .date, .plays, .rating, .format: ""
    }
  }
}
