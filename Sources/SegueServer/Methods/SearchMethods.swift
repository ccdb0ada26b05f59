internal import SegueLibrary
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

let searchMethods = [
  Method(
    name: "library.search",
    summary:
      "Finds tracks, albums and artists by their words, the best first: as one types, in any order and script, mistyped "
      + "too. Filters narrow it: artist: album: title: genre: year:1990..1999 format:flac added:30d rating:8.. "
      + "is:favorite, \"quotes\", -minus. Without `type` each kind has a page of its own.",
    parameters: [
      .init(name: "query", schema: .string, summary: "Words and filters; no query is wrong.", isRequired: true),
      .init(name: "type", schema: .choice(SearchKind.allCases.map(\.rawValue)), summary: "Only these."),
      .sort(SearchSort.allCases.map(\.rawValue), "best"), .offset, .limit(50),
      .init(
        name: "remember", schema: .boolean, summary: "Keeps the query among the last searches.", defaultValue: "true"),
    ],
    result: (name: "found", schema: .named("SearchAnswer")), errors: [.queryTooShort, .unavailable]
  ) { call in
    let query = call.string("query") ?? ""
    guard query.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      return call.reply.fail(Failure(.queryTooShort, "there is nothing to search for; a letter is enough"))
    }
    let kinds = call.word("type").map { [$0] } ?? SearchKind.allCases
    let (page, sort): (_, SearchSort) = (call.page(limit: 50), call.word("sort") ?? .best)
    if page.offset == 0, call.bool("remember") ?? true { call.library.remember(search: query) }
    call.answer { reader throws(StoreError) in try SearchAnswer(query, kinds, by: sort, page, reader) }
  },
  Method(
    name: "library.suggest",
    summary:
      "What may be meant by what was typed so far: of the last five searches those that hold it, then what the library "
      + "has, the best first.",
    parameters: [
      .init(name: "prefix", schema: .string, summary: "What was typed.", isRequired: true),
      .init(
        name: "limit", schema: .integer(1...Int64.max), summary: "At most so many; over 100 is 100.", defaultValue: "10"
      ),
    ],
    result: (name: "suggestions", schema: .named("Suggestions")), errors: [.unavailable]
  ) { call in
    let (prefix, limit) = (call.string("prefix") ?? "", min(call.integer("limit") ?? 10, 100))
    let unsaved = call.library.unsavedSearches(containing: prefix)
    call.answer { reader throws(StoreError) in
      let searches = SearchList(unsaved, try reader.searches(containing: prefix)).searches.prefix(limit)
      var suggestions = searches.map { LibrarySuggestion(text: $0, type: .search, uri: LibraryURI.search($0).uri) }
      for found in try reader.suggest(prefix, limit: limit - suggestions.count) {
        if let suggestion = try LibrarySuggestion(found, reader) { suggestions.append(suggestion) }
      }
      return Suggestions(suggestions: suggestions)
    }
  },
  Method(
    name: "lyrics", summary: "The lyrics of a track: from the `.lrc` file beside it, or from its tags.",
    parameters: [.uri("The track's.")], result: (name: "lyrics", schema: .named("Lyrics")), errors: .ofFiles
  ) { call in
    call.player.lyrics(of: call.string("uri") ?? "", then: call.reply.answerOffLoop)
  },
]

extension SearchAnswer {
  fileprivate init(
    _ query: String, _ kinds: [SearchKind], by sort: SearchSort, _ page: PageRequest, _ reader: LibraryReader
  ) throws(StoreError) {
    self.init(found: FoundItems(offset: page.offset), exact: true, correction: nil)
    for kind in kinds {
      let result = try reader.search(query, kind, by: sort, page)
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
  /// nil for what has gone meanwhile.
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
