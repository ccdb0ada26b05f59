/// A setting of `ui.conf` that names the columns of a table of tracks, from left to right. The raw value is its key.
enum ColumnSetting: String, CaseIterable, Sendable {
  case queue = "QueueColumns"
  /// The tracks of the library, of a value of a tag and of a playlist.
  case tracks = "TrackColumns"

  /// The columns that the table can have.
  static let possible: [ItemColumn] = [
    .number, .title, .artist, .album, .year, .genre, .composer, .rating, .time,
  ]

  /// The columns that the table has by default. Tracks with ratings have a column for these as well.
  var standard: [ItemColumn] {
    switch self {
    case .queue: [.number, .title, .artist, .album, .time]
    case .tracks: [.title, .artist, .album, .time]
    }
  }

  /// The name of a column that the table cannot have.
  struct UnknownColumn: Error {
    let name: String
  }

  /// Returns the columns with the names in a text, which spaces or commas separate.
  func columns(in text: String) throws(UnknownColumn) -> [ItemColumn] {
    var columns: [ItemColumn] = []
    for name in text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }).map(String.init) {
      guard let column = ItemColumn(rawValue: name.lowercased()), Self.possible.contains(column) else {
        throw UnknownColumn(name: name)
      }
      if !columns.contains(column) { columns.append(column) }
    }
    return columns
  }
}
