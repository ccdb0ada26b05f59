internal import SegueSystem
internal import SegueWire

extension Session {
  /// Whether a picture may be drawn: onto a terminal, by somebody who wants colours and did not refuse.
  var mayDraw: Bool {
    Terminal.isTerminal(1) && style.color && !options.noPictures && !options.json && !options.quiet
      && Directories.environment("TERM")?.description != "linux"
  }

  /// The terminal, if it shows pictures. What was printed stands above.
  func pictureTerminal() throws(ClientError) -> GraphicsTerminal? {
    guard mayDraw, try flush(), let terminal = GraphicsTerminal.ask(1) else { return nil }
    return terminal.way == .sixel && !Sixel.isThere ? nil : terminal
  }

  /// Prints the lines that `text` makes for so many columns, beside the cover of `uri` where there is one and it can be
  /// shown, else alone.
  func print(besideCoverOf uri: String, _ text: (Style) -> [String]) throws(ClientError) {
    guard style.columns >= Self.leastColumns, mayDraw, let picture = try cover(of: uri),
      let terminal = try pictureTerminal()
    else {
      for line in text(style) { console.line(line) }
      return
    }
    let box = PictureBox(
      picture.art.width, picture.art.height, cell: terminal.cell, within: (columns: style.columns / 3, rows: 7),
      fills: true)
    let indent = box.columns + 2
    var narrow = style
    narrow.columns -= indent
    try draw(picture.picture, box, terminal)
    let lines = text(narrow)
    for line in lines { console.line("\u{1B}[\(indent)C" + line) }
    for _ in 0..<max(0, box.rows - lines.count) { console.line("") }
  }

  private static let leastColumns = 60

  /// Draws it with the cursor left at its upper left corner. Room is made first: it must not scroll afterwards.
  func draw(_ picture: Picture, _ box: PictureBox, _ terminal: GraphicsTerminal) throws(ClientError) {
    // A sixel picture's last line may go beyond its box.
    let rows = box.rows + 1
    console.part(bytes: [UInt8](repeating: UInt8(ascii: "\n"), count: rows) + Array("\u{1B}[\(rows)A\r\u{1B}7".utf8))
    switch terminal.way {
    case .kitty: console.part(bytes: picture.kitty(box))
    case .inline: console.part(bytes: picture.inline(box))
    case .sixel:
      guard try flush() else { return }
      Sixel.draw(
        picture.path, width: box.columns * terminal.cell.width, height: box.rows * terminal.cell.height)
    }
    console.part(bytes: Array("\u{1B}8".utf8))
  }

  /// nil if it has none that can be shown, which is no error here.
  private func cover(of uri: String) throws(ClientError) -> (art: Art, picture: Picture)? {
    do throws(ClientError) {
      let art = Art(
        try call(
          Request("art") {
            $0.member("uri", uri)
            $0.member("size", Art.Size.small.rawValue)
            $0.member("format", "png")
          }))
      return Picture(FilePath(art.path)).map { (art, $0) }
    } catch {
      if error.exit == .noDaemon { throw error }
      return nil
    }
  }
}
