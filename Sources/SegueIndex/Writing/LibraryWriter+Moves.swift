// On the thread "index" only.

internal import SegueFiles
public import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Tracks that appear under another path before or after they have vanished from their former one. A walk that finds both
/// renames the file (`rename`); everything else is here. Nothing is taken from a file that still exists.
extension LibraryWriter {
  /// The maximum number of files that are looked for outside the music folders.
  private static let maximumElsewhere = 200_000

  /// Removes a track whose file has left the music folders. If the file was copied before, the copy gets the data of the
  /// user; otherwise, the data waits for the file to appear elsewhere.
  func removeVanished(_ id: Int64, at now: UnixTime) throws(StoreError) {
    guard let row = try tracks.row(id) else { return }
    let track = try movable(row)
    try tracks.remove(id)
    let isElsewhere = track.path.exists
    if !isElsewhere, try giveToCopy(track) { return }
    try vanished.insert(track, isElsewhere ? .elsewhere : .gone, at: now)
  }

  /// Gives the data of vanished tracks to copies of them if their files, which were outside the music folders, do not exist
  /// any more. The cost is proportional to the number of those files.
  public func giveVanishedToCopies() throws(StoreError) {
    guard vanished.hasRows else { return }
    for track in try vanished.tracksElsewhere(limit: Self.maximumElsewhere) where !track.path.exists {
      if try giveToCopy(track) { try vanished.remove(track.uri) } else { try vanished.setState(.gone, of: track.uri) }
    }
    try flush()
  }

  /// Gives the data of a vanished track to a copy that was added later. A file that has always been beside it is another
  /// track, even if the audio is the same. Returns false if there is no copy.
  ///
  /// - Parameter time: If it is not nil, a copy must have been added after this time, too.
  func giveToCopy(_ track: MovableTrack, addedAfter time: UnixTime? = nil) throws(StoreError) -> Bool {
    for identity in track.identities {
      var candidates = try tracks.candidates(identity, of: track, addedAfter: max(track.added, time ?? track.added))
        .filter { $0.path != track.followedPath && $0.path.exists }
      if case .recording = identity { candidates.removeAll { track.release != nil && $0.release != track.release } }
      guard let copy = track.best(candidates, identity) else { continue }
      try recordMove(track.followedPath, copy.path)
      try mergeUserData(of: track.uri, into: copy.uri)
      return true
    }
    return false
  }

  /// Gives what the user added to one track to another one.
  func mergeUserData(of old: String, into new: String) throws(StoreError) {
    guard userData.hasRows else { return }
    try userData.merge(old, into: new)
    try showUserData(of: new)
  }

  /// Updates the row of a track whose user data has changed.
  func showUserData(of uri: String) throws(StoreError) {
    guard userData.hasRows, case (.track, let id) = try item(uri), let row = try tracks.row(id) else { return }
    try userData.linkFavorite(uri, toTrack: id)
    try tracks.setRating(Int64(try userData.rating(uri) ?? TrackRow.unrated), of: row)
    try tracks.updateAffinity(of: row)
  }

  /// Gives the data of a vanished track to `row`, which is not in the index yet, if it is the same track.
  func takeOverVanished(_ row: inout TrackRow, at now: UnixTime) throws(StoreError) {
    guard vanished.hasRows else { return }
    let track = try movable(row)
    if let former = try vanished.track(track.uri) {
      try vanished.remove(track.uri)
      guard former.isOther(than: track) else {
        // The file is back.
        row.added = former.added
        return
      }
      try setAside(former, at: now)
    }
    for identity in track.identities {
      let candidates = try vanished.candidates(identity, of: track).filter { !$0.path.exists }
      guard let former = track.best(candidates, identity) else { continue }
      try vanished.remove(former.uri)
      row.added = former.added
      try recordMove(former.followedPath, track.path)
      if userData.hasRows { try userData.merge(former.uri, into: track.uri) }
      return
    }
  }

  func movable(_ row: TrackRow) throws(StoreError) -> MovableTrack {
    MovableTrack(row, try tracks.uri(of: row), try folders.cachedPath(of: row.folder).appending(row.name))
  }

  /// Forgets the moves up to `last`, which everything has followed.
  public func removeMoves(upTo last: Int64) throws(StoreError) { try moves.remove(upTo: last) }
}
