internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// The interface `org.mpris.MediaPlayer2.TrackList`: a window of the queue.
///
/// The window contains all tracks of a short queue; of a long one, it contains the last tracks before the current one
/// and the next ones. The specification asks for "a short list of tracks".
@MainActor
final class MPRISTrackList {
  private let player: Player
  private var tracks: [QueueEntry] = []
  /// The version of the queue from which the window was read.
  private var version: UInt64?
  /// The position of the window in the queue.
  private var start = 0

  static let name = MPRIS.name + ".TrackList"
  /// The path that stands for no track.
  private static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"
  private static let maximumCount = 100
  /// The number of tracks of a long queue that are shown before the current one.
  private static let countBeforeCurrent = 20

  init(_ player: Player) { self.player = player }

  private var paths: [String] { tracks.map { MPRISTrack.path(of: $0.id) } }

  /// Reads the window again if the queue or the current track has changed, and returns the signals that report the
  /// changes.
  @discardableResult
  func update() -> [(name: String, values: [BusValue])] {
    let status = player.status
    let last = max(0, status.length - Self.maximumCount)
    let start = ((status.index ?? 0) - Self.countBeforeCurrent).clamped(to: 0...last)
    guard status.version != version || start != self.start else { return [] }
    (version, self.start) = (status.version, start)
    let before = tracks
    tracks = player.page(offset: start, limit: Self.maximumCount).tracks
    guard tracks.map(\.id) == before.map(\.id) else {
      let current = status.track.map { MPRISTrack.path(of: $0.id) } ?? Self.noTrack
      return [("TrackListReplaced", [.paths(paths), .path(current)])]
    }
    return zip(before, tracks).compactMap { before, now in
      guard now != before else { return nil }
      let entries = TrackMetadata.entries(of: now)
      guard entries != TrackMetadata.entries(of: before) else { return nil }
      return ("TrackMetadataChanged", [.path(MPRISTrack.path(of: now.id)), .dictionary(entries)])
    }
  }

  var interface: BusInterface {
    BusInterface(
      name: Self.name, methods: methods,
      properties: [
        .init(name: "Tracks", type: "ao", changeSignal: .invalidation),
        .init(name: "CanEditTracks", type: "b", changeSignal: .constant),
      ],
      signals: [
        .init(name: "TrackListReplaced", arguments: [("Tracks", "ao"), ("CurrentTrack", "o")]),
        .init(name: "TrackMetadataChanged", arguments: [("TrackId", "o"), ("Metadata", "a{sv}")]),
      ],
      values: { [unowned self] in ["Tracks": .paths(paths), "CanEditTracks": .boolean(true)] })
  }

  private var methods: [BusInterface.Method] {
    [
      .init(
        name: "GetTracksMetadata", inputs: [("TrackIds", "ao")], outputs: [("Metadata", "aa{sv}")]
      ) { [unowned self] arguments, call in
        guard case .paths(let requested) = arguments[0] else { return }
        // Each track is returned once, even if it is requested several times.
        var known = Dictionary(uniqueKeysWithValues: tracks.map { (MPRISTrack.path(of: $0.id), $0) })
        let found = requested.compactMap { known.removeValue(forKey: $0) }
        call.reply([.dictionaries(found.map(TrackMetadata.entries))])
      },
      .init(
        name: "AddTrack", inputs: [("Uri", "s"), ("AfterTrack", "o"), ("SetAsCurrent", "b")]
      ) { [unowned self] arguments, call in
        guard case .string(let uri) = arguments[0], case .path(let predecessor) = arguments[1],
          case .boolean(let play) = arguments[2]
        else { return }
        player.add([uri], at: placement(after: predecessor), play: play) { result in
          if case .success(let added) = result, added.added.isEmpty, let refusal = added.failed.listed.first {
            return call.fail(BusError(refusal.failure))
          }
          call.completion()(result)
        }
      },
      .init(name: "RemoveTrack", inputs: [("TrackId", "o")]) { [unowned self] arguments, call in
        guard case .path(let path) = arguments[0], let id = MPRISTrack.id(of: path) else { return call.reply() }
        player.remove([id], then: call.completion(ignoring: .noSuchTrack))
      },
      .init(name: "GoTo", inputs: [("TrackId", "o")]) { [unowned self] arguments, call in
        guard case .path(let path) = arguments[0], let id = MPRISTrack.id(of: path) else { return call.reply() }
        player.play(.id(id), then: call.completion(ignoring: .noSuchTrack))
      },
    ]
  }

  /// Returns the place in the queue after the track with `path`: the start of the queue if `path` stands for no track,
  /// and the end of the queue if `path` is not the path of a track.
  private func placement(after path: String) -> Placement {
    path == Self.noTrack ? .index(0) : MPRISTrack.id(of: path).map { .after($0) } ?? .end
  }
}
