internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// The part of the queue that MPRIS' track list shows: all of a short one, and of a long one what was played last and is
/// played next ("a short list of tracks", says the specification).
@MainActor
struct TrackListWindow {
  private(set) var tracks: [Track] = []
  /// What of the queue they were taken from.
  private var version: UInt64?
  private var start = 0

  /// Stands for no track.
  static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
  private static let most = 100
  /// So many of a long queue lie before the current one.
  private static let played = 20

  var paths: [String] { tracks.map { MPRISTrack.path(of: $0.id) } }

  /// Takes over what has changed; the signals that say so.
  @discardableResult
  mutating func follow(_ player: Player) -> [(name: String, values: [BusValue])] {
    let status = player.status
    let start = ((status.index ?? 0) - Self.played).clamped(to: 0...max(0, status.length - Self.most))
    guard status.version != version || start != self.start else { return [] }
    (version, self.start) = (status.version, start)
    let before = tracks
    tracks = player.page(offset: start, limit: Self.most).tracks
    guard tracks.map(\.id) == before.map(\.id) else {
      let current = status.track.map { MPRISTrack.path(of: $0.id) } ?? Self.none
      return [("TrackListReplaced", [.paths(paths), .path(current)])]
    }
    return zip(before, tracks).compactMap { before, now in
      guard now != before else { return nil }
      let entries = TrackMetadata.entries(of: now)
      guard entries != TrackMetadata.entries(of: before) else { return nil }
      return ("TrackMetadataChanged", [.path(MPRISTrack.path(of: now.id)), .dictionary(entries)])
    }
  }
}
