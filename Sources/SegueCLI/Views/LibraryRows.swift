internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The place of the number of a result in the row of a table.
enum ResultNumberPlace {
  /// The number is an additional cell with this index.
  case inserted(at: Int)
  /// The number replaces the cell with this index, which has another number.
  case replacing(Int)
}

/// An item that can be printed as a table row or as tab-separated fields.
protocol Tabular: ListItem {
  /// The columns on a terminal.
  static var columns: [Table.Column] { get }
  /// The word for one item.
  static var noun: String { get }
  /// Returns the row for a table. It has one cell per column.
  func row(_ style: Style) -> Table.Row
  /// The fields for programs. The first one is the URI, which all verbs accept.
  var fields: [String] { get }
  /// The place of the number of a result in a row.
  static var numberPlace: ResultNumberPlace { get }
  /// Returns the title and the artist, as far as they are known, for messages about a result.
  func resultTitle(_ style: Style) -> String
  /// The sentence in place of an empty list of matches.
  static var noMatches: String { get }
  /// Returns the notice that results of a corrected query are shown.
  static func correctionNotice(_ query: String) -> String
}

extension Tabular {
  /// The kind of the items in the library; nil for items that the full-text search does not find.
  static var libraryKind: LibraryKind? { LibraryKind(rawValue: noun) }
  static var numberPlace: ResultNumberPlace { .inserted(at: 0) }
  func resultTitle(_ style: Style) -> String { fields[1] }
  static var noMatches: String { tr("No matches.") }
  static func correctionNotice(_ query: String) -> String { tr("no matches; showing results for “%1$s”", query) }
}

extension ListedTrack: Tabular {
  static let columns: [Table.Column] = [
    .number(minimumWidth: 1), .text(weight: 3), .text(weight: 2, dropOrder: 1), .text(weight: 2, dropOrder: 3),
    .number(dropOrder: 4), .number(minimumWidth: 4, dropOrder: 2),
  ]
  static let noun = "track"
  static let numberPlace = ResultNumberPlace.inserted(at: 1)
  static var noMatches: String { tr("No matching tracks.") }
  static func correctionNotice(_ query: String) -> String {
    tr("no matching tracks; showing results for “%1$s”", query)
  }

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [
        mark(style), title, artist, (metadata.album ?? "").visible, rating.map { "\(style.star)\($0)" } ?? "",
        durationText(duration, durationKind),
      ],
      paint: paint)
  }

  var fields: [String] {
    [
      uri, title, artist, metadata.album ?? "", metadata.year.map(String.init) ?? "",
      durationText(duration, durationKind), rating.map(String.init) ?? "", marks.joined(separator: ","),
    ]
  }

  func resultTitle(_ style: Style) -> String { heading(style) }

  func mark(_ style: Style) -> String { error != nil ? "!" : favorite ? style.heart : "" }
  var paint: Style.Paint? { error != nil ? .red : offline ? .dim : nil }

  private var marks: [String] {
    (favorite ? ["favorite"] : []) + (offline ? ["offline"] : []) + (error != nil ? ["unplayable"] : [])
  }
}

extension Album: Tabular {
  static let columns: [Table.Column] = [
    .number(minimumWidth: 1), .number(minimumWidth: 1), .text(weight: 3), .text(weight: 2, dropOrder: 1),
    .number(minimumWidth: 4, dropOrder: 3),
    .number(minimumWidth: 7, dropOrder: 2),
  ]
  static let noun = "album"
  static var noMatches: String { tr("No matching albums.") }
  static func correctionNotice(_ query: String) -> String {
    tr("no matching albums; showing results for “%1$s”", query)
  }
  static let numberPlace = ResultNumberPlace.replacing(1)

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [
        favorite ? style.heart : "", String(id), title.visible, artist, year.map(String.init) ?? "",
        Counts.songs(trackCount),
      ])
  }

  var fields: [String] {
    [
      uri, title, albumArtist ?? "", year.map(String.init) ?? "", String(trackCount), duration.clock,
      favorite ? "favorite" : "",
    ]
  }

  func resultTitle(_ style: Style) -> String { heading(style) }

  /// The artist to display.
  var artist: String { (albumArtist ?? (compilation ? tr("various artists") : "")).visible }

  /// Returns the known parts of `Title — Artist (Year)`.
  func heading(_ style: Style) -> String {
    (artist.isEmpty ? title.visible : "\(title.visible) \(style.dash) \(artist)") + (year.map { " (\($0))" } ?? "")
  }
}

