internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The output of `album` on a terminal: the album and its tracks by disc.
struct AlbumScreen {
  let contents: AlbumContents
  let style: Style
  /// The numbering of the tracks as results. Without one, they have their track numbers.
  let numbering: ResultNumbering?

  private static let columns: [Table.Column] = [
    .number(minimumWidth: 1), .number(minimumWidth: 2), .text(weight: 3), .text(weight: 2, dropOrder: 1),
    .number(minimumWidth: 4, dropOrder: 2),
  ]

  var lines: [String] {
    let album = contents.album
    let facts = [
      Counts.songs(album.trackCount), album.discCount > 1 ? trn("%1$d disc", "%1$d discs", album.discCount) : "",
      album.duration.clock,
      album.uri.visible, album.favorite ? style.heart : "",
    ]
    let rows = contents.tracks.map(row)
    let table = Table(Self.columns, first: rows, style: style)
    var lines = [
      style.paint(style.fitted(album.heading(style)), .bold),
      style.paint(style.fitted(facts.filter { !$0.isEmpty }.joined(separator: "  ")), .dim),
    ]
    var disc: Int?
    for (track, row) in zip(contents.tracks, rows) {
      if album.discCount > 1, let number = track.metadata.disc, number != disc {
        lines.append(style.paint(style.fitted(tr("Disc %1$d", number)), .bold))
        disc = number
      }
      lines.append(table.line(row))
    }
    return lines
  }

  private func row(_ track: ListedTrack) -> Table.Row {
    // The artist of the album is not repeated for each track.
    let artist = track.artist == contents.album.artist ? "" : track.artist
    let number = numbering?.number(track.uri, track.resultTitle(style)) ?? track.metadata.track
    return Table.Row(
      cells: [
        track.mark(style), number.map(String.init) ?? "", track.title, artist,
        durationText(track.duration, track.durationKind),
      ], paint: track.paint)
  }
}
