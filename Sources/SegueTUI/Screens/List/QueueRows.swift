internal import SegueWire

/// The rows of the queue on the screen: the entries, and headings above several tracks of an album.
struct QueueRows {
  enum Row {
    /// The heading of the album of an entry.
    case heading(QueueEntry)
    /// An entry, by its index.
    case entry(Int)
  }

  private(set) var rows: [Row] = []

  /// Creates the rows from an entry on, as many as fit into `height`. The album of the first entry has its heading even
  /// if it begins above.
  init(from top: Int, height: Int, _ queue: ListWindow<QueueEntry>) {
    var previous = top > 0 ? queue.member(at: top - 1, \.albumKey) : nil
    var key = queue.member(at: top, \.albumKey)
    for index in top..<max(top, queue.length) {
      guard rows.count < height else { break }
      let next = index + 1 < queue.length ? queue.member(at: index + 1, \.albumKey) : nil
      let isFirst = index == top || key != previous
      if let key, isFirst, key == next || key == previous, let entry = queue.element(at: index) {
        // A heading alone at the end of the screen would be above nothing.
        guard rows.count + 1 < height else { break }
        rows.append(.heading(entry))
      }
      rows.append(.entry(index))
      (previous, key) = (key, next)
    }
  }

  /// The number of entries among the rows.
  var entryCount: Int { rows.count { if case .entry = $0 { true } else { false } } }
}

extension QueueEntry {
  /// The album of the entry; nil if the entry belongs to none.
  fileprivate var albumKey: AlbumKey? {
    metadata.album.map { AlbumKey(title: $0, artist: metadata.albumArtist ?? metadata.artist) }
  }
}

private struct AlbumKey: Equatable {
  let title: String
  /// The artist of the album, or that of the track if the tags do not name one.
  let artist: String?
}
