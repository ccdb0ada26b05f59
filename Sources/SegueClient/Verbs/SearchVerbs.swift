internal import SegueSystem
internal import SegueWire

/// `segue search` and `segue suggest`.
enum SearchVerbs {
  @Sendable static func search(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let flags = Set(session.options.flags)
    guard flags.count <= 1 else { throw .usage("one of --play, --add, --next will do") }
    guard !arguments.isEmpty else {
      guard flags.isEmpty else { throw .usage("\(flags.first ?? "") needs a QUERY", hints: ["segue help search"]) }
      return try lastSearches(session)
    }
    let query = ListVerbs.words(arguments)
    if let flag = flags.first {
      let uri = "segue:search/\(FileURI.percentEncoded(query))"
      try QueueVerbs.add(session, [uri], at: flag == "--add" ? "end" : "next", play: flag == "--play")
    } else if session.options.json {
      session.print(json: try session.call(Request("library.search") { $0.member("query", query) }))
    } else {
      try show(query, session)
    }
  }

  /// What matches; what a like query finds only where nothing does.
  private static func show(_ query: String, _ session: Session) throws(ClientError) {
    for takesCorrection in [false, true] {
      let count =
        try section(Artist.self, "Artists", 5, query, takesCorrection, session)
        + section(Album.self, "Albums", 10, query, takesCorrection, session)
        + section(ListedTrack.self, "Tracks", 20, query, takesCorrection, session)
      if count > 0 { return }
    }
    try session.printNoMatches("Nothing matches that.")
  }

  private static func section<Item: Tabular>(
    _ kind: Item.Type, _ heading: String, _ limit: Int, _ query: String, _ takesCorrection: Bool, _ session: Session
  ) throws(ClientError) -> Int {
    var reader = ListVerbs.search(kind, query, by: .best, session, remembers: true)
    reader.heading = heading
    reader.takesCorrection = takesCorrection
    if session.style.isTerminal { reader.limit = limit }
    reader.more = "segue \(Item.noun)s …"
    return try reader.show()
  }

  private static func lastSearches(_ session: Session) throws(ClientError) {
    let result = try session.call(Request("history.searches"))
    if session.options.json { return session.print(json: result) }
    let searches = SearchList(result).searches
    for search in searches { session.console.line(search.visible) }
    if searches.isEmpty, session.style.isTerminal { session.console.line("Nothing was searched for yet.") }
  }

  @Sendable static func suggest(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let prefix = ListVerbs.words(arguments)
    let result = try session.call(Request("library.suggest") { $0.member("prefix", prefix) })
    if session.options.json { return session.print(json: result) }
    let style = session.style
    for suggestion in Suggestions(result).suggestions {
      let (text, kind) = (suggestion.text.visible, suggestion.type.rawValue)
      guard style.isTerminal else {
        session.console.line([suggestion.uri.visible, kind, text].joined(separator: "\t"))
        continue
      }
      let shown = text.cut(to: max(8, style.columns - kind.utf8.count - 2), mark: style.ellipsis)
      session.console.line(shown + "  " + style.paint(kind, .dim))
    }
  }
}
