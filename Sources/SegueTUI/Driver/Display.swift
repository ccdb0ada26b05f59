internal import CCurses
internal import Glibc
internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode

/// The terminal of standard output: ncursesw finds the bytes for what differs between frames. There is at most one
/// display, which one thread uses.
final class Display {
  private let output = TerminalOutput()
  private let pictures: PictureDisplay
  /// The memory file to which curses writes.
  private let sequences: Descriptor
  /// The settings of the terminal for the programs after this one.
  private var settings: TerminalSettings
  /// Whether the terminal belongs to the display, from `enter` to `leave`.
  private var isActive = false
  /// The cells that the terminal shows; nil if the whole screen must be written.
  private var shown: Grid?
  /// The colours in which the cells are displayed.
  private var colors: CellColors
  /// The styles of the cells so far in these colours, by the indices of their looks.
  private var styles = noStyles
  private(set) var size: ScreenSize
  /// The terminal if it displays pictures.
  var graphics: GraphicsTerminal? {
    get { pictures.terminal }
    set { pictures.terminal = newValue }
  }
  /// Whether the terminal is the console of Linux.
  private let isConsole = TerminalEnvironment.isLinuxConsole
  /// Whether the terminal has a title, as terminfo states it.
  private let hasTitle: Bool
  /// The title that was set; nil for the former one.
  private var title: String?
  /// Whether some pictures of the last frame are not drawn yet. They are drawn when it is shown again.
  private(set) var isComplete = true

  private static let noStyles = [segue_curses_style?](repeating: nil, count: Look.indexCount)

  /// Sets the locale. Text is written in UTF-8 in every locale, as the client writes it: C and POSIX say nothing about
  /// the terminal, and hardly any terminal uses another character set.
  static func setLocale() { segue_curses_set_locale() }

  /// Switches the terminal to the display. Returns nil if the terminal is unknown or cannot move the cursor.
  init?(size: ScreenSize) throws(SystemError) {
    settings = try TerminalSettings(of: 0)
    pictures = PictureDisplay(output)
    sequences = try MemoryFile.create("segue-frame")
    let file = fcntl(sequences.raw, F_DUPFD_CLOEXEC, 0)
    guard segue_curses_start(file, Self.curses(size.rows), Self.curses(size.columns)) != nil else { return nil }
    self.size = size
    hasTitle = segue_curses_has_title()
    colors = CellColors(count: Int(segue_curses_colors()), hasTrueColor: TerminalEnvironment.hasTrueColor)
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
    pictures.reset()
    output.flush()
    if !output.isComplete {
      output.discard()
      write(TerminalModes.endSequence)
    }
    setTitle(nil)
    write(TerminalModes.leave)
    segue_curses_stop()
    writeSequences()
    // Curses resets the scroll region to the last size that it knows.
    write(TerminalModes.resetScrollRegion)
    if Terminal.isInForeground(0) { settings.apply(to: 0) }
    shown = nil
    isActive = false
  }

  /// The descriptor to wait for until the terminal has read the last frame; nil if it has.
  var awaitedOutput: Int32? { output.isComplete ? nil : output.raw }

  /// Continues to write the last frame.
  func flush() { output.flush() }

  /// Adapts to a new size of the terminal.
  func resize(to size: ScreenSize) {
    self.size = size
    segue_curses_resize(Self.curses(size.rows), Self.curses(size.columns))
    rewrite()
  }

  /// Returns a number of rows or columns as curses needs it: terminals without a size have none.
  private static func curses(_ count: Int) -> Int32 { Int32(clamping: max(1, count)) }

  /// Has the next frame written completely, with pictures that the terminal may have lost.
  func redraw() {
    pictures.reset()
    rewrite()
  }

  private func rewrite() {
    pictures.removeAll()
    shown = nil
    segue_curses_redraw()
  }

  /// Shows a frame. Only the cells and pictures that have changed are written.
  func show(_ frame: TerminalFrame) {
    for rows in pictures.remove(except: frame.pictures) {
      segue_curses_redraw_rows(Int32(clamping: rows.lowerBound), Int32(clamping: rows.count))
    }
    var grid = frame.grid
    Self.mark(frame.pictures, in: &grid)
    let isPaletteKept = frame.palette == colors.palette
    if !isPaletteKept { styles = Self.noStyles }
    if colors.use(frame.palette) { segue_curses_redraw() }
    let coversPictures = pictures.areInCells
    grid.forEachChange(since: isPaletteKept ? shown : nil) { row, column in
      put(grid, row, column)
      if coversPictures { pictures.noteChange(Position(row: row, column: column)) }
    }
    shown = grid
    let cursor = frame.cursor.flatMap { $0.row < grid.size.rows && $0.column < grid.size.columns ? $0 : nil }
    segue_curses_refresh(
      Int32(clamping: cursor?.row ?? -1), Int32(clamping: cursor?.column ?? 0), cursor != nil && frame.showsCursor)
    writeSequences()
    setTitle(frame.title)
    isComplete = pictures.draw(frame.pictures)
  }

