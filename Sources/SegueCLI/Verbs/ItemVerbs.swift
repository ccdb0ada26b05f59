internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The verbs `info` and `person`, which show an item with everything that is known about it.
enum ItemVerbs {
  static let person = Verb(
    "person", .catalog, "N|URI [--refresh] [--page N] [OPTION…]", 1...1,
    options: [.refresh, .page, .limit, .tiles, .number], tr("show a person or an artist"),
    details: tr(
      """
      Shows the biography and the films of a person, or the albums of an artist.
      N is a number of the last results. Also accepted: --limit N, --tiles and
      --number; see help search.

        segue person tmdb:person:287
      """), run: person)

  static let info = Verb(
    "info", .catalog, "[N|PATH|URI] [--refresh] [--page N] [OPTION…]", 0...Verb.unlimited,
    options: [.refresh, .page, .limit, .tiles, .number], values: .resources, tr("show everything about an item"),
    details: tr(
      """
      Shows an item of a catalogue, a track, or an album or an artist of the library
      (default: the current track). N is a number of the last results. The songs of
      an album, the episodes of a podcast or the actors of a film are numbered, too.
      Also accepted: --limit N, --tiles and --number; see help search.

      In a pipe, the output consists of “key: value” lines. For an item of a
      catalogue, they are uri, kind, title, creator, year, date, duration, genres,
      art, description, rating, votes, popularity, language, budget, link, playable,
      provider, credit, favorite; then “fact: NAME VALUE” and “content: URI KIND …”
      with tabs.

        segue info 4
        segue info itunes:album:594061854
      """), run: info)

  @Sendable static func info(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let uri = arguments.isEmpty ? try context.currentTrack().uri : try context.uri(for: arguments, acceptsEntries: true)
    if uri.hasPrefix("segue:album/") { return try DetailVerbs.album(context, [Argument(bytes: Array(uri.utf8))]) }
    if uri.hasPrefix("segue:artist/") { return try DetailVerbs.artist(context, [Argument(bytes: Array(uri.utf8))]) }
    if ["file:", "http:", "https:"].contains(where: uri.hasPrefix) { return try showTrack(uri, context) }
    guard !uri.hasPrefix("segue:") else {
      throw .usage(
        tr("%1$s: info shows a track, an album, an artist or an item of a catalogue", uri), hints: ["segue help info"])
    }
    let options = try CatalogOptions(context.options.verbOptions)
    try show(CatalogInfoRequest(uri: uri, refresh: options.refresh), options, context)
  }

  @Sendable static func person(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let item = try context.item(for: arguments)
    if let number = EntryRange.positiveInteger(arguments[0].text), !CatalogItemURI.hasScheme(item.uri) {
      throw ClientError(
        .failed, tr("result %1$d, %2$s, is not a person or an artist of an online catalogue", number, item.title),
        kind: Failure.Kind.invalidParams.rawValue, hints: [tr("segue people   lists popular people")])
    }
    try show(CatalogPersonRequest(uri: item.uri, refresh: options.refresh), options, context)
  }

  private static func show(
    _ request: some PagedRequest<CatalogDetails>, _ options: CatalogOptions, _ context: VerbContext
  ) throws(ClientError) {
    let (result, terminal) = try context.callCatalog(options.page(of: request))
    if context.printsJSON { return context.print(json: result.json) }
    let details = result.value
    let (item, style) = (details.item, context.style)
    guard style.isTerminal else {
      for line in CatalogItemScreen.fields(item) { context.console.printLine(line) }
      for content in details.contents {
        let row = ItemRow(item: content, number: nil, showsKind: true)
        context.console.printLine("content: \(row.tabSeparated)")
      }
      CatalogNotes(attribution: nil, isStale: details.stale, age: details.age).show(context)
      return
    }
    if let terminal, item.art != nil, let cover = try context.covers(of: [item.uri], for: terminal)[item.uri] {
      context.print(beside: cover, terminal) { CatalogItemScreen(item: item, style: $0).lines }
    } else {
      for line in CatalogItemScreen(item: item, style: style).lines { context.console.printLine(line) }
    }
    if !details.contents.isEmpty { context.console.printLine("") }
    try CatalogListing(
      context: context, items: details.contents, first: details.offset.oneBased, usesTiles: options.tiles,
      terminal: options.tiles ? terminal : nil
    ).show()
    CatalogPageHint(
      offset: details.offset, count: details.contents.count, limit: details.limit, total: details.total,
      page: options.page
    ).show(context)
    CatalogNotes(
      attribution: item.credit ?? details.attribution, isStale: details.stale, age: details.age
    ).show(context)
  }

  /// Prints everything that is known about a track.
  private static func showTrack(_ uri: String, _ context: VerbContext) throws(ClientError) {
    let result = try report(on: uri, context)
    if context.printsJSON { return context.print(json: result.json) }
    let report = result.value
    guard context.style.isTerminal else {
      for (key, value) in TrackScreen.members(report) {
        context.console.printLine(value.isEmpty ? "\(key):" : "\(key): \(value.visible)")
      }
      return
    }
    let hasCover = report.hasCover ? true : try context.hasCover(uri)
    let cover: TrackScreen.Place? = report.hasCover ? .file : hasCover ? .folder : nil
    let lyrics = lyrics(of: uri, context)
    func lines(_ style: Style) -> [String] {
      TrackScreen(report: report, cover: cover, lyrics: lyrics, style: style).lines
    }
    if hasCover { return try context.print(besideCoverOf: uri, lines) }
    for line in lines(context.style) { context.console.printLine(line) }
  }

  /// Returns a `TrackReport` with all that the library knows about a track. The current track need not be in the
  /// library: the player knows its tags.
  private static func report(on uri: String, _ context: VerbContext) throws(ClientError) -> Response<TrackReport> {
    do throws(ClientError) {
      return try context.call(
        LibraryTrackRequest(uri: uri),
        hints: [
          .notFound: [
            tr("segue library   shows the music folders"), tr("segue info   shows the current track, wherever it is"),
          ]
        ])
    } catch {
      let status = try context.call(StatusRequest()).value
      guard error.kind == Failure.Kind.notFound.rawValue, let track = status.track, track.uri == uri else {
        throw error
      }
      var json = JSONWriter()
      TrackReport(track, status.audio).encode(into: &json)
      guard let report = try? JSON(parsing: json.bytes) else { throw error }
      return Response(report)
    }
  }

  /// Returns the place of the lyrics of a track. A track whose file cannot be read has none.
  private static func lyrics(of uri: String, _ context: VerbContext) -> TrackScreen.Place? {
    guard uri.hasPrefix("file:"),
      let lyrics = try? context.call(LyricsRequest(uri: uri), progress: tr("reading the file…")).value
    else { return nil }
    return switch lyrics.source {
    case .embedded: .file
    case .file: .folder
    }
  }
}

extension TrackReport {
  /// Creates the report on a track of the queue that is not in the library.
  fileprivate init(_ track: QueueEntry, _ audio: Audio?) {
    let listed = ListedTrack(
      uri: track.uri, duration: track.duration, durationKind: track.durationKind, metadata: track.metadata,
      favorite: track.favorite, error: track.error, rating: track.rating)
    self.init(
      track: listed,
      audio: audio
        ?? Audio(
          codec: "", container: "", sampleRate: 0, channels: 0, bitDepth: nil, bitRate: nil, lossless: false,
          gapless: .approximate))
  }
}
