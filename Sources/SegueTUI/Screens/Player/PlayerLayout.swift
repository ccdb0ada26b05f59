internal import SegueClientKit

/// The places of the parts of the player screen, which depend on its size and on the cover.
struct PlayerLayout {
  /// The width of an area from which on its text stands in its middle.
  private static let centeredColumns = 56

  /// The place of the cover; nil without one.
  let cover: Area?
  /// The area of title, artist, album and lyrics.
  let text: Area
  /// Whether that is below the cover.
  private let isBelowCover: Bool
  /// The rows of the progress bar, of the times and buttons below it, and of the state and the volume.
  let progressRow: Int
  let timeRow: Int
  let stateRow: Int

  /// Creates the layout. `picture` is the size of the cover in pixels, and `cell` that of a cell; both are nil if there
  /// is no cover to display. `linesBelow` is the number of lines of text if there are no lyrics: a large screen has
  /// them below the cover then, because the half beside it would be empty.
  init(
    _ size: ScreenSize, picture: (width: Int, height: Int)?, cell: (width: Int, height: Int)?, linesBelow: Int?
  ) {
    // The last two rows are those of the status and the keys.
    stateRow = size.rows - 3
    timeRow = size.rows >= 12 ? stateRow - 1 : stateRow
    progressRow = size.rows >= 12 ? timeRow - 1 : stateRow - 1
    let top = size.rows >= 12 ? 2 : 1
    let rows = max(1, progressRow - top - (size.rows >= 12 ? 1 : 0))
    guard let picture, let cell, rows >= 5, size.columns >= 60 else {
      (cover, isBelowCover) = (nil, false)
      text = Area(row: top, column: 3, rows: rows, columns: max(1, size.columns - 6))
      return
    }
    if let linesBelow, (rows - linesBelow - 1) * 4 >= rows * 3, size.columns >= 2 * Self.centeredColumns {
      let box = PictureBox(
        picture.width, picture.height, cell: cell,
        maximum: (columns: size.columns - 6, rows: rows - linesBelow - 1), scalesUp: true)
      cover = Area(row: top, column: (size.columns - box.columns) / 2, rows: box.rows, columns: box.columns)
      text = Area(
        row: top + box.rows + 1, column: 3, rows: rows - box.rows - 1, columns: size.columns - 6)
      isBelowCover = true
      return
    }
    isBelowCover = false
    let maximum = size.columns >= 2 * Self.centeredColumns ? size.columns / 2 : size.columns * 2 / 5
    let box = PictureBox(
      picture.width, picture.height, cell: cell, maximum: (columns: maximum, rows: rows), scalesUp: true)
    cover = Area(row: top, column: 3, rows: box.rows, columns: box.columns)
    let column = 3 + box.columns + 3
    text = Area(row: top, column: column, rows: rows, columns: max(1, size.columns - column - 3))
  }

  /// Whether the texts stand in the middle of their area.
  var isCentered: Bool { text.columns >= Self.centeredColumns }

  /// Returns the area of the heading. Without anything below it, it stands in the middle.
  func heading(_ heading: TrackHeading, isAlone: Bool) -> Area {
    var area = text
    if isCentered, isAlone, !isBelowCover { area.remove(rows: max(0, (area.rows - heading.lines.count) / 2)) }
    return area
  }

  /// Returns the area of the lyrics, below the heading and an empty row. It may have no rows.
  func lyrics(below heading: TrackHeading) -> Area {
    var area = text
    area.remove(rows: heading.lines.count + 1)
    return area
  }
}
