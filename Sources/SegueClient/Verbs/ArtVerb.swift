internal import SegueSystem
internal import SegueWire

/// `segue art`.
enum ArtVerb {
  static let verb = Verb(
    "art", .library, "[PATH|URI] [--size SIZE]", 0...1, flags: ["--size"],
    "the cover of a track, an album, what is current",
    details: """
      Shown on a terminal that shows pictures (kitty's protocol, iTerm2's, or sixels
      by img2sixel); else, and into a pipe, the path of a file in the cache. SIZE is
      small, medium or full: no side over 128 or 500 pixels, or as it was found.

        segue art segue:album/12
        feh "$(segue art --size full)"
      """, run: show)

  @Sendable private static func show(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let uri: String? = if let argument = arguments.first { try Resource.uri(argument) } else { nil }
    let terminal = try session.pictureTerminal()
    let result = try session.call(
      Request("art") {
        if let uri { $0.member("uri", uri) }
        $0.member("size", (session.options.size ?? .medium).rawValue)
        // All terminals take it.
        if terminal != nil { $0.member("format", "png") }
      }, if: .notFound,
      hints: ["a file cover.jpg, folder.jpg or front.jpg beside the track would be its cover, too"])
    if session.options.json { return session.print(json: result) }
    let art = Art(result)
    guard let terminal, let picture = Picture(FilePath(art.path)) else { return session.console.line(art.path) }
    let box = PictureBox(
      art.width, art.height, cell: terminal.cell,
      within: (columns: max(1, session.style.columns - 1), rows: max(1, (terminal.rows ?? 24) - 2)), fills: false)
    try session.draw(picture, box, terminal)
    for _ in 0..<box.rows { session.console.line("") }
  }
}
