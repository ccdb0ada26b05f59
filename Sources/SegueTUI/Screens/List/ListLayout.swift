/// The places of the parts of the list screen, which depend only on its size.
struct ListLayout {
  /// The row of the headings of the columns; nil on a low screen.
  let headingRow: Int?
  /// The first row of the list, and the number of its rows.
  let firstRow: Int
  let rows: Int
  /// The row of the progress bar.
  let progressRow: Int

  init(_ size: ScreenSize) {
    headingRow = size.rows >= 12 ? 1 : nil
    firstRow = headingRow == nil ? 1 : 2
    progressRow = size.rows - 3
    rows = max(1, progressRow - firstRow)
  }
}

/// The columns of the table of tracks.
struct ListColumns {
  let number: (start: Int, width: Int)
  let title: (start: Int, width: Int)
  /// The columns of artist and album; nil if there is no room for them.
  let artist: (start: Int, width: Int)?
  let album: (start: Int, width: Int)?
  /// The column after the durations, which are aligned to the right.
  let end: Int

  /// Creates the columns for a screen of this width and a queue of `count` entries.
  init(width: Int, count: Int) {
    let digits = max(2, String(max(1, count)).utf8.count)
    // The symbols of playback and selection stand before the number.
    number = (4, digits)
    let start = 4 + digits + 2
    end = width - 1
    let durationWidth = 7
    let available = max(1, end - durationWidth - 1 - start)
    switch available {
    case ..<26:
      (title, artist, album) = ((start, available), nil, nil)
    case ..<70:
      let titleWidth = available * 3 / 5
      title = (start, titleWidth)
      artist = (start + titleWidth + 2, available - titleWidth - 2)
      album = nil
    default:
      let (titleWidth, artistWidth) = (available * 2 / 5, available * 3 / 10)
      title = (start, titleWidth)
      artist = (start + titleWidth + 2, artistWidth - 2)
      album = (start + titleWidth + 2 + artistWidth, available - titleWidth - 2 - artistWidth)
    }
  }
}
