internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The verbs `art`, `chapters` and `lyrics`.
enum TrackVerbs {
  static let chapters = Verb(
    "chapters", .playback, "[N|PATH]", 0...1, values: .first(.chapters, .resources),
    tr("list the chapters of a file, or go to chapter N"),
    details: tr(
      """
      Without an argument, lists the chapters of the current track. In a pipe, the
      fields are number, start, title, and “current” or nothing, separated by tabs.
      N seeks to the start of that chapter of the current track.

        segue chapters
        segue chapters 3               go to chapter 3
        segue chapters ~/Books/book.m4b
      """), isLong: true, run: chapters)

  static let lyrics = Verb(
    "lyrics", .library, "[N|PATH|URI] | --follow", 0...Verb.unlimited, options: [.follow], values: .resources,
    tr("show lyrics (default: of the current track)"),
    details: tr(
      """
      With --follow, prints each line of the current track when it is sung, and goes
      on with the next track. The timestamps come from an .lrc file beside the track
      or from its tags; lyrics without timestamps are printed at once. Without
      --follow, a terminal shows all lines and marks the one that is sung now.

        segue lyrics
        segue lyrics track so what
        segue lyrics --follow
      """), isLong: true, run: lyrics)

  static let art = Verb(
    "art", .library, "[N|PATH|URI] [--size SIZE]", 0...Verb.unlimited, options: [.size], values: .resources,
    tr("show the cover of a track or album"),
    details: tr(
      """
      Draws the cover: by the protocols of kitty and iTerm2, as sixels, or of half
      blocks on other terminals. In a pipe, prints the path of a cached
      file. SIZE is small (at most 128 pixels), medium (at most 500 pixels) or full
      (the original size), or a number of pixels, which means the smallest of these
      sizes that has as many. Default: the current track, medium.

        segue art album kind of blue
        segue art 1 --size full        result 1 of the last list
        segue art itunes:album:594061854 --size 300
        feh "$(segue art --size full)"
      """), run: showArt)

  @Sendable private static func showArt(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let uri = arguments.isEmpty ? nil : try context.uri(for: arguments, acceptsEntries: true)
    var size = CoverSize.named(.medium)
    for case .size(let given) in context.options.verbOptions { size = given }
    let terminal = try context.graphicsTerminal()
    var hints: [Failure.Kind: [String]] = [.noSuchTrack: [VerbContext.noTrackHint]]
    if uri.map({ $0.hasPrefix("file:") || $0.hasPrefix("segue:") }) ?? true {
      hints[.notFound] = [tr("put a cover.jpg, folder.jpg or front.jpg beside the track")]
    }
    let request = ArtRequest(
      uri: uri, size: terminal?.displayedSize(size.requested) ?? size.requested, format: terminal?.pictureFormat)
    let result = try context.call(request, hints: hints)
    if context.printsJSON { return context.print(json: result.json) }
    let art = result.value
    guard let terminal else { return context.console.printLine(art.path) }
    let (width, height) = size.scaled(art.width, art.height)
    let box = PictureBox(
      width, height, cell: terminal.cellSize,
      maximum: (columns: max(1, context.style.columns - 1), rows: max(1, (terminal.rows ?? 24) - 2)),
      scalesUp: terminal.graphicsProtocol == .halfBlocks)
    guard context.draw(FilePath(art.path), box, terminal) else { return context.console.printLine(art.path) }
    for _ in 0..<box.rows { context.console.printLine("") }
  }

