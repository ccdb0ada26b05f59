internal import SegueClientKit
internal import SegueUnicode
internal import SegueWire

/// The output of `list`: number, title, artist and duration in columns that fit the terminal, or separated by tabs.
struct QueueTable {
  /// The displayed values of an entry. Complete tracks are not kept because a queue may have a million entries.
  struct Row {
    let number: Int
    let title: String
    let artist: String
    let duration: String
    let mark: Mark?

    init(_ track: QueueEntry, current: UInt64?) {
      number = track.index.oneBased
      title = track.title
      artist = track.artist
      duration = durationText(track.duration, track.durationKind)
      mark = Mark(track, current: current)
    }
  }

  /// The displayed state of an entry. The raw value is printed for programs.
  enum Mark: String {
    case current
    case unplayable
    /// The decoder stopped before the end of the track.
    case incomplete

    init?(_ track: QueueEntry, current: UInt64?) {
      if track.id == current {
        self = .current
      } else if track.error != nil {
        self = track.errorKind == .decodingStopped ? .incomplete : .unplayable
      } else {
        return nil
      }
    }
  }

  let rows: [Row]
  let state: PlayState
  let style: Style

  var lines: [String] { style.isTerminal ? table : rows.map(tabSeparated) }

  private func tabSeparated(_ row: Row) -> String {
    [String(row.number), row.title, row.artist, row.duration, row.mark?.rawValue ?? ""].joined(separator: "\t")
  }

  private var table: [String] {
    let numberWidth = rows.map { String($0.number).utf8.count }.max() ?? 1
    let durationWidth = rows.map { DisplayWidth.of($0.duration) }.max() ?? 0
    let markWidth = DisplayWidth.of(state.symbol(style))
    let widths = Widths(
      available: style.columns - markWidth - 1 - numberWidth - 2 - (durationWidth > 0 ? durationWidth + 2 : 0),
      title: rows.reduce(1) { max($0, DisplayWidth.of($1.title)) },
      artist: rows.reduce(0) { max($0, DisplayWidth.of($1.artist)) })
    return rows.map { row in
      let mark =
        switch row.mark {
        case .current: state.symbol(style)
        case .unplayable, .incomplete: "!"
        case nil: ""
        }
      var line =
        mark.padded(to: markWidth, ellipsis: "") + " " + String(row.number).rightAligned(to: numberWidth) + "  "
      line += row.title.padded(to: widths.title, ellipsis: style.ellipsis)
      if widths.artist > 0 { line += "  " + row.artist.padded(to: widths.artist, ellipsis: style.ellipsis) }
      if durationWidth > 0 { line += "  " + row.duration.rightAligned(to: durationWidth) }
      line = line.truncated(to: style.columns, ellipsis: "")
      return switch row.mark {
      case .current: style.paint(line, .bold)
      case .unplayable: style.paint(line, .red)
      case .incomplete, nil: line
      }
    }
  }

  /// The widths of title and artist. If they do not fit, the title gets at most three fifths of the available columns.
  /// The artist is omitted if it would be too narrow to read.
  private struct Widths {
    let title: Int
    let artist: Int

    init(available: Int, title: Int, artist: Int) {
      if artist == 0 || available < 24 {
        (self.title, self.artist) = (max(1, min(title, available)), 0)
        return
      }
      let shared = available - 2
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
