internal import SegueFiles
internal import SegueIndex
internal import SeguePlayer
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

let searchMethods = [
  Method(
    name: "library.search",
    summary:
      "Searches for tracks, albums and artists, best match first. Words match by prefix, in any order and script, "
      + "and tolerate typing errors; four digits also match the year. Filters: artist: album: title: genre: year:1990..1999 year:1990s format:flac added:30d "
      + "rating:8.. is:favorite, \"quotes\", -minus. Without `type`, the result contains a page of each kind. The sort "
      + "`best` has no order, and `random` is another order for each page.",
    parameters: [
      .init(name: "query", schema: .string, summary: "Words and filters; every query is valid.", isRequired: true),
      .init(name: "type", schema: .choice(of: SearchKind.self), summary: "Only this kind."),
      .sort(SearchSort.best), .offset, .limit(50),
      .init(
        name: "remember", schema: .boolean, summary: "Adds the query to the last searches.", defaultValue: "true"),
      .order(),
    ],
    result: (name: "found", schema: .named("SearchAnswer")), errors: [.queryTooShort, .unavailable]
  ) { call in
    let query = call.string("query") ?? ""
    guard query.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      return call.responder.fail(Failure(.queryTooShort, "the query is empty"))
    }
    let kinds = call.word("type").map { [$0] } ?? SearchKind.allCases
    let (page, sort, order): (_, SearchSort, _) = (call.page(limit: 50), call.word("sort") ?? .best, call.order)
    if page.offset == 0, call.bool("remember") ?? true { call.library.remember(search: query) }
    call.respond { reader throws(StoreError) in try SearchAnswer(query, kinds, by: sort, order, page, reader) }
  },
  Method(
    name: "library.suggest",
    summary:
      "Completes a partial search: returns those of the last five searches that contain the text, then matches in the "
      + "library, best match first.",
    parameters: [
      .init(name: "prefix", schema: .string, summary: "The text that was typed so far.", isRequired: true),
      .init(
        name: "limit", schema: .integer(1...Int64.max), summary: "The maximum number of suggestions, at most 100.",
        defaultValue: "10"
      ),
    ],
    result: (name: "suggestions", schema: .named("Suggestions")), errors: [.unavailable]
  ) { call in
    let (prefix, limit) = (call.string("prefix") ?? "", min(call.integer("limit") ?? 10, 100))
    let unsaved = call.library.unsavedSearches(containing: prefix)
    call.respond { reader throws(StoreError) in
      let searches = SearchList(unsaved, try reader.searches(containing: prefix)).searches.prefix(limit)
      var suggestions = searches.map { LibrarySuggestion(text: $0, type: .search, uri: LibraryURI.search($0).uri) }
      for found in try reader.suggest(prefix, limit: limit - suggestions.count) {
        if let suggestion = try LibrarySuggestion(found, reader) { suggestions.append(suggestion) }
      }
      return Suggestions(suggestions: suggestions)
    }
  },
]

extension SearchAnswer {
  fileprivate init(
    _ query: String, _ kinds: [SearchKind], by sort: SearchSort, _ order: SortOrder, _ page: PageRequest,
    _ reader: LibraryReader
  ) throws(StoreError) {
    self.init(found: FoundItems(offset: page.offset), exact: true, correction: nil)
    for kind in kinds {
      let result = try reader.search(query, kind, page, by: sort, order)
      found.total += result.total
      if !result.isTotalExact { exact = false }
      correction = correction ?? result.correction
      switch kind {
      case .track: found.tracks = try reader.tracks(result.ids).map(ListedTrack.init(_:))
      case .album: found.albums = Album.list(try reader.albums(result.ids))
      case .artist: found.artists = try reader.artists(result.ids).map(Artist.init(_:))
      }
    }
  }
}

extension LibrarySuggestion {
  /// Creates a suggestion. Returns nil if the track was removed from the library meanwhile.
  fileprivate init?(_ found: SearchSuggestion, _ reader: LibraryReader) throws(StoreError) {
    switch found.kind {
    case .track:
      guard let track = try reader.tracks([found.id]).first else { return nil }
      self.init(text: found.text, type: .track, uri: track.uri)
    case .album: self.init(text: found.text, type: .album, uri: LibraryURI.album(found.id).uri)
    case .artist: self.init(text: found.text, type: .artist, uri: LibraryURI.artist(found.id).uri)
    }
  }
}
