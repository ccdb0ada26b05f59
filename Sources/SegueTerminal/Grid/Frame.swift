internal import SegueFrontend
internal import SegueSystem

/// Everything that the terminal shows at one time: the cells, the place of the cursor and of the cover, and what a click on an
/// area does.
struct Frame: Equatable {
  var grid: Grid
  /// The colours of the looks of the cells.
  let palette: Palette
  /// The place of the terminal's cursor, which is on the focused row, so that screen readers and magnifiers find it.
  var cursor: Position?
  /// The cover, whose cells in the grid are blank.
  var cover: CoverPlacement?
  private var targets: [(area: Area, target: Target)] = []

  init(_ size: ScreenSize, palette: Palette) {
    grid = Grid(size)
    self.palette = palette
  }

  /// Makes an area react to the mouse. Later areas lie above earlier ones.
  mutating func addTarget(_ target: Target, _ area: Area) { targets.append((area, target)) }

  /// Returns what lies at a position, and its area.
  func target(at position: Position) -> (area: Area, target: Target)? { targets.last { $0.area.contains(position) } }

  /// Returns the area of a target.
  func area(of target: Target) -> Area? { targets.last { $0.target == target }?.area }

  static func == (a: Frame, b: Frame) -> Bool {
    a.grid == b.grid && a.palette == b.palette && a.cursor == b.cursor && a.cover == b.cover
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
}

/// A picture file at a place on the screen.
struct CoverPlacement: Equatable {
  let path: FilePath
  let position: Position
  let box: PictureBox
}
