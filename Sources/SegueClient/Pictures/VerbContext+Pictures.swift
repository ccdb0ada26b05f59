internal import Glibc
internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

extension VerbContext {
  /// Whether pictures may be drawn: the output is a terminal with colours, and no option forbids pictures.
  var canDrawPictures: Bool {
    Terminal.isTerminal(1) && style.isColored && options.format == .illustratedText && !options.quiet
      && Directories.environment("TERM")?.description != "linux"
  }

  /// Writes the buffered output and returns the terminal if it displays pictures.
  func graphicsTerminal() throws(ClientError) -> GraphicsTerminal? {
    guard canDrawPictures, try flush(), let terminal = GraphicsTerminal.query(1) else { return nil }
    return terminal.graphicsProtocol == .sixel && !Sixel.isAvailable ? nil : terminal
  }

  /// Prints the lines that `text` returns for a style. They stand beside the cover of `uri` if there is one and the terminal
  /// displays pictures.
  func print(besideCoverOf uri: String, _ text: (Style) -> [String]) throws(ClientError) {
    guard style.columns >= Self.minimumColumns, canDrawPictures, let cover = try covers(of: [uri])[uri],
      let terminal = try graphicsTerminal()
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
    draw(cover.picture, box, terminal)
    let lines = text(narrow)
    for line in lines { console.printLine("\u{1B}[\(indent)C" + line) }
    for _ in 0..<max(0, box.rows - lines.count) { console.printLine("") }
  }

  /// The minimum width of a terminal on which pictures stand beside text.
  static let minimumColumns = 60

  /// Draws the picture `column` columns from the left and leaves the cursor at the start of its first line. Empty lines are
  /// printed first, so that the picture does not scroll the screen.
  func draw(
    _ picture: Picture, _ box: PictureBox, _ terminal: GraphicsTerminal, column: Int = 0
  ) {
    // The last row of a sixel picture may exceed the box.
    let rows = box.rows + 1
    let start = column > 0 ? "\u{1B}[\(rows)A\r\u{1B}7\u{1B}[\(column)C" : "\u{1B}[\(rows)A\r\u{1B}7"
    console.write([UInt8](repeating: UInt8(ascii: "\n"), count: rows) + Array(start.utf8))
    switch terminal.graphicsProtocol {
    case .kitty: console.write(picture.kittySequence(box))
    case .inline: console.write(picture.inlineImageSequence(box))
    case .sixel:
      let sequence = Sixel.sequence(
        picture.path, width: box.columns * terminal.cellSize.width, height: box.rows * terminal.cellSize.height)
      if let sequence { console.write(sequence) }
    }
    console.write(Array("\u{1B}8".utf8))
  }
}
