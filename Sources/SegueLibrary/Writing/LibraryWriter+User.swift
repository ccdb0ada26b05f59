// Thread: "index".

internal import SegueFiles
public import SegueSQLite
public import SegueSystem
internal import SegueWire

/// A list of what a user thinks of items.
public enum UserList: Sendable {
  case favorites, ratings

  /// The maximum number of items that are no files. The user has only so many files, but anybody can make up items of
  /// catalogues and streams.
  public static let maximumOthers = 100_000
}

extension LibraryWriter {
  /// Whether a list has room for items.
  public func hasRoom(for uris: [String], in list: UserList) throws(StoreError) -> Bool {
    let others = uris.count { !$0.hasPrefix("file:") }
    if others == 0 { return true }
    return try userData.countOfOthers(in: list) + others <= UserList.maximumOthers
  }

  /// Adds tracks, streams, albums, artists and items of catalogues to the favorites, or removes them. An item that is
  /// already a favorite keeps its time. `facts`: what the index does not have about them, by URI.
  public func setFavorite(
    _ uris: [String], _ isFavorite: Bool, facts: [String: FavoriteFacts] = [:], at time: UnixTime = .now
  ) throws(StoreError) {
    for uri in uris {
      let (kind, id) = try item(uri)
      if isFavorite {
        try userData.addFavorite(uri, kind, id, facts[uri], at: time)
      } else {
        try userData.removeFavorite(uri)
      }
      if kind == .track, let row = try tracks.row(id) { try tracks.updateAffinity(of: row) }
    }
    try flush()
  }

  /// Sets the title of a stream, if it is a favorite.
  public func setFavoriteTitle(_ uri: String, _ title: String) throws(StoreError) {
    try userData.setFavoriteTitle(uri, title)
    try flush()
  }

  /// Sets what is known about an item that is not in the index, if it is a favorite.
  public func setFavoriteFacts(_ uri: String, _ facts: FavoriteFacts) throws(StoreError) {
    try userData.setFavoriteFacts(uri, facts)
    try flush()
  }

  /// Sets a rating, or removes it if `rating` is nil.
  ///
  /// - Precondition: `rating` is in 0…10.
  public func setRating(_ uri: String, _ rating: Int?, at time: UnixTime = .now) throws(StoreError) {
    precondition(rating.map { (0...10).contains($0) } ?? true, "a rating is 0 to 10")
    try userData.setRating(uri, rating, at: time)
    let (kind, id) = try item(uri)
    if kind == .track, let row = try tracks.row(id) {
      try tracks.setRating(Int64(rating ?? TrackRow.unrated), of: row)
      try tracks.updateAffinity(of: row)
    }
    try flush()
  }

  /// Adds a play to the history.
  public func addPlay(
    _ uri: String, _ facts: PlayedFacts = PlayedFacts(), at time: UnixTime = .now
  ) throws(StoreError) {
    try userData.addPlay(uri, facts, at: time)
    let (kind, id) = try item(uri)
    if kind == .track, let row = try tracks.row(id) { try tracks.updateAffinity(of: row) }
    try flush()
  }

  /// Sets the point at which playback of a track was left, or removes it if `point` is nil.
  public func setBookmark(_ uri: String, _ point: ResumePoint?, at time: UnixTime = .now) throws(StoreError) {
    try userData.setBookmark(uri, point, at: time)
  }

  /// Returns the item of the index that `uri` names.
  func item(_ uri: String) throws(StoreError) -> (kind: FavoriteKind, id: Int64) {
    switch LibraryURI(uri) {
    case .album(let id): return (.album, id)
    case .artist(let id): return (.artist, id)
    case .genre, .value, .playlist, .search, nil: break
    }
    guard case .file(let path, let range) = try? MediaURI(uri), let folder = try folders.id(of: path.parent) else {
      return (.unknown, 0)
    }
    let start = range?.start ?? -1
    let track = try tracks.tracks(folder, Array(path.lastComponent)).first { $0.start == start }
    return track.map { (.track, $0.id) } ?? (.unknown, 0)
  }
}
