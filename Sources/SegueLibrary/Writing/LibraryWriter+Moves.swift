// Thread: "index".

internal import SegueFiles
public import SegueSQLite
public import SegueSystem
internal import SegueWire

/// Tracks that appear under another path before or after they have vanished from their former one. A walk that finds
/// both renames the file (`rename`); everything else is here. Nothing is taken from a file that still exists.
extension LibraryWriter {
  /// The maximum number of files that are looked for outside the music folders.
  private static let maximumElsewhere = 200_000

  /// Removes a track whose file has left the music folders. If the file was copied before, the copy gets the data of
  /// the user; otherwise, the data waits for the file to appear elsewhere.
  func removeVanished(_ id: Int64, at now: UnixTime) throws(StoreError) {
    guard let row = try tracks.row(id) else { return }
    let track = try movable(row)
    try tracks.remove(id)
    let isElsewhere = track.path.exists
    if !isElsewhere, try giveToCopy(track) { return }
    try vanished.insert(track, isElsewhere ? .elsewhere : .gone, at: now)
  }

  /// Gives the data of vanished tracks to copies of them if their files, which were outside the music folders, do not
  /// exist any more. The cost is proportional to the number of those files.
  public func giveVanishedToCopies() throws(StoreError) {
    guard vanished.hasRows else { return }
    for track in try vanished.tracksElsewhere(limit: Self.maximumElsewhere) where !track.path.exists {
      if try giveToCopy(track) { try vanished.remove(track.uri) } else { try vanished.setState(.gone, of: track.uri) }
    }
    try flush()
  }

  /// Gives the data of a vanished track to a copy that was added later. A file that has always been beside it is
  /// another track, even if the audio is the same. Returns false if there is no copy.
  ///
  /// - Parameter time: If it is not nil, a copy must have been added after this time, too.
  private func giveToCopy(_ track: MovableTrack, addedAfter time: UnixTime? = nil) throws(StoreError) -> Bool {
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
  private func mergeUserData(of old: String, into new: String) throws(StoreError) {
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

/// Tracks whose files other files have replaced. Files that exchange their names, or that are numbered anew, replace
/// each other: a track is set aside until the end of the scan, with what the user added to it, so that the scan can
/// find it under another path, in whatever order it reads the files. If the track is not found, the new file may be a
/// new version of it.
extension LibraryWriter {
  /// How old a file can be that a program has written beside the one in whose place it was put then.
  private static let maximumWritingTime = MediaTime.seconds(3600)

  /// Removes the tracks of a file, and remembers them under a path that no file has. Returns false, and does nothing,
  /// if a track could not be recognized.
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

  /// Remembers a track that is not in the index any more, and whose path another file has, under a path that no file
  /// has.
  func setAside(_ track: MovableTrack, at now: UnixTime) throws(StoreError) {
    guard case .file(let path, let range) = try? MediaURI(track.uri) else { return }
    var aside = track
    aside.path = path.pathAside(for: track)
    aside.uri = MediaURI.file(aside.path, range: range).uri
    if userData.hasRows { try userData.rename(track.uri, to: aside.uri) }
    try vanished.insert(aside, .replaced, at: now)
  }

  /// Records the move of a file. Queue and playlists follow one move after another: the tracks that were at the path
  /// `new` leave it before.
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

  /// Gives the data of a replaced track to a file that the scan has read under another path before the track was
  /// replaced. Returns false if there is none.
  private func giveToFoundCopy(_ track: MovableTrack) throws(StoreError) -> Bool {
    guard let scanStart, try giveToCopy(track, addedAfter: scanStart) else { return false }
    try vanished.remove(track.uri)
    return true
  }

  /// Gives the data of other replaced tracks to `row` if the scan has found them there. The data of the track at whose
  /// path it is would be given to it otherwise, and it would count as old as that track.
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

  /// Gives the data of a replaced track to the one that is at its path now, if that may be a new version of it. Returns
  /// false otherwise.
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

/// The facts that identify a track apart from its path.
enum TrackIdentity {
  case audio(UInt64)
  /// The recording is the same, but it may have been encoded anew.
  case recording(UInt64)

  var column: String {
    switch self {
    case .audio: "audio_digest"
    case .recording: "recording"
    }
  }

  var value: UInt64 {
    switch self {
    case .audio(let value), .recording(let value): value
    }
  }
}

/// A track as far as it is compared with others that may be the same one, before or after it was moved.
struct MovableTrack {
  var uri: String
  var path: FilePath
  /// The path under which queue and playlists have the track.
  var followedPath: FilePath
  /// The frame at which the track begins; -1 for the track of a whole file.
  let rangeStart: Int64
  let audioDigest: UInt64?
  let recording: UInt64?
  let release: String?
  let size: Int64
  let modified: Int64
  let added: UnixTime

  /// The maximum number of tracks with the same identity that are compared.
  static let maximumCandidates = 64

  /// The facts that identify the track, the most certain first.
  var identities: [TrackIdentity] {
    [audioDigest.map(TrackIdentity.audio), recording.map(TrackIdentity.recording)].compactMap(\.self)
  }

  /// Returns the best of `candidates`. Of tracks with the same audio, it is the one that was copied with its time, or
  /// whose path ends most alike. A recording may be on several albums: if the album is not the same, there must be no
  /// other candidate.
  func best(_ candidates: [MovableTrack], _ identity: TrackIdentity) -> MovableTrack? {
    switch identity {
    case .audio: candidates.max { similarity(to: $0) < similarity(to: $1) }
    case .recording:
      candidates.first { release != nil && $0.release == release }
        ?? (candidates.count == 1 ? candidates.first : nil)
    }
  }

  /// Returns whether the two are certainly not the same track.
  func isOther(than track: MovableTrack) -> Bool {
    guard let audioDigest, let other = track.audioDigest, audioDigest != other else { return false }
    return recording == nil || recording != track.recording
  }

  private func similarity(to other: MovableTrack) -> MoveSimilarity {
    MoveSimilarity(
      path, other.path, hasSameStamp: size == other.size && modified == other.modified)
  }
}

extension MovableTrack {
  init(_ row: TrackRow, _ uri: String, _ path: FilePath) {
    self.init(
      uri: uri, path: path, followedPath: path, rangeStart: row.range?.start ?? -1, audioDigest: row.audioDigest,
      recording: row.recording,
      release: row.release, size: row.stamp.size, modified: row.stamp.modified, added: row.added)
  }
}

/// How likely two files with the same audio are the same one, before and after it was moved.
public struct MoveSimilarity: Comparable {
  /// Whether the file was not written meanwhile: size and time are the same.
  private let hasSameStamp: Bool
  /// The number of equal components at the ends of the paths.
  private let commonNames: Int

  public init(_ old: FilePath, _ new: FilePath, hasSameStamp: Bool) {
    self.hasSameStamp = hasSameStamp
    let slash = UInt8(ascii: "/")
    let (a, b) = (old.bytes.split(separator: slash), new.bytes.split(separator: slash))
    commonNames = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
  }

  public static func < (a: MoveSimilarity, b: MoveSimilarity) -> Bool {
    (a.hasSameStamp ? 1 : 0, a.commonNames) < (b.hasSameStamp ? 1 : 0, b.commonNames)
  }
}
