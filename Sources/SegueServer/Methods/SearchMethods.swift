internal import SegueFiles
internal import SegueLibrary
internal import SeguePlayer
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

let searchMethods = [
  Method(LibrarySearchRequest.self) { call throws(Failure) in
    let (request, page, art) = (call.request, call.page, call.player.albumArt)
    guard request.query.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw Failure(.queryTooShort, "the query is empty")
    }
    if page.offset == 0, request.remember, call.session.keepsSearches { call.player.searches.remember(request.query) }
    call.respond { reader throws(StoreError) in try SearchAnswer(request, page, reader, art) }
  },
  Method(LibrarySuggestRequest.self) { call in
    let (prefix, limit) = (call.request.prefix, min(call.request.limit, 100))
    let keepsSearches = call.session.keepsSearches
    let unsaved = call.player.searches.unsavedSearches(containing: prefix)
    call.respond { reader throws(StoreError) in
      var suggestions: [LibrarySuggestion] = []
      if keepsSearches {
        let searches = SearchList(unsaved, try reader.searches(containing: prefix)).searches.prefix(limit)
        suggestions = searches.map { LibrarySuggestion(text: $0, type: .search, uri: LibraryURI.search($0).uri) }
      }
      for found in try reader.suggest(prefix, limit: limit - suggestions.count) {
        if let suggestion = try LibrarySuggestion(found, reader) { suggestions.append(suggestion) }
      }
      return Suggestions(suggestions: suggestions)
    }
  },
]

extension SearchAnswer {
  fileprivate init(
    _ request: LibrarySearchRequest, _ page: PageRequest, _ reader: LibraryReader, _ art: AlbumArt
  ) throws(StoreError) {
    self.init(found: FoundItems(offset: page.offset), exact: true, correction: nil)
    for kind in request.type.map({ [$0] }) ?? LibraryKind.allCases {
      let result = try reader.search(request.query, kind, page, by: request.sort, request.order)
      found.total += result.total
      if !result.isTotalExact { exact = false }
      correction = correction ?? result.correction
      switch kind {
      case .track: found.tracks = try reader.tracks(result.ids).map(ListedTrack.init(_:))
      case .album: found.albums = Album.list(try reader.albums(result.ids), art)
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
      self.init(text: found.text, type: .track, uri: track.uri, artist: track.metadata.artist)
    case .album:
      let artist = try reader.albums([found.id]).first?.albumArtist
      self.init(text: found.text, type: .album, uri: LibraryURI.album(found.id).uri, artist: artist)
    case .artist: self.init(text: found.text, type: .artist, uri: LibraryURI.artist(found.id).uri)
    }
  }
}
