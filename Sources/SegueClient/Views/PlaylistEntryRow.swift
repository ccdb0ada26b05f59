internal import SegueWire

/// An entry of a playlist, which is numbered from 1.
struct PlaylistEntryRow: Tabular {
  static let listName: StaticString = "tracks"
  static let columns: [Table.Column] = [.number(least: 2)] + ListedTrack.columns
  static let noun = "track"

  let track: ListedTrack

  init(_ json: JSON) { track = ListedTrack(json) }

  func encode(into json: inout JSONWriter) { track.encode(into: &json) }

  func row(_ style: Style) -> Table.Row {
    let row = track.row(style)
    return Table.Row(cells: [track.index.map { String($0.fromOne) } ?? ""] + row.cells, paint: row.paint)
  }

  var fields: [String] { track.fields }
}
