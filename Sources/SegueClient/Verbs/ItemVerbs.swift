internal import SegueFrontend
internal import SegueSystem
internal import SegueWire

/// The verbs `info` and `person`, which show an item with everything that is known about it.
enum ItemVerbs {
  /// The number of items of a page of contents, unless `--limit` is given.
  private static let contentsLimit = 200

  @Sendable static func info(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let uri = arguments.isEmpty ? try context.currentTrack().uri : try context.uri(for: arguments)
    if uri.hasPrefix("segue:album/") { return try DetailVerbs.album(context, [Argument(bytes: Array(uri.utf8))]) }
    if uri.hasPrefix("segue:artist/") { return try DetailVerbs.artist(context, [Argument(bytes: Array(uri.utf8))]) }
    if ["file:", "http:", "https:"].contains(where: uri.hasPrefix) { return try showTrack(uri, context) }
    try show("catalog.info", uri, context)
  }

  @Sendable static func person(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try show("catalog.person", try context.uri(for: arguments), context)
  }

  private static func show(_ method: String, _ uri: String, _ context: VerbContext) throws(ClientError) {
    let options = try CatalogOptions(context.options.verbOptions)
    let (result, terminal) = try context.callCatalog(
      ClientRequest(method) {
        $0.member("uri", uri)
        options.encodePage(into: &$0, standardLimit: contentsLimit)
      })
    if context.printsJSON { return context.print(json: result) }
    let details = CatalogDetails(result)
    let (item, style) = (details.item, context.style)
    guard style.isTerminal else {
      for line in ItemScreen.fields(item) { context.console.printLine(line) }
      for content in details.contents {
        let row = ItemRow(item: content, number: nil, showsKind: true)
        context.console.printLine("content: \(row.tabSeparated)")
      }
      CatalogNotes(attribution: nil, isStale: details.stale, age: details.age).show(context)
      return
    }
    if let terminal, item.art != nil, let cover = try context.covers(of: [item.uri], for: terminal)[item.uri] {
      context.print(beside: cover, terminal) { ItemScreen(item: item, style: $0).lines }
    } else {
      for line in ItemScreen(item: item, style: style).lines { context.console.printLine(line) }
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

  /// Prints everything that the library knows about a track.
  private static func showTrack(_ uri: String, _ context: VerbContext) throws(ClientError) {
    let result = try context.call(ClientRequest("library.track") { $0.member("uri", uri) })
    if context.printsJSON { return context.print(json: result) }
    let report = TrackReport(result)
    let members = TrackScreen.members(report)
    guard context.style.isTerminal else {
      for (key, value) in members {
        context.console.printLine(value.isEmpty ? "\(key):" : "\(key): \(value.visible)")
      }
      return
    }
    try context.print(besideCoverOf: uri) { style in
      TrackScreen(report: report, style: style).lines
    }
  }
}
