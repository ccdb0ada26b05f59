internal import SegueLibrary
internal import SeguePlayer
internal import SegueWire

private let uris = Method.Parameter(
  name: "uris", schema: .array(of: .string), summary: "Tracks, streams, segue:album/ID, segue:artist/ID.",
  isRequired: true)
private let favorites = (name: "favorites", schema: Schema.named("FavoriteResult"))

let favoriteMethods = [
  Method(
    name: "favorites.add",
    summary: "Makes them favourites. What cannot be one is listed with its reason, and the rest is.",
    parameters: [uris], result: favorites, errors: [.unavailable]
  ) { call in
    call.library.setFavorites(call.strings("uris"), true, then: call.reply.answerOffLoop)
  },
  Method(
    name: "favorites.remove", summary: "Makes them favourites no longer.", parameters: [uris], result: favorites,
    errors: [.unavailable]
  ) { call in
    call.library.setFavorites(call.strings("uris"), false, then: call.reply.answerOffLoop)
  },
  Method(
    name: "favorites.list", summary: "The favourites. Without `type` one page holds all kinds.",
    parameters: [
      .init(name: "type", schema: .choice(SearchKind.allCases.map(\.rawValue)), summary: "Only these."),
      .sort(FavoriteSort.allCases.map(\.rawValue), "date"), .order(nil), .offset, .limit,
    ],
    result: (name: "favorites", schema: .named("FoundItems")), errors: [.unavailable]
  ) { call in
    let sort: FavoriteSort = call.word("sort") ?? .date
    let order: SortOrder = call.word("order") ?? (sort == .title ? .ascending : .descending)
    let (kind, page): (SearchKind?, _) = (call.word("type"), call.page())
    call.answer { reader throws(StoreError) in
      try FoundItems(favorites: try reader.favorites(of: kind, by: sort, order, page), reader)
    }
  },
  Method(
    name: "rating.set", summary: "Rates a track.",
    parameters: [
      .uri("The track's."),
      .init(
        name: "rating", schema: .nullable(.integer(0...10)), summary: "null takes it back.", isRequired: true),
    ],
    result: (name: "rating", schema: .named("Rating")), errors: .ofFiles
  ) { call in
    call.library.setRating(of: call.string("uri") ?? "", call.integer("rating"), then: call.reply.answer)
  },
]

let historyMethods = [
  Method(
    name: "history.list",
    summary: "What was played, the newest first. A track counts once half of it, or four minutes, have been heard. "
      + "What is not in the library appears as it was known when it was played.",
    parameters: [.offset, .limit], result: (name: "page", schema: .named("PlayPage")), errors: [.unavailable]
  ) { call in
    let page = call.page()
    call.answer { reader throws(StoreError) in
      let plays = try reader.plays(page)
      var items: [PlayedTrack] = []
      for play in plays.items {
        let track =
          if let known = play.track { ListedTrack(known) } else {
            try ListedTrack(unknown: play.uri, known: play.known, reader)
          }
        items.append(PlayedTrack(time: play.time, track: track))
      }
      return ListPage(items: items, total: plays.total, offset: plays.offset)
    }
  },
  Method(
    name: "history.searches", summary: "The last five searches, the newest first.",
    parameters: [
      .init(name: "prefix", schema: .string, summary: "Only those that hold this, without regard to case.")
    ],
    result: (name: "searches", schema: .named("SearchList")), errors: [.unavailable]
  ) { call in
    call.library.searches(containing: call.string("prefix") ?? "", then: call.reply.answer)
  },
]

extension FoundItems {
  fileprivate init(favorites page: LibraryPage<Favorite>, _ reader: LibraryReader) throws(StoreError) {
    self.init(total: page.total, offset: page.offset)
    // The page ends where the answer is full, whatever the kinds of its items are: the next one begins behind that item.
    var written = JSONWriter()
    for favorite in page.items where written.count < ResponseLimits.listBytes {
      switch favorite.item {
      case .track(let track): append(ListedTrack(track), to: \.tracks, &written)
      case .album(let album): append(Album(album), to: \.albums, &written)
      case .artist(let artist): append(Artist(artist), to: \.artists, &written)
      case .unknown:
        let isGone = LibraryURI(favorite.uri) != nil
        let track = try ListedTrack(
          unknown: favorite.uri, reader, error: isGone ? "it is in the library no longer" : nil)
        append(track, to: \.tracks, &written)
      }
    }
  }

  /// Appends `item` if it fits into the answer with what is `written`, where it is added.
  private mutating func append<Item: JSONEncodable>(
    _ item: Item, to list: WritableKeyPath<FoundItems, [Item]>, _ written: inout JSONWriter
  ) {
    item.encode(into: &written)
    if written.count <= ResponseLimits.listBytes { self[keyPath: list].append(item) }
  }
}
