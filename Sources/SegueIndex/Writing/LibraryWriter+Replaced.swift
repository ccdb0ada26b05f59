// On the thread "index" only.

internal import SegueFiles
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire

/// Tracks whose files other files have replaced. Files that exchange their names, or that are numbered anew, replace each
/// other: a track is set aside until the end of the scan, with what the user added to it, so that the scan can find it under
/// another path, in whatever order it reads the files. If the track is not found, the new file may be a new version of it.
extension LibraryWriter {
  /// How old a file can be that a program has written beside the one in whose place it was put then.
  private static let maximumWritingTime = MediaTime.seconds(3600)

  /// Removes the tracks of a file, and remembers them under a path that no file has. Returns false, and does nothing, if a
  /// track could not be recognized.
  func setAside(_ old: [(id: Int64, start: Int64)], at now: UnixTime) throws(StoreError) -> Bool {
    var former: [MovableTrack] = []
    for track in old {
      guard let row = try tracks.row(track.id) else { continue }
      former.append(try movable(row))
    }
    guard !former.isEmpty, former.allSatisfy({ !$0.identities.isEmpty }) else { return false }
    for track in old { try tracks.remove(track.id) }
    for track in former { try setAside(track, at: now) }
    return true
  }

  /// Remembers a track that is not in the index any more, and whose path another file has, under a path that no file has.
  func setAside(_ track: MovableTrack, at now: UnixTime) throws(StoreError) {
    guard case .file(let path, let range) = try? MediaURI(track.uri) else { return }
    var aside = track
    aside.path = path.pathAside(for: track)
    aside.uri = MediaURI.file(aside.path, range: range).uri
    if userData.hasRows { try userData.rename(track.uri, to: aside.uri) }
    try vanished.insert(aside, .replaced, at: now)
  }

  /// Records the move of a file. Queue and playlists follow one move after another: the tracks that were at the path `new`
  /// leave it before.
  func recordMove(_ old: FilePath, _ new: FilePath) throws(StoreError) {
    var left: Set<FilePath> = []
    for replaced in try vanished.replacedTracks(at: new) where replaced.track.path.formerPath == new {
      guard case .replaced = replaced.state else { continue }
      try vanished.setState(.displaced, of: replaced.track.uri)
      if left.insert(replaced.track.path).inserted { try moves.append(new, replaced.track.path) }
    }
    try moves.append(old, new)
  }

  /// Decides what becomes of tracks that were replaced and have not been found under another path during the scan.
  ///
  /// - Returns: Whether there may be more than `limit`.
  func settleReplacedTracks(limit: Int) throws(StoreError) -> Bool {
    let uris = try vanished.replacedTracks(limit: limit).map(\.track.uri)
    // The decision about one track may change the state of another one.
    for uri in uris { if let track = try vanished.replacedTrack(uri) { try settle(track) } }
    if !uris.isEmpty { try flush() }
    return uris.count == limit
  }

  private func settle(_ replaced: VanishedTrackTable.ReplacedTrack) throws(StoreError) {
    let track = replaced.track
    if try giveToFoundCopy(track) { return }
    let successor = try successor(of: track)
    if let successor { try giveToTracksFound(as: successor, except: track) }
    // The state is another one if the successor was a replaced track itself.
    guard let replaced = try vanished.replacedTrack(track.uri) else { return }
    let isGivenBack = try giveBack(replaced, to: successor)
    if !isGivenBack, try userData.hasData(track.uri) {
      try vanished.setState(.gone, of: track.uri)
    } else {
      try vanished.remove(track.uri)
    }
    // Queue and playlists have a path, whatever is there.
    if case .displaced = replaced.state { try moves.append(track.path, track.path.formerPath) }
  }

  /// Gives the data of a replaced track to a file that the scan has read under another path before the track was replaced. Returns
  /// false if there is none.
  private func giveToFoundCopy(_ track: MovableTrack) throws(StoreError) -> Bool {
    guard let scanStart, try giveToCopy(track, addedAfter: scanStart) else { return false }
    try vanished.remove(track.uri)
    return true
  }

  /// Gives the data of other replaced tracks to `row` if the scan has found them there. The data of the track at whose path it is
  /// would be given to it otherwise, and it would count as old as that track.
  private func giveToTracksFound(as row: TrackRow, except track: MovableTrack) throws(StoreError) {
    let found = try movable(row)
    for identity in found.identities {
      for other in try vanished.candidates(identity, of: found) where other.uri != track.uri {
        if try vanished.replacedTrack(other.uri) != nil { _ = try giveToFoundCopy(other) }
      }
    }
  }

  /// Returns the track that is at the path of a replaced track now.
  private func successor(of track: MovableTrack) throws(StoreError) -> TrackRow? {
    guard let uri = Self.formerURI(of: track), case (.track, let id) = try item(uri) else { return nil }
    return try tracks.row(id)
  }

  /// Returns the URI of a track before it was set aside.
  private static func formerURI(of track: MovableTrack) -> String? {
    guard case .file(_, let range) = try? MediaURI(track.uri) else { return nil }
    return MediaURI.file(track.path.formerPath, range: range).uri
  }

  /// Gives the data of a replaced track to the one that is at its path now, if that may be a new version of it. Returns false
  /// otherwise.
  private func giveBack(
    _ replaced: VanishedTrackTable.ReplacedTrack, to successor: TrackRow?
  ) throws(StoreError) -> Bool {
    let track = replaced.track
    guard var uri = Self.formerURI(of: track) else { return false }
    if let successor { uri = try tracks.uri(of: successor) }
    switch replaced.state {
    case .replaced: break
    case .displaced:
      // A converter may have written it beside the original.
      guard let successor, successor.added > track.added,
        successor.added.nanoseconds > replaced.time.nanoseconds - Self.maximumWritingTime.nanoseconds,
        try !userData.hasData(uri)
      else { return false }
    case .gone, .elsewhere: return false
    }
    if let successor { try tracks.setAdded(track.added, of: successor) }
    try mergeUserData(of: track.uri, into: uri)
    return true
  }
}

extension FilePath {
  /// Returns the path of a track that was at this path before another file: below the path of a file, there is nothing.
  fileprivate func pathAside(for track: MovableTrack) -> FilePath {
    let identity = track.identities.first?.value ?? 0
    return appending("replaced-" + String(identity, radix: 16)).appending(lastComponent)
  }

  /// The path of a track before it was set aside.
  var formerPath: FilePath { parent.parent }
}
