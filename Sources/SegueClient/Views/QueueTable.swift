internal import SegueSystem
internal import SegueWire

/// `segue list`: number, title, artist and duration in columns that fit the terminal; tab-separated for a program.
struct QueueTable {
  /// What a line shows of an entry; a queue may have 100,000.
  struct Row {
    let number: Int
    let title: String
    let artist: String
    let duration: String
    let isCurrent: Bool
    let isUnplayable: Bool

    init(_ track: Track, current: UInt64?) {
      number = track.index.fromOne
      title = track.title
      artist = track.artist
      duration = durationText(track.duration, track.durationKind)
      isCurrent = track.id == current
      isUnplayable = track.error != nil
    }
  }

  let rows: [Row]
  let state: PlayState
  let style: Style

  var lines: [String] { style.isTerminal ? table : rows.map(tabSeparated) }

  private func tabSeparated(_ row: Row) -> String {
    let mark = row.isCurrent ? "current" : row.isUnplayable ? "unplayable" : ""
    return [String(row.number), row.title, row.artist, row.duration, mark].joined(separator: "\t")
  }

  private var table: [String] {
    let numberWidth = rows.map { String($0.number).utf8.count }.max() ?? 1
    let durationWidth = rows.map(\.duration.utf8.count).max() ?? 0
    let markWidth = Columns.of(state.symbol(style))
    let widths = Widths(
      room: style.columns - markWidth - 1 - numberWidth - 2 - (durationWidth > 0 ? durationWidth + 2 : 0),
      title: rows.reduce(1) { max($0, Columns.of($1.title)) },
      artist: rows.reduce(0) { max($0, Columns.of($1.artist)) })
    return rows.map { row in
      let mark = row.isCurrent ? state.symbol(style) : row.isUnplayable ? "!" : ""
      var line = mark.padded(to: markWidth, mark: "") + " " + String(row.number).rightAligned(to: numberWidth) + "  "
      line += row.title.padded(to: widths.title, mark: style.ellipsis)
      if widths.artist > 0 { line += "  " + row.artist.padded(to: widths.artist, mark: style.ellipsis) }
      if durationWidth > 0 { line += "  " + row.duration.rightAligned(to: durationWidth) }
      line = line.cut(to: style.columns, mark: "")
      if row.isCurrent { return style.paint(line, .bold) }
      return row.isUnplayable ? style.paint(line, .red) : line
    }
  }

  /// How title and artist share `room` columns: what they need if that fits, else three fifths for the title and no
  /// more than is needed for either; the artist goes where it would be too narrow to read.
  private struct Widths {
    let title: Int
    let artist: Int

    init(room: Int, title: Int, artist: Int) {
      if artist == 0 || room < 24 {
        (self.title, self.artist) = (max(1, min(title, room)), 0)
        return
      }
      let shared = room - 2
      if title + artist <= shared {
        (self.title, self.artist) = (title, artist)
      } else if title <= shared * 3 / 5 {
        (self.title, self.artist) = (title, shared - title)
      } else {
        let artistWidth = min(artist, shared - shared * 3 / 5)
        (self.title, self.artist) = (shared - artistWidth, artistWidth)
      }
    }
  }
}
