internal import SegueFiles
internal import SegueLibrary
internal import SeguePlayer
internal import SegueSQLite
internal import SegueWire

/// The methods for favorites, ratings and the history: what the user has added to the library.
let userMethods = [
  Method(FavoritesAddRequest.self) { call in
    call.player.favorites.add(
      call.request.uris, in: call.session.catalogRequests, then: call.responder.sendOffLoop)
  },
  Method(FavoritesRemoveRequest.self) { call in
    call.player.favorites.remove(call.request.uris, then: call.responder.sendOffLoop)
  },
  Method(FavoritesListRequest.self) { call in
    let (request, page, art) = (call.request, call.page, call.player.albumArt)
    let order = request.order ?? (request.sort == .title ? .ascending : .descending)
    call.respond { reader throws(StoreError) in
      try FoundItems(favorites: try reader.favorites(of: request.type, by: request.sort, order, page), reader, art)
    }
  },
  Method(RatingSetRequest.self) { call in
    call.player.ratings.set(call.request.uri, to: call.request.rating, then: call.responder.send)
  },
  Method(RatingGetRequest.self) { call in
    call.player.ratings.rating(of: call.request.uri, then: call.responder.send)
  },
]

let historyMethods = [
  Method(HistoryListRequest.self) { call in
    let (sort, page) = (call.request.sort, call.page)
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
  Method(HistorySearchesRequest.self) { call in
    call.player.searches.searches(containing: call.request.prefix ?? "", then: call.responder.send)
  },
]

extension FoundItems {
  fileprivate init(favorites page: LibraryPage<Favorite>, _ reader: LibraryReader, _ art: AlbumArt) throws(StoreError) {
    self.init(total: page.total, offset: page.offset)
    // The page ends before the first item for which the response has no room, whatever its kind: the next page begins
    // with that item.
    var written = JSONWriter()
    for favorite in page.items where written.count < ResponseLimits.listBytes {
      switch favorite.item {
      case .track(let track): append(ListedTrack(track), to: \.tracks, &written)
      case .album(let album): append(Album(album, art), to: \.albums, &written)
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
