internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// Everything that the terminal shows at one time: the cells, the place of the cursor and of the pictures, and what a
/// click on an area does.
struct TerminalFrame: Equatable {
  var grid: Grid
  /// The colours of the looks of the cells.
  let palette: Palette
  /// The place of the terminal's cursor, which is on the focused row, so that screen readers and magnifiers find it.
  var cursor: Position?
  /// Whether the cursor is visible, and not only moved: at a text field that is being edited, and in every place if the
  /// focus has no other mark.
  private(set) var showsCursor: Bool
  /// The title of the terminal; nil for the former one.
  var title: String?
  /// The pictures, whose cells in the grid are blank. They do not overlap.
  private(set) var pictures: [PicturePlacement] = []
  private var targets: [(area: Area, target: Target)] = []

  /// Creates an empty frame. `showsCursor` is whether the cursor is visible in every place.
  init(_ size: ScreenSize, palette: Palette, showsCursor: Bool = false) {
    grid = Grid(size)
    self.palette = palette
    self.showsCursor = showsCursor
  }

  /// Makes an area react to the mouse. Later areas lie above earlier ones.
  mutating func addTarget(_ target: Target, _ area: Area) { targets.append((area, target)) }

  /// Returns what lies at a position, and its area.
  func target(at position: Position) -> (area: Area, target: Target)? { targets.last { $0.area.contains(position) } }

  /// Returns the area of a target.
  func area(of target: Target) -> Area? { targets.last { $0.target == target }?.area }

  /// Writes a text over all that a row contains.
  mutating func replaceRow(_ row: Int, with text: String, _ look: Look) {
    grid.fill(Area(row: row, column: 0, rows: 1, columns: grid.size.columns), with: " ")
    grid.write(text, row: row, column: 1, look: look)
  }

  /// Draws a line in the column before an area, which begins in another row if one is given.
  mutating func drawLine(before area: Area, from row: Int? = nil, _ appearance: Appearance) {
    let first = row ?? area.row
    let line = Area(row: first, column: area.column - 1, rows: area.row + area.rows - first, columns: 1)
    grid.fill(line, with: appearance.verticalLine, look: appearance.look(.line))
  }

  /// Writes the part of a text field around its cursor into a row, and places the cursor if the field is being edited.
  mutating func write(_ field: TextField, row: Int, column: Int, width: Int, isEditing: Bool = true) {
    let part = field.visiblePart(width: max(1, width))
    grid.write(part.text, row: row, column: column, width: max(1, width), look: .bold)
    guard isEditing else { return }
    cursor = Position(row: row, column: column + part.cursorColumn)
    showsCursor = true
  }

  /// Adds a picture, scaled to the largest size that fits into an area, at the left or in the middle of its columns.
  /// Returns the place of the picture.
  @discardableResult
  mutating func addPicture(
    _ art: Art, in area: Area, cell: (width: Int, height: Int), isCentered: Bool = false
  ) -> Area {
    let box = PictureBox(
      art.width, art.height, cell: cell, maximum: (columns: area.columns, rows: area.rows), scalesUp: true)
    let indentation = isCentered ? (area.columns - box.columns) / 2 : 0
    let position = Position(row: area.row, column: area.column + indentation)
    pictures.append(PicturePlacement(path: FilePath(art.path), position: position, box: box))
    return Area(row: position.row, column: position.column, rows: box.rows, columns: box.columns)
  }

  /// Removes the pictures that reach below a row.
  mutating func removePictures(below row: Int) {
    pictures.removeAll { $0.area.row + $0.area.rows - 1 > row }
  }

  /// Makes all that is drawn so far the background of a box: it is dim and reacts to nothing. The area of the box is
  /// blank.
  mutating func cover(_ box: Area) {
    targets = []
    cursor = nil
    pictures.removeAll { $0.area.overlaps(box) }
    grid.restyle(Area(row: 0, column: 0, rows: grid.size.rows, columns: grid.size.columns)) { look in
      look.emphasis = look.emphasis.intersection([.reversed, .underlined]).union(.dim)
      if look.color != .line { look.color = nil }
    }
    grid.fill(box, with: " ")
  }

  static func == (a: TerminalFrame, b: TerminalFrame) -> Bool {
    a.grid == b.grid && a.palette == b.palette && a.cursor == b.cursor && a.showsCursor == b.showsCursor
      && a.pictures == b.pictures && a.title == b.title
  }
}

/// Something that reacts to the mouse.
enum Target: Equatable {
  /// A click performs a command.
  case command(Command)
  /// A row of a list, by its index. A click moves the focus there, a double click opens the row.
  case row(Int)
  /// A tab of a screen, by its index.
  case tab(Int)
  /// The progress bar. A click or a drag seeks.
  case progress
  /// The scroll bar of a list. A click or a drag scrolls.
  case scrollBar
}

/// A picture file at a place on the screen.
struct PicturePlacement: Equatable {
  let path: FilePath
  let position: Position
  let box: PictureBox

  var area: Area { Area(row: position.row, column: position.column, rows: box.rows, columns: box.columns) }
}
