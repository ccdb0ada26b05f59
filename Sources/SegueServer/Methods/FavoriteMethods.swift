internal import SegueFiles
internal import SegueIndex
internal import SeguePlayer
internal import SegueSQLite
internal import SegueWire

private let uris = Method.Parameter(
  name: "uris", schema: .array(of: .string),
  summary: "Tracks, streams, segue:album/ID, segue:artist/ID, items of catalogues.",
  isRequired: true)
private let favorites = (name: "favorites", schema: Schema.named("FavoriteResult"))

let favoriteMethods = [
  Method(
    name: "favorites.add",
    summary: "Adds to the favorites. URIs that cannot be favorites are listed with the reason; all others are added.",
    parameters: [uris], result: favorites, errors: [.unavailable]
  ) { call in
    call.library.addFavorites(
      call.strings("uris"), in: call.session.catalogRequests, then: call.responder.sendOffLoop)
  },
  Method(
    name: "favorites.remove", summary: "Removes from the favorites.", parameters: [uris], result: favorites,
    errors: [.unavailable]
  ) { call in
    call.library.removeFavorites(call.strings("uris"), then: call.responder.sendOffLoop)
  },
  Method(
    name: "favorites.list", summary: "Lists the favorites. Without `type`, a page contains all kinds.",
    parameters: [
      .init(name: "type", schema: .choice(of: SearchKind.self), summary: "Only this kind."),
      .sort(FavoriteSort.date), .order(nil), .offset, .limit,
    ],
    result: (name: "favorites", schema: .named("FoundItems")), errors: [.unavailable]
  ) { call in
    let sort: FavoriteSort = call.word("sort") ?? .date
    let order: SortOrder = call.word("order") ?? (sort == .title ? .ascending : .descending)
    let (kind, page): (SearchKind?, _) = (call.word("type"), call.page())
    call.respond { reader throws(StoreError) in
      try FoundItems(favorites: try reader.favorites(of: kind, by: sort, order, page), reader)
    }
  },
  Method(
    name: "rating.set", summary: "Sets the rating of a track.",
    parameters: [
      .uri("The URI of the track."),
      .init(
        name: "rating", schema: .nullable(.integer(0...10)), summary: "null removes the rating.", isRequired: true),
    ],
    result: (name: "rating", schema: .named("Rating")), errors: .ofFiles
  ) { call in
    call.library.setRating(of: call.string("uri") ?? "", call.integer("rating"), then: call.responder.send)
  },
  Method(
    name: "rating.get", summary: "Returns the rating of a track, which need not be in the library.",
    parameters: [.uri("The URI of the track.")], result: (name: "rating", schema: .named("Rating")),
    errors: [.notFound, .tooLarge, .unavailable]
  ) { call in
    call.library.rating(of: call.string("uri") ?? "", then: call.responder.send)
  },
]

let historyMethods = [
  Method(
    name: "history.list",
    summary: "Lists the plays, newest first, or with the sort `plays` every played track once, the most often played "
      + "first. A play counts after half of the track, or four minutes, were played. "
      + "A track that is not in the library appears with the metadata that it had when it was played.",
    parameters: [.offset, .limit, .sort(HistorySort.time)], result: (name: "page", schema: .named("PlayPage")),
    errors: [.unavailable]
  ) { call in
    let (page, sort): (_, HistorySort) = (call.page(), call.word("sort") ?? .time)
    call.respond { reader throws(StoreError) in
      let plays = try reader.plays(by: sort, page)
      var items: [PlayedTrack] = []
      for play in plays.items {
        let track =
          if let known = play.track { ListedTrack(known) } else {
            try ListedTrack(unknown: play.uri, known: play.known, reader)
          }
        items.append(PlayedTrack(time: play.time, plays: play.count, track: track))
      }
      return ListPage(items: items, total: plays.total, offset: plays.offset)
    }
  },
  Method(
    name: "history.searches", summary: "Lists the last five searches, newest first.",
    parameters: [
      .init(name: "prefix", schema: .string, summary: "Only searches that contain this text; case is ignored.")
    ],
    result: (name: "searches", schema: .named("SearchList")), errors: [.unavailable]
  ) { call in
    call.library.searches(containing: call.string("prefix") ?? "", then: call.responder.send)
  },
]

extension FoundItems {
  fileprivate init(favorites page: LibraryPage<Favorite>, _ reader: LibraryReader) throws(StoreError) {
    self.init(total: page.total, offset: page.offset)
    // The page ends before the first item for which the response has no room, whatever its kind: the next page begins
    // with that item.
    var written = JSONWriter()
    for favorite in page.items where written.count < ResponseLimits.listBytes {
      switch favorite.item {
      case .track(let track): append(ListedTrack(track), to: \.tracks, &written)
      case .album(let album): append(Album(album), to: \.albums, &written)
      case .artist(let artist): append(Artist(artist), to: \.artists, &written)
      case .unknown:
        let isGone = LibraryURI(favorite.uri) != nil
        var track = try ListedTrack(
          unknown: favorite.uri, reader, error: isGone ? LocalizableMessage("no longer in the library") : nil)
        if favorite.metadata.title != nil { track.metadata = favorite.metadata }
        append(track, to: \.tracks, &written)
      }
    }
  }

  /// Appends `item` to `list` if the response has room for it. `written` holds the items that were appended before.
  private mutating func append<Item: JSONEncodable>(
    _ item: Item, to list: WritableKeyPath<FoundItems, [Item]>, _ written: inout JSONWriter
  ) {
    item.encode(into: &written)
    if written.count <= ResponseLimits.listBytes { self[keyPath: list].append(item) }
  }
}
