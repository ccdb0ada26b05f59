internal import CCurses
internal import Glibc
internal import SegueFrontend
internal import SegueSystem
internal import SegueUnicode

/// The terminal of standard output: ncursesw writes what differs between frames. There is at most one display, which one
/// thread uses.
final class Display {
  /// The identifier of the cover at a terminal with the kitty graphics protocol. Other programs in the same window are unlikely
  /// to use it.
  private static let coverID = 0x5E60E

  /// The cells that the terminal shows; nil if the whole screen must be written.
  private var shown: Grid?
  private var shownCover: CoverPlacement?
  /// The palette in which the cells are displayed.
  private var palette = Palette.monochrome
  private let colorCount: Int
  private(set) var size: ScreenSize
  /// The terminal if it displays pictures.
  var graphics: GraphicsTerminal?

  /// Sets the locale. Returns whether its character set is UTF-8.
  static func setLocale() -> Bool { segue_curses_set_locale(TerminalEnvironment.usesUTF8) }

  /// Switches the terminal to the display. Returns nil if the terminal is unknown or cannot move the cursor.
  init?(size: ScreenSize) {
    guard segue_curses_start() != nil else { return nil }
    self.size = size
    colorCount = Int(segue_curses_colors())
    segue_curses_resize(Int32(clamping: max(1, size.rows)), Int32(clamping: max(1, size.columns)))
    write(TerminalModes.enter)
  }

  /// Restores the terminal.
  func leave() {
    deleteCover()
    write(TerminalModes.leave)
    segue_curses_stop()
    (shown, shownCover) = (nil, nil)
  }

  /// Takes the terminal back after `leave`. The next frame is written completely.
  func reenter(size: ScreenSize) {
    resize(to: size)
    write(TerminalModes.enter)
  }

  /// Adapts to a new size of the terminal.
  func resize(to size: ScreenSize) {
    self.size = size
    segue_curses_resize(Int32(clamping: max(1, size.rows)), Int32(clamping: max(1, size.columns)))
    redraw()
  }

  /// Has the next frame written completely.
  func redraw() {
    deleteCover()
    (shown, shownCover) = (nil, nil)
    segue_curses_redraw()
  }

  /// Shows a frame. Only the cells that have changed are written.
  func show(_ frame: Frame) {
    if frame.cover != shownCover { hideCover() }
    let grid = frame.grid
    let before = shown?.size == grid.size && frame.palette == palette ? shown : nil
    palette = frame.palette
    for row in 0..<grid.size.rows {
      for column in 0..<grid.size.columns where before == nil || before?[row, column] != grid[row, column] {
        put(grid[row, column], row, column)
      }
    }
    shown = grid
    let cursor = frame.cursor.flatMap { $0.row < grid.size.rows && $0.column < grid.size.columns ? $0 : nil }
    segue_curses_refresh(Int32(clamping: cursor?.row ?? -1), Int32(clamping: cursor?.column ?? 0))
    if frame.cover != shownCover {
      shownCover = frame.cover
      if let cover = frame.cover { draw(cover) }
    }
  }

  /// Asks the terminal for its background and, if pictures are drawn, for its capabilities. The responses arrive as input.
  func query(pictures: Bool) {
    write(TerminalBackground.requests + (pictures ? GraphicsTerminal.requests : ""))
  }

  // MARK: Cells

  /// Puts a cell in place of the one on the screen. The second cell of a wide character is written with the first one.
  private func put(_ cell: Cell, _ row: Int, _ column: Int) {
    guard let glyph = cell.glyph else { return }
    let style = palette.style(of: cell.look, colors: colorCount)
    for (offset, text) in Self.cells(of: glyph).enumerated() where column + offset < size.columns {
      text.withUnsafeBufferPointer { text in
        segue_curses_put(
          Int32(clamping: row), Int32(clamping: column + offset), text.baseAddress, Int32(style.emphasis.rawValue),
          style.foreground.map(Int32.init) ?? -1, style.background.map(Int32.init) ?? -1)
      }
    }
  }

  /// Returns the texts of the cells in which curses displays a character, each terminated by 0. The character takes as many
  /// columns as in the grid, even if the C library assigns another number to it: then a part of it is left out.
  private static func cells(of glyph: Character) -> [[wchar_t]] {
    let expected = DisplayWidth.of(glyph)
    let scalars = glyph.unicodeScalars.map {
      (wchar_t(bitPattern: $0.value), segue_curses_width(wchar_t(bitPattern: $0.value)))
    }
    guard scalars.allSatisfy({ $0.1 >= 0 }), let base = scalars.first, base.1 > 0, base.1 <= expected else {
      return Array(repeating: [wchar_t(bitPattern: 0x3F), 0], count: max(1, expected))
    }
    if scalars.reduce(0, { $0 + Int($1.1) }) == expected {
      var cells: [[wchar_t]] = []
      for (scalar, width) in scalars {
        if width > 0 { cells.append([scalar]) } else { cells[cells.count - 1].append(scalar) }
      }
      return cells.map { Array($0.prefix(Int(CCHARW_MAX))) + [0] }
    }
    return [[base.0, 0]] + Array(repeating: [0x20, 0], count: expected - Int(base.1))
  }

  // MARK: The cover

  private func draw(_ cover: CoverPlacement) {
    guard let graphics, let picture = Picture(cover.path) else { return }
    write("\u{1B}7\u{1B}[\(cover.position.row + 1);\(cover.position.column + 1)H")
    switch graphics.graphicsProtocol {
    case .kitty: write(picture.kittySequence(cover.box, id: Self.coverID))
    case .inline: write(picture.inlineImageSequence(cover.box))
    case .sixel:
      let sequence = Sixel.sequence(
        picture.path, width: cover.box.columns * graphics.cellSize.width,
        height: cover.box.rows * graphics.cellSize.height)
      if let sequence { write(sequence) }
    }
    write("\u{1B}8")
  }

  /// Removes the cover from the screen. Pictures of protocols that cannot delete them are overwritten with the screen.
  private func hideCover() {
    guard shownCover != nil, let graphics else { return }
    switch graphics.graphicsProtocol {
    case .kitty: deleteCover()
    case .inline, .sixel: redraw()
    }
  }

  private func deleteCover() {
    guard shownCover != nil, graphics?.graphicsProtocol == .kitty else { return }
    write(Picture.kittyDeletion(id: Self.coverID))
  }

  // MARK: Output

  private func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes all bytes. A closed terminal is noticed when it is read.
  private func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress! + written, $0.count - written) }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        return
      }
    }
  }
}
