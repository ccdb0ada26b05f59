internal import SegueSystem
internal import SegueWire

/// What the user thinks of tracks, and which were heard: `segue fav`, `rate`, `history`.
enum FavoriteVerbs {
  private enum Action: String, CaseIterable {
    case add, remove, list
  }

  @Sendable static func favorite(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    guard let word = arguments.first?.text else {
      let track = try session.currentTrack()
      return try set(session, [track.uri], to: !track.favorite, of: track)
    }
    guard let action = Action(rawValue: word) else {
      throw .usage(
        "favourites are changed with add, remove, list, not “\(word)”",
        hints: ["segue fav add \(word)", "segue help fav"])
    }
    let rest = Array(arguments.dropFirst())
    if action == .list { return try list(session, rest) }
    if !rest.isEmpty { return try set(session, try PlaybackVerbs.uris(rest), to: action == .add) }
    let track = try session.currentTrack()
    try set(session, [track.uri], to: action == .add, of: track)
  }

  private static func set(
    _ session: Session, _ uris: [String], to isFavorite: Bool, of track: Track? = nil
  ) throws(ClientError) {
    var result = FavoriteResult(uris: [], failed: URIFailureList(), total: 0)
    for portion in RequestBatches.of(uris) {
      let answer = try session.call(
        Request(isFavorite ? "favorites.add" : "favorites.remove") { $0.member("uris", portion) })
      result.append(FavoriteResult(answer))
    }
    session.complain(about: result.failed)
    if session.options.json {
      session.print(encoded: result)
    } else if !result.uris.isEmpty {
      let what = track?.heading(session.style) ?? counted(result.urisTotal, "favourite")
      let done =
        track == nil ? (isFavorite ? "added" : "removed") : (isFavorite ? "is a favourite" : "is a favourite no longer")
      session.console.line((track == nil ? "\(done) \(what)" : "\(what) \(done)") + "; \(result.total) in all")
    }
    if result.uris.isEmpty { throw ClientError(.failed, "nothing was changed", hints: ["segue help fav"]) }
  }

  private static func list(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let sorts = ["date", "title", "year", "rating"]
    let sort = arguments.first?.text ?? sorts[0]
    guard arguments.count <= 1, sorts.contains(sort) else {
      throw .usage("favourites are listed by date, title, year or rating", hints: sorts.map { "segue fav list \($0)" })
    }
    if session.options.json { return try printJSON(sort, session) }
    let count =
      try section(Artist.self, "Artists", sort, session) + section(Album.self, "Albums", sort, session)
      + section(ListedTrack.self, "Tracks", sort, session)
    if count == 0, session.style.isTerminal {
      session.console.line("No favourites.  segue fav   makes the current track one.")
    }
  }

  /// The answer, as if it had come in one page.
  private static func printJSON(_ sort: String, _ session: Session) throws(ClientError) {
    let answer = try session.call(Request("favorites.list") { $0.member("sort", sort) })
    var all = FoundItems(answer)
    if all.count >= all.total { return session.print(json: answer) }
    while all.count < all.total {
      let next = FoundItems(
        try session.call(
          Request("favorites.list") {
            $0.member("sort", sort)
            $0.member("offset", all.count)
          }))
      if next.count == 0 { break }
      all.tracks += next.tracks
      all.albums += next.albums
      all.artists += next.artists
    }
    session.print(encoded: all)
  }

  private static func section<Item: Tabular>(
    _ kind: Item.Type, _ heading: String, _ sort: String, _ session: Session
  ) throws(ClientError) -> Int {
    try ListReader<Item>(
      session: session, method: "favorites.list",
      parameters: {
        $0.member("type", Item.noun)
        $0.member("sort", sort)
      }, heading: heading
    ).show()
  }

  @Sendable static func rate(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let wish = arguments[0].text
    let rating = wish == "0" ? 0 : EntryRange.number(wish)
    guard wish == "none" || rating.map({ $0 <= 10 }) == true else {
      throw .usage("a rating is 0 to 10, or none, not “\(wish)”")
    }
    let track = arguments.count > 1 ? nil : try session.currentTrack()
    let uri = if let track { track.uri } else { try Resource.uri(arguments[1]) }
    let result = try session.call(
      Request("rating.set") {
        $0.member("uri", uri)
        $0.member("rating", rating)
      })
    session.print(result) { result in
      let name = track?.heading(session.style) ?? place(uri)
      return Rating(result).rating.map { "\(name): \($0) of 10" } ?? "\(name): no rating"
    }
  }

  @Sendable static func history(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let isForPerson = session.style.isTerminal && !session.options.json
    var reader = ListReader<PlayedTrack>(session: session, method: "history.list", none: "Nothing was played yet.")
    if isForPerson { reader.limit = 20 }
    if let wish = arguments.first?.text {
      guard let count = EntryRange.number(wish) else { throw .usage("“\(wish)” is no number of plays") }
      reader.limit = count
    }
    try reader.show()
  }
}

extension FavoriteResult {
  /// Takes over what a later request of the same came to.
  fileprivate mutating func append(_ later: FavoriteResult) {
    uris += later.uris
    urisTotal += later.urisTotal
    failed.append(contentsOf: later.failed)
    total = later.total
  }
}

extension Session {
  /// The track that plays, or would.
  func currentTrack() throws(ClientError) -> Track {
    if let track = Status(try call(Request("status"))).track { return track }
    throw ClientError(
      .failed, "there is no current track", kind: Failure.Kind.noSuchTrack.rawValue,
      hints: ["segue play   starts one; or name it: a path, a URL, segue:album/12"])
  }

  /// Names what the daemon would not take, and why.
  func complain(about refused: URIFailureList, without reason: String = "not taken") {
    for entry in refused.listed { console.complain(entry.text(without: reason)) }
    if refused.unlisted > 0 { console.complain("\(refused.unlisted) more: \(reason)") }
  }
}

extension FoundItems {
  fileprivate var count: Int { tracks.count + albums.count + artists.count }
}
