// On the thread of its connection only.

internal import SegueSystem
public import SegueWire

extension LibraryReader {
  /// Returns the measured loudness of a track, if its file has not changed since the measurement.
  public func loudness(_ uri: String) throws(StoreError) -> ReplayGain {
    guard case .file(let path, let range) = try? MediaURI(uri) else { return ReplayGain() }
    let find = try connection.statement(
      """
      SELECT track_gain, track_peak, album_gain, album_peak FROM track t JOIN loudness l ON l.track = t.id
      WHERE t.folder = (SELECT id FROM folder WHERE path = ?) AND t.name = ? AND t.range_start = ?
        AND l.size = t.size AND l.modified = t.modified
      """)
    find.bind(1, blob: path.parent.bytes)
    find.bind(2, blob: Array(path.lastComponent))
    find.bind(3, range?.start ?? -1)
    defer { find.reset() }
    guard try find.step() else { return ReplayGain() }
    return ReplayGain(
      trackGain: find.real(0), trackPeak: find.real(1), albumGain: find.real(2), albumPeak: find.real(3))
  }
}
