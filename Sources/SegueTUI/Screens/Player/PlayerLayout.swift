internal import SegueClientKit

/// The places of the parts of the player screen, which depend on its size and on the cover.
struct PlayerLayout {
  /// The place of the cover; nil without one.
  let cover: Area?
  /// The area of title, artist, album and lyrics.
  let text: Area
  /// The rows of the progress bar, of the times below it, and of the buttons.
  let progressRow: Int
  let timeRow: Int
  let buttonRow: Int

  /// Creates the layout. `picture` is the size of the cover in pixels, and `cell` that of a cell; both are nil if there
  /// is no cover to display.
  init(_ size: ScreenSize, picture: (width: Int, height: Int)?, cell: (width: Int, height: Int)?) {
    // The last two rows are those of the status and the keys.
    buttonRow = size.rows - 3
    timeRow = size.rows >= 12 ? buttonRow - 1 : buttonRow
    progressRow = size.rows >= 12 ? timeRow - 1 : buttonRow - 1
    let top = size.rows >= 12 ? 2 : 1
    let rows = max(1, progressRow - top - (size.rows >= 12 ? 1 : 0))
    guard let picture, let cell, rows >= 5, size.columns >= 60 else {
      cover = nil
      text = Area(row: top, column: 3, rows: rows, columns: max(1, size.columns - 6))
      return
    }
    let box = PictureBox(
      picture.width, picture.height, cell: cell, maximum: (columns: size.columns * 2 / 5, rows: rows), scalesUp: true)
    cover = Area(row: top, column: 3, rows: box.rows, columns: box.columns)
    let column = 3 + box.columns + 3
    text = Area(row: top, column: column, rows: rows, columns: max(1, size.columns - column - 3))
  }
}
