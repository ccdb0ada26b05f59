internal import SegueClientKit
internal import SegueSystem

extension VerbContext {
  /// Whether pictures may be drawn: the output is a terminal with colours, and no option forbids pictures.
  var canDrawPictures: Bool {
    Terminal.isTerminal(1) && style.isColored && options.format == .illustratedText && !options.quiet
      && !TerminalEnvironment.isLinuxConsole
  }

  /// Writes the buffered output and returns the terminal if it displays pictures.
  func graphicsTerminal() throws(ClientError) -> GraphicsTerminal? {
    guard canDrawPictures, try flush() else { return nil }
    return GraphicsTerminal.usable(GraphicsTerminal.query(1))
  }

  /// Prints the lines that `text` returns for a style. They stand beside the cover of `uri` if there is one and the
  /// terminal displays pictures.
  func print(besideCoverOf uri: String, _ text: (Style) -> [String]) throws(ClientError) {
    guard style.columns >= Self.minimumColumns, let terminal = try graphicsTerminal(),
      let cover = try covers(of: [uri], for: terminal)[uri]
    else {
      for line in text(style) { console.printLine(line) }
      return
    }
    print(beside: cover, terminal, text)
  }

  /// Prints the lines that `text` returns for a style beside a cover.
  func print(beside cover: Cover, _ terminal: GraphicsTerminal, _ text: (Style) -> [String]) {
    let box = cover.box(terminal, maximum: (columns: style.columns / 3, rows: 7))
    let indent = box.columns + 2
    var narrow = style
    narrow.columns -= indent
    narrow.wrapsAddresses = true
    draw(cover.path, box, terminal)
    let lines = text(narrow)
    for line in lines { console.printLine("\u{1B}[\(indent)C" + line) }
    for _ in 0..<max(0, box.rows - lines.count) { console.printLine("") }
  }

  /// The minimum width of a terminal on which pictures stand beside text.
  static let minimumColumns = 60

  /// Draws the picture at `path` `column` columns from the left and leaves the cursor at the start of its first line.
  /// Empty lines are printed first, so that the picture does not scroll the screen. Returns false, without any output,
  /// if the picture cannot be read.
  @discardableResult
  func draw(_ path: FilePath, _ box: PictureBox, _ terminal: GraphicsTerminal, column: Int = 0) -> Bool {
    guard let sequence = terminal.sequence(path, box) else { return false }
    // The last row of a sixel picture may exceed the box.
    let rows = box.rows + 1
    let start = column > 0 ? "\u{1B}[\(rows)A\r\u{1B}7\u{1B}[\(column)C" : "\u{1B}[\(rows)A\r\u{1B}7"
    console.write([UInt8](repeating: UInt8(ascii: "\n"), count: rows) + Array(start.utf8))
    console.write(sequence + Array("\u{1B}8".utf8))
    return true
  }
}
