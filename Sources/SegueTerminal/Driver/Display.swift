internal import CCurses
internal import Glibc
internal import SegueFrontend
internal import SegueSystem
internal import SegueUnicode

/// The terminal of standard output: ncursesw finds the bytes for what differs between frames. There is at most one display,
/// which one thread uses.
final class Display {
  /// The identifier of the cover at a terminal with the kitty graphics protocol. Other programs in the same window are unlikely
  /// to use it.
  private static let coverID = 0x5E60E

  private let output = TerminalOutput()
  /// The memory file to which curses writes.
  private let sequences: Descriptor
  /// The settings of the terminal for the programs after this one.
  private var settings: TerminalSettings
  /// Whether the terminal belongs to the display, from `enter` to `leave`.
  private var isActive = false
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
  init?(size: ScreenSize) throws(SystemError) {
    settings = try TerminalSettings(of: 0)
    sequences = try MemoryFile.create("segue-frame")
    guard segue_curses_start(fcntl(sequences.raw, F_DUPFD_CLOEXEC, 0)) != nil else { return nil }
    self.size = size
    colorCount = Int(segue_curses_colors())
    enter(size: size)
  }

  /// Takes the terminal for the display. The next frame is written completely.
  func enter(size: ScreenSize) {
    if !isActive, let current = try? TerminalSettings(of: 0) { settings = current }
    settings.raw.apply(to: 0)
    isActive = true
    resize(to: size)
    write(TerminalModes.enter)
  }

  /// Restores the terminal, also one that does not read. In the background, it belongs to another program already.
  func leave() {
    guard isActive else { return }
    deleteCover()
    output.flush()
    if !output.isComplete {
      output.discard()
      write(TerminalModes.endSequence)
    }
    write(TerminalModes.leave)
    segue_curses_stop()
    writeSequences()
    if Terminal.isInForeground(0) { settings.apply(to: 0) }
    (shown, shownCover) = (nil, nil)
    isActive = false
  }

  /// The descriptor to wait for until the terminal has read the last frame; nil if it has.
  var awaitedOutput: Int32? { output.isComplete ? nil : output.raw }

  /// Continues to write the last frame.
  func flush() { output.flush() }

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
    writeSequences()
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
    case .kitty: output.write(picture.kittySequence(cover.box, id: Self.coverID))
    case .inline: output.write(picture.inlineImageSequence(cover.box))
    case .sixel:
      let sequence = Sixel.sequence(
        picture.path, width: cover.box.columns * graphics.cellSize.width,
        height: cover.box.rows * graphics.cellSize.height)
      if let sequence { output.write(sequence) }
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
    output.write(Picture.kittyDeletion(id: Self.coverID))
  }

  // MARK: Output

  private func write(_ text: String) { output.write(Array(text.utf8)) }

  /// Writes what curses has written to its file.
  private func writeSequences() {
    let length = Int(lseek(sequences.raw, 0, SEEK_CUR))
    if let bytes = try? MemoryFile.read(max(0, length), from: sequences) { output.write(bytes) }
    lseek(sequences.raw, 0, SEEK_SET)
  }
}
