internal import SegueSystem
internal import SegueWire

/// What lists show of an item.
protocol Tabular: ListItem {
  /// The columns on a terminal.
  static var columns: [Table.Column] { get }
  /// What one is called.
  static var noun: String { get }
  /// Its cells, of which there are as many as columns.
  func row(_ style: Style) -> Table.Row
  /// What a program reads between tabs: the URI first, which every verb takes.
  var fields: [String] { get }
}

extension ListedTrack: Tabular {
  static let columns: [Table.Column] = [
    .number(least: 1), .text(weight: 3), .text(weight: 2, rank: 1), .text(weight: 2, rank: 3),
    .number(least: 4, rank: 2),
  ]
  static let noun = "track"

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [mark(style), title, artist, (metadata.album ?? "").visible, durationText(duration, durationKind)],
      paint: paint)
  }

  var fields: [String] {
    [
      uri, title, artist, metadata.album ?? "", metadata.year.map(String.init) ?? "",
      durationText(duration, durationKind), rating.map(String.init) ?? "", marks.joined(separator: ","),
    ]
  }

  func mark(_ style: Style) -> String { error != nil ? "!" : favorite ? style.heart : "" }
  var paint: Style.Paint? { error != nil ? .red : offline ? .dim : nil }

  private var marks: [String] {
    (favorite ? ["favorite"] : []) + (offline ? ["offline"] : []) + (error != nil ? ["unplayable"] : [])
  }
}

extension Album: Tabular {
  static let columns: [Table.Column] = [
    .number(least: 1), .number(least: 1), .text(weight: 3), .text(weight: 2, rank: 1), .number(least: 4, rank: 3),
    .number(least: 7, rank: 2),
  ]
  static let noun = "album"

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [
        favorite ? style.heart : "", String(id), title.visible, artist, year.map(String.init) ?? "",
        counted(trackCount, "song"),
      ])
  }

  var fields: [String] {
    [
      uri, title, albumArtist ?? "", year.map(String.init) ?? "", String(trackCount), duration.clock,
      favorite ? "favorite" : "",
    ]
  }

  /// For people.
  var artist: String { (albumArtist ?? (compilation ? "various artists" : "")).visible }

  /// `Title — Artist (Year)`, whatever of it is known.
  func heading(_ style: Style) -> String {
    (artist.isEmpty ? title.visible : "\(title.visible) \(style.dash) \(artist)") + (year.map { " (\($0))" } ?? "")
  }
}

extension Artist: Tabular {
  static let columns: [Table.Column] = [
    .number(least: 1), .number(least: 1), .text(), .number(least: 8, rank: 1), .number(least: 7, rank: 2),
  ]
  static let noun = "artist"

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [
        favorite ? style.heart : "", String(id), name.visible, counted(albumCount, "album"),
        counted(trackCount, "song"),
      ])
  }

  var fields: [String] {
    [uri, name, String(albumCount), String(trackCount), favorite ? "favorite" : ""]
  }
}

extension Genre: Tabular {
  static let columns: [Table.Column] = [.text(), .number(least: 7, rank: 1)]
  static let noun = "genre"

  func row(_ style: Style) -> Table.Row { Table.Row(cells: [name.visible, counted(trackCount, "song")]) }
  var fields: [String] { [uri, name, String(trackCount)] }
}

extension PlayedTrack: Tabular {
  static let columns: [Table.Column] = [.number(rank: 2), .text(weight: 3), .text(weight: 2, rank: 1)]
  static let noun = "play"

  func row(_ style: Style) -> Table.Row {
    Table.Row(cells: [time.local, track.title, track.artist], paint: track.paint)
  }
  var fields: [String] { [track.uri, time.stamp, track.title, track.artist, track.metadata.album ?? ""] }
}

extension PlaylistInfo: Tabular {
  static let columns: [Table.Column] = [
    .text(), .number(least: 7, rank: 1), .number(rank: 2), .number(rank: 3),
  ]
  static let noun = "playlist"

  func row(_ style: Style) -> Table.Row {
    Table.Row(
      cells: [name.visible, counted(trackCount, "song"), durationText(duration, .exact), modified.local])
  }
  var fields: [String] {
    [uri, name, String(trackCount), durationText(duration, .exact), modified.stamp]
  }
}

extension URIFailure: Tabular {
  static let columns: [Table.Column] = [.text(weight: 3), .text(weight: 2, rank: 1)]
  static let noun = "failure"

  func row(_ style: Style) -> Table.Row { Table.Row(cells: [place(uri), message.visible], paint: .red) }
  var fields: [String] { [uri, kind, message] }

  /// `/a.txt: no audio in it (unplayable)`; `reason` where the daemon gives none.
  func text(without reason: String) -> String { sentence(without: reason) + (kind.isEmpty ? "" : " (\(kind))") }

  /// Returns the sentence without the kind of the failure.
  func sentence(without reason: String) -> String {
    let message = message.isEmpty ? reason : message
    let isNamed = message.hasPrefix(uri) || message.hasPrefix(place(uri))
    return isNamed ? message : "\(place(uri)): \(message)"
  }
}

extension Tabular {
  /// One line for a program.
  var tabSeparated: String { fields.map(\.visible).joined(separator: "\t") }
}

extension Style {
  /// Marks a favourite.
  var heart: String { unicode ? "♥" : "*" }
}

/// `1 song`, `12 songs`.
func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