extension Artist: Tabular {
  static let columns: [Table.Column] = [
    .number(minimumWidth: 1), .number(minimumWidth: 1), .text(), .number(minimumWidth: 8, dropOrder: 1),
    .number(minimumWidth: 7, dropOrder: 2),
  ]
  static let noun = "artist"
  static var noMatches: String { tr("No matching artists.") }
  static func correctionNotice(_ query: String) -> String {
    tr("no matching artists; showing results for “%1$s”", query)
  }
  static let numberPlace = ResultNumberPlace.replacing(1)

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [
        favorite ? style.heart : "", String(id), name.visible, Counts.albums(albumCount),
        Counts.songs(trackCount),
      ])
  }

  var fields: [String] {
    [uri, name, String(albumCount), String(trackCount), favorite ? "favorite" : ""]
  }
}

extension Genre: Tabular {
  static let columns: [Table.Column] = [.text(), .number(minimumWidth: 7, dropOrder: 1)]
  static let noun = "genre"

  func row(_ style: Style) -> Table.Row { Table.Row(cells: [name.visible, Counts.songs(trackCount)]) }
  var fields: [String] { [uri, name, String(trackCount)] }
}

extension TagValue: Tabular {
  static let columns: [Table.Column] = [
    .text(), .number(minimumWidth: 8, dropOrder: 1), .number(minimumWidth: 7, dropOrder: 2),
  ]
  static let noun = "value"

  func row(_ style: Style) -> Table.Row {
    Table.Row(cells: [name.visible, Counts.albums(albumCount), Counts.songs(trackCount)])
  }
  var fields: [String] { [uri, name, String(albumCount), String(trackCount)] }
}

extension PlayedTrack: Tabular {
  static let columns: [Table.Column] = [
    .number(dropOrder: 2), .text(weight: 3), .text(weight: 2, dropOrder: 1), .number(minimumWidth: 7, dropOrder: 3),
  ]
  static let noun = "play"

  func row(_ style: Style) -> Table.Row {
    Table.Row(cells: [time.localTime, track.title, track.artist, Counts.plays(plays)], paint: track.paint)
  }
  var fields: [String] {
    [track.uri, time.timestamp, track.title, track.artist, track.metadata.album ?? "", String(plays)]
  }
  func resultTitle(_ style: Style) -> String { track.resultTitle(style) }
}

extension PlaylistInfo: Tabular {
  static let columns: [Table.Column] = [
    .text(), .number(minimumWidth: 7, dropOrder: 1), .number(dropOrder: 2), .number(dropOrder: 3),
  ]
  static let noun = "playlist"

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [name.visible, Counts.songs(trackCount), durationText(duration, .exact), modified.localTime])
  }
  var fields: [String] {
    [uri, name, String(trackCount), durationText(duration, .exact), modified.timestamp]
  }
}

extension URIFailure: Tabular {
  static let columns: [Table.Column] = [.text(weight: 3), .text(weight: 2, dropOrder: 1)]
  static let noun = "failure"

  func row(_ style: Style) -> Table.Row {
    Table.Row(cells: [displayURI(uri), localizableMessage.translated.visible], paint: .red)
  }
  var fields: [String] { [uri, kind, message] }

  /// Returns a sentence such as `/a.txt: no audio in it`. Uses `defaultReason` if the daemon gives no message.
  func sentence(defaultReason: String) -> String {
    let message = message.isEmpty ? defaultReason : localizableMessage.translated
    let isNamed = message.hasPrefix(uri) || message.hasPrefix(displayURI(uri))
    return isNamed ? message : "\(displayURI(uri)): \(message)"
  }
}

extension Tabular {
  /// Returns the row, with the number of the result if there is a numbering.
  func row(_ style: Style, _ numbering: ResultNumbering?) -> Table.Row {
    var row = row(style)
    guard let number = number(style, numbering) else { return row }
    switch Self.numberPlace {
    case .inserted(let index): row.cells.insert(number, at: index)
    case .replacing(let index): row.cells[index] = number
    }
    return row
  }

  /// Returns the line for programs, which begins with the number of the result if there is a numbering.
  func tabSeparated(_ style: Style, _ numbering: ResultNumbering?) -> String {
    (number(style, numbering).map { "\($0)\t" } ?? "") + tabSeparated
  }

  /// Numbers the item as a result if there is a numbering.
  private func number(_ style: Style, _ numbering: ResultNumbering?) -> String? {
    numbering.map { String($0.number(fields[0], resultTitle(style))) }
  }

  /// The line for programs.
  var tabSeparated: String { fields.map(\.visible).joined(separator: "\t") }
}
