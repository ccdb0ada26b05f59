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
