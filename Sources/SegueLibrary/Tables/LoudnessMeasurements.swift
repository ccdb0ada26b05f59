public import SegueFiles
public import SegueSQLite
public import SegueSystem
public import SegueWire

/// A track whose loudness is to be measured.
public struct UnmeasuredTrack: Sendable {
  public let id: Int64
  public let path: FilePath
  /// The size of the file in the index.
  public let size: Int64
  /// The modification time of the file in the index.
  public let modified: Int64
  public let range: CueRange?
  public let duration: MediaTime?
}

/// A group of tracks that are measured together, by the identifier of the album or track.
public enum LoudnessGroup: Sendable {
  case album(Int64)
  /// A track that is part of no album.
  case track(Int64)
}

/// The measured loudness of tracks, in the table `loudness`.
extension LibraryReader {
  /// Returns the loudness of a track: what its tags or its cue sheet state and, where they state nothing, what was
  /// measured if the file has not changed since.
  public func loudness(_ uri: String) throws(StoreError) -> ReplayGain {
    guard case .file(let path, let range) = try? MediaURI(uri) else { return ReplayGain() }
    let find = try connection.statement(
      """
      SELECT coalesce(t.details ->> '$.tags.gain.trackGain', l.track_gain),
        coalesce(t.details ->> '$.tags.gain.trackPeak', l.track_peak),
        coalesce(t.details ->> '$.tags.gain.albumGain', l.album_gain),
        coalesce(t.details ->> '$.tags.gain.albumPeak', l.album_peak)
      FROM track t LEFT JOIN loudness l ON l.track = t.id AND l.size = t.size AND l.modified = t.modified
      WHERE t.folder = (SELECT id FROM folder WHERE path = ?) AND t.name = ? AND t.range_start = ?
      """, path.parent.bytes, Array(path.lastComponent), range?.start ?? -1)
    return try find.first {
      ReplayGain(trackGain: $0.real(0), trackPeak: $0.real(1), albumGain: $0.real(2), albumPeak: $0.real(3))
    } ?? ReplayGain()
  }

  /// The number of rows that one step examines.
  private static let rowsPerStep: Int64 = 4_096

  /// Examines some tracks after `last` for a loudness and a peak, which the file contains or which were measured. For
  /// each track without one, adds the album to `albums`, or the track to `tracks` if it has no album. Returns the last
  /// track that was examined; nil if there are no more.
  public func findUnmeasured(
    after last: Int64, _ albums: inout Set<Int64>, _ tracks: inout [Int64]
  ) throws(StoreError) -> Int64? {
    let find = try connection.statement(
      """
      SELECT t.id, p.album,
        t.details ->> '$.tags.gain.trackGain' IS NOT NULL AND t.details ->> '$.tags.gain.trackPeak' IS NOT NULL,
        t.details ->> '$.tags.gain.albumGain' IS NOT NULL AND t.details ->> '$.tags.gain.albumPeak' IS NOT NULL,
        l.track IS NOT NULL, \(FolderAvailability.isOffline)
      FROM track t JOIN part p ON p.id = t.part JOIN folder f ON f.id = t.folder
        LEFT JOIN loudness l ON l.track = t.id AND l.size = t.size AND l.modified = t.modified
      WHERE t.id > ? ORDER BY t.id LIMIT \(Self.rowsPerStep)
      """, last)
    defer { find.reset() }
    var lastExamined: Int64?
    while try find.step() {
      lastExamined = find.integer(0)
      guard find.integer(4) == 0, find.integer(5) == 0, let id = lastExamined else { continue }
      let album = find.integer(1)
      guard find.integer(2) != 1 || (album != nil && find.integer(3) != 1) else { continue }
      if let album { albums.insert(album) } else { tracks.append(id) }
    }
    return lastExamined
  }

  /// Returns the tracks of a group, in the order of the album.
  public func tracks(of group: LoudnessGroup) throws(StoreError) -> [UnmeasuredTrack] {
    let (column, id) =
      switch group {
      case .album(let id): ("p.album", id)
      case .track(let id): ("t.id", id)
      }
    let find = try connection.statement(
      """
      SELECT t.id, f.path, t.name, t.size, t.modified, t.range_start, t.range_end, t.duration
      FROM track t JOIN part p ON p.id = t.part JOIN folder f ON f.id = t.folder
      WHERE \(column) = ? AND NOT \(FolderAvailability.isOffline) ORDER BY t.part, t.place
      """, id)
    return try find.map { row in
      let start = row.integer(5) ?? -1
      return UnmeasuredTrack(
        id: row.integer(0) ?? 0, path: FilePath(bytes: row.blob(1)).appending(row.blob(2)), size: row.integer(3) ?? 0,
        modified: row.integer(4) ?? 0, range: start < 0 ? nil : CueRange(start: start, end: row.integer(6)),
        duration: row.integer(7).map(MediaTime.init(nanoseconds:)))
    }
  }
}

extension LibraryWriter {
  /// Stores measurements, with the stamps of the files to which they belong.
  public func putLoudness(_ measured: [(track: UnmeasuredTrack, gain: ReplayGain)]) throws(StoreError) {
    let insert = try connection.statement("INSERT OR REPLACE INTO loudness VALUES (?, ?, ?, ?, ?, ?, ?)")
    for (track, gain) in measured {
      try insert.run(
        track.id, track.size, track.modified, gain.trackGain, gain.trackPeak, gain.albumGain, gain.albumPeak)
    }
  }

  /// Removes the measurements of tracks that are no longer in the index.
  public func pruneLoudness() throws(StoreError) {
    try connection.execute("DELETE FROM loudness WHERE track NOT IN (SELECT id FROM track)")
  }
}