  @Sendable static func chapters(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if let word = arguments.first?.text, EntryRange.isNumber(word) {
      return try goTo(chapter: Int(word) ?? .max, context)
    }
    let uri = arguments.isEmpty ? nil : try context.uri(for: arguments)
    let result = try chapters(of: uri, context)
    if context.printsJSON { return context.print(json: result.json) }
    let list = result.value
    context.supersedeResults()
    if list.chapters.isEmpty, context.style.isTerminal { context.console.printLine(tr("No chapters.")) }
    for (index, chapter) in list.chapters.enumerated() {
      let time = durationText(chapter.start, .exact)
      let title = chapter.title.visible
      let isCurrent = index == list.current
      if context.style.isTerminal {
        let mark = isCurrent ? PlayState.playing.symbol(context.style) : " "
        let line = "\(mark) \(String(index + 1).rightAligned(to: 3))  \(time.rightAligned(to: 8))  \(title)"
        context.console.printLine(context.style.fitted(line))
      } else {
        context.console.printLine([String(index + 1), time, title, isCurrent ? "current" : ""].joined(separator: "\t"))
      }
    }
  }

  /// Returns the result of `chapters` for a track; nil stands for the current one.
  private static func chapters(
    of uri: String?, _ context: VerbContext
  ) throws(ClientError) -> Response<ChapterList> {
    try context.call(
      ChaptersRequest(uri: uri), progress: tr("reading the file…"),
      hints: [.noSuchTrack: [VerbContext.noTrackHint]])
  }

  /// Seeks to the start of a chapter of the current track.
  private static func goTo(chapter number: Int, _ context: VerbContext) throws(ClientError) {
    let list = try chapters(of: nil, context).value
    let chapters = list.chapters
    guard number > 0, number <= chapters.count else {
      throw ClientError(
        .failed,
        chapters.isEmpty
          ? tr("the current track has no chapters")
          : trn(
            "there is no chapter %2$d: the track has %1$d", "there is no chapter %2$d: the track has %1$d",
            chapters.count, number),
        kind: Failure.Kind.outOfRange.rawValue, hints: [tr("segue chapters   shows the numbers")])
    }
    // Reading the file may have taken long.
    guard try context.call(StatusRequest()).value.track?.uri == list.uri else {
      throw ClientError(.failed, tr("the track has changed while its chapters were read"))
    }
    try context.callTransport(
      SeekRequest(.position(chapters[number - 1].start)),
      hints: [.unavailable: [tr("segue play   starts playback")]])
  }

  @Sendable static func lyrics(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if context.options.isGiven(.follow) {
      if !arguments.isEmpty { throw .usage(tr("%1$s takes no argument", "--follow"), hints: ["segue help lyrics"]) }
      return try LyricsFollower(context: context).run()
    }
    let uri = arguments.isEmpty ? try context.currentTrack().uri : try context.uri(for: arguments, acceptsEntries: true)
    let result = try context.call(
      LyricsRequest(uri: uri),
      hints: uri.hasPrefix("file:") ? [.notFound: [tr("put a .lrc file with the same name beside the track")]] : [:])
    if context.printsJSON { return context.print(json: result.json) }
    let lyrics = result.value
    let texts = lyrics.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    // Lines without a time have no place among the others.
    let isTimed = (lyrics.lines ?? []).count { !$0.text.isEmpty } >= texts.count { !$0.isEmpty }
    if context.style.isTerminal, isTimed, let lines = lyrics.lines, !lines.isEmpty {
      let status = (try? context.call(StatusRequest()))?.value
      if let status, status.track?.uri == uri, status.state != .stopped, let position = status.position(at: .now) {
        return printLines(lines.sorted { $0.time < $1.time }, at: position, status.state, context)
      }
    }
    for line in texts { context.console.printLine(String(line).visible) }
  }

  /// Prints the lines and marks the one that is sung at `position`.
  private static func printLines(
    _ lines: [Lyrics.Line], at position: MediaTime, _ state: PlayState, _ context: VerbContext
  ) {
    let style = context.style
    let mark = state.symbol(style)
    let current = lines.indexOfLine(at: position)
    if let current { context.console.startPager(atLine: current.oneBased) }
    for (index, line) in lines.enumerated() {
      let isCurrent = index == current
      let text = (isCurrent ? mark : "").padded(to: DisplayWidth.of(mark), ellipsis: "") + " " + line.text.visible
      context.console.printLine(isCurrent ? style.paint(text, .bold) : text)
    }
  }
}