  /// Sets the title of the terminal, or restores the former one.
  private func setTitle(_ new: String?) {
    guard hasTitle, new != title else { return }
    if title == nil { write(TerminalModes.saveTitle) }
    write(new.map { "\u{1B}]2;\($0)\u{1B}\\" } ?? TerminalModes.restoreTitle)
    title = new
  }

  /// Returns the pictures of the last frames whose files could not be read.
  func takeUnreadablePictures() -> [FilePath] { pictures.takeUnreadable() }

  /// Asks the terminal for its background and, if pictures are drawn, for its capabilities. The responses arrive as
  /// input.
  func query(pictures: Bool) {
    send(TerminalBackground.requests + (pictures ? GraphicsQuery.requests : ""))
  }

  /// Sends requests to the terminal.
  func send(_ requests: String) { write(requests) }

  // MARK: Cells

  /// Puts a cell in place of the one on the screen. The second cell of a wide character is written with the first one.
  private func put(_ grid: Grid, _ row: Int, _ column: Int) {
    let style = style(of: grid.look(row, column))
    if let scalar = grid.scalar(row, column), isSimple(scalar) {
      return segue_curses_put_scalar(Int32(clamping: row), Int32(clamping: column), scalar.value, style)
    }
    guard let glyph = grid[row, column].glyph else { return }
    for (offset, text) in Self.cells(of: glyph, onConsole: isConsole).enumerated() where column + offset < size.columns
    {
      segue_curses_put(Int32(clamping: row), Int32(clamping: column + offset), text, style)
    }
  }

  private func style(of look: Look) -> segue_curses_style {
    if let style = styles[look.index] { return style }
    let numbers = colors.style(of: look)
    let style = segue_curses_make_style(numbers.emphasis, numbers.foreground, numbers.background)
    styles[look.index] = style
    return style
  }

  /// Whether curses displays a character by itself in as many columns as the grid.
  private func isSimple(_ scalar: Unicode.Scalar) -> Bool {
    if 0x20..<0x7F ~= scalar.value { return true }
    let columns = DisplayWidth.of(scalar)
    return !isConsole && columns > 0 && columns == Self.width(of: scalar)
  }

  /// Makes the blank cells below pictures, of which curses does not know, unlike all others. Otherwise, curses would
  /// scroll a part of the screen, and pictures with it, when the rows of the text beside them appear in other places,
  /// and erase parts of pictures together with blank cells beside them. Each row is its own number, whose binary digits
  /// are spaces and no-break spaces.
  private static func mark(_ pictures: [PicturePlacement], in grid: inout Grid) {
    guard !pictures.isEmpty else { return }
    for picture in pictures { grid.restyle(picture.area) { $0.isBelowPicture = true } }
    for row in 0..<grid.size.rows {
      for column in 0..<grid.size.columns where grid[row, column].look.isBelowPicture {
        grid[row, column].glyph = (row + 1) >> (column % 10) & 1 == 1 ? "\u{A0}" : " "
      }
    }
  }

  /// Returns the texts of the cells in which curses displays a character, each terminated by 0. The character takes as
  /// many columns as in the grid, even if the C library assigns another number to it: then a part of it is left out. So
  /// are zero-width joiners, because terminals disagree on whether joined letters take a single cell, and tmux joins
  /// the next cell in any case.
  ///
  /// The console of Linux gives combining characters cells of their own, at least before Linux 6.16, and takes other
  /// characters for wide than the C library. Its fonts have 512 characters at most, so that nothing is lost by `?`.
  static func cells(of glyph: Character, onConsole isConsole: Bool) -> [[UInt32]] {
    let expected = DisplayWidth.of(glyph)
    let scalars = glyph.unicodeScalars.filter { $0 != "\u{200D}" }.map { ($0.value, width(of: $0)) }
    let unknown: [[UInt32]] = Array(repeating: [0x3F, 0], count: max(1, expected))
    guard scalars.allSatisfy({ $0.1 >= 0 }), let base = scalars.first, base.1 > 0, base.1 <= expected else {
      return unknown
    }
    if isConsole { return expected == 1 && base.0 <= 0xFFFF ? [[base.0, 0]] : unknown }
    if scalars.reduce(0, { $0 + $1.1 }) == expected {
      var cells: [[UInt32]] = []
      for (scalar, width) in scalars {
        if width > 0 { cells.append([scalar]) } else { cells[cells.count - 1].append(scalar) }
      }
      return cells.map { Array($0.prefix(Int(CCHARW_MAX))) + [0] }
    }
    return [[base.0, 0]] + Array(repeating: [0x20, 0], count: expected - base.1)
  }

  /// Returns the number of columns that the C library assigns to a character, as many terminals do; -1 if it has none.
  static func width(of scalar: Unicode.Scalar) -> Int { Int(segue_curses_width(scalar.value)) }

  // MARK: Output

  private func write(_ text: String) { output.write(Array(text.utf8)) }

  /// Writes what curses has written to its file.
  private func writeSequences() {
    let length = Int(lseek(sequences.raw, 0, SEEK_CUR))
    if let bytes = try? MemoryFile.read(max(0, length), from: sequences) { output.write(colors.direct(bytes)) }
    lseek(sequences.raw, 0, SEEK_SET)
  }
}
