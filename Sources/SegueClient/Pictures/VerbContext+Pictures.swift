internal import Glibc
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
    guard style.columns >= Self.minimumColumns, canDrawPictures, let picture = try cover(of: uri),
      let terminal = try graphicsTerminal()
    else {
      for line in text(style) { console.printLine(line) }
      return
    }
    let box = PictureBox(
      picture.art.width, picture.art.height, cell: terminal.cellSize, maximum: (columns: style.columns / 3, rows: 7),
      scalesUp: true)
    let indent = box.columns + 2
    var narrow = style
    narrow.columns -= indent
    try draw(picture.picture, box, terminal)
    let lines = text(narrow)
    for line in lines { console.printLine("\u{1B}[\(indent)C" + line) }
    for _ in 0..<max(0, box.rows - lines.count) { console.printLine("") }
  }

  private static let minimumColumns = 60

  /// Draws the picture and leaves the cursor at its upper left corner. Empty lines are printed first, so that the picture
  /// does not scroll the screen.
  func draw(_ picture: Picture, _ box: PictureBox, _ terminal: GraphicsTerminal) throws(ClientError) {
    // The last row of a sixel picture may exceed the box.
    let rows = box.rows + 1
    console.write([UInt8](repeating: UInt8(ascii: "\n"), count: rows) + Array("\u{1B}[\(rows)A\r\u{1B}7".utf8))
    switch terminal.graphicsProtocol {
    case .kitty: console.write(picture.kittySequence(box))
    case .inline: console.write(picture.inlineImageSequence(box))
    case .sixel:
      guard try flush() else { return }
      Sixel.draw(
        picture.path, width: box.columns * terminal.cellSize.width, height: box.rows * terminal.cellSize.height)
    }
    console.write(Array("\u{1B}8".utf8))
  }

  /// Returns the small cover of `uri`, or nil if there is none.
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

/// Sixel output through `img2sixel`, the program of libsixel. The statically linked client cannot load the library.
enum Sixel {
  private static let program = "img2sixel"

  /// Whether the program is on the `PATH`.
  static var isAvailable: Bool {
    guard let folders = Directories.environment("PATH")?.bytes.split(separator: UInt8(ascii: ":")) else { return false }
    return folders.contains { folder in
      FilePath(bytes: Array(folder)).appending(program).withCString { access($0, X_OK) == 0 }
    }
  }

  /// Draws the picture at `path` with this size in pixels directly on standard output.
  static func draw(_ path: FilePath, width: Int, height: Int) {
    let words = [program, "-w", "\(width)", "-h", "\(height)", path.description]
    let arguments = words.map { word in strdup(word) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: Int32 = 0
    guard posix_spawnp(&child, program, nil, nil, arguments, environ) == 0 else { return }
    _ = try? checked("waitpid") { waitpid(child, nil, 0) }
  }
}
