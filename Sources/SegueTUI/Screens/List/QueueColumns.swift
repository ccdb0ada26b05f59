internal import SegueClientKit
internal import SegueWire

/// The columns of the queue that its entries fill, with and without headings of albums.
struct QueueColumns {
  private var filled = FilledColumns()
  private var filledBelowHeadings = FilledColumns()

  /// Takes over a page from an index on, which the queue has received.
  mutating func receive(_ page: QueuePage, at offset: Int, _ queue: ListWindow<QueueEntry>) {
    receiveWithoutHeadings(page)
    var album: QueueEntry?
    var entries: [(entry: QueueEntry, heading: QueueEntry?)] = []
    for row in QueueRows(from: offset, height: page.tracks.count * 2, queue).rows {
      switch row {
      case .heading(let entry): album = entry
      case .entry(let index):
        guard index < offset + page.tracks.count, let entry = queue.element(at: index) else { continue }
        entries.append((entry, entry.heading(album)))
      }
    }
    filledBelowHeadings.add(entries, version: page.version) { $0.entry.hasText(in: $1, below: $0.heading) }
  }

  /// Takes over a page that was read for a filter, which hides the headings.
  mutating func receiveWithoutHeadings(_ page: QueuePage) {
    filled.add(page.tracks, version: page.version) { $0.hasText(in: $1, below: nil) }
  }

  /// Returns the columns that some entry fills.
  func all(belowHeadings: Bool) -> FilledColumns { belowHeadings ? filledBelowHeadings : filled }
}

extension QueueEntry {
  /// Returns the entry `album`, whose album has a heading, if this entry belongs to that album.
  func heading(_ album: QueueEntry?) -> QueueEntry? { metadata.album == album?.metadata.album ? album : nil }

  /// Returns the text in a column other than that of the position, without what the heading of the album above the
  /// entry says.
  func text(of column: ItemColumn, below heading: QueueEntry?) -> String {
    switch column {
    case .title: title
    case .artist: artist
    case .time: durationText(duration, durationKind)
    case .album where heading != nil: ""
    case .year where heading?.metadata.year == metadata.year: ""
    default: metadata.text(of: column)
    }
  }

  /// Returns whether the entry has something in a column. Every entry has a position.
  fileprivate func hasText(in column: ItemColumn, below heading: QueueEntry?) -> Bool {
    switch column {
    case .number: true
    case .rating: rating != nil
    default: !text(of: column, below: heading).isEmpty
    }
  }
}
