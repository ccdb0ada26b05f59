internal import SegueLoop
internal import SeguePlayer
internal import SegueWire

/// `org.mpris.MediaPlayer2.TrackList`: the queue around what is heard.
extension MPRIS {
  var trackList: BusInterface {
    BusInterface(
      name: Self.trackListName, methods: trackListMethods,
      properties: [
        .init(name: "Tracks", type: "ao", announcement: .invalidation),
        .init(name: "CanEditTracks", type: "b", announcement: .constant),
      ],
      signals: [
        .init(name: "TrackListReplaced", gives: [("Tracks", "ao"), ("CurrentTrack", "o")]),
        .init(name: "TrackMetadataChanged", gives: [("TrackId", "o"), ("Metadata", "a{sv}")]),
      ],
      values: { [unowned self] in ["Tracks": .paths(tracks.paths), "CanEditTracks": .boolean(true)] })
  }

  private var trackListMethods: [BusInterface.Method] {
    [
      .init(
        name: "GetTracksMetadata", takes: [("TrackIds", "ao")], gives: [("Metadata", "aa{sv}")]
      ) { [unowned self] arguments, call in
        guard case .paths(let asked) = arguments[0] else { return }
        // Each once, however often it is asked for.
        var known = Dictionary(uniqueKeysWithValues: tracks.tracks.map { (MPRISTrack.path(of: $0.id), $0) })
        let found = asked.compactMap { known.removeValue(forKey: $0) }
        call.reply([.dictionaries(found.map(TrackMetadata.entries))])
      },
      .init(
        name: "AddTrack", takes: [("Uri", "s"), ("AfterTrack", "o"), ("SetAsCurrent", "b")]
      ) { [unowned self] arguments, call in
        guard case .string(let uri) = arguments[0], case .path(let neighbour) = arguments[1],
          case .boolean(let play) = arguments[2]
        else { return }
        player.add([uri], at: place(behind: neighbour), play: play) { result in
          if case .success(let added) = result, added.added.isEmpty, let refusal = added.failed.listed.first {
            return call.fail(BusError(refusal.failure))
          }
          call.done()(result)
        }
      },
      .init(name: "RemoveTrack", takes: [("TrackId", "o")]) { [unowned self] arguments, call in
        guard case .path(let path) = arguments[0], let id = MPRISTrack.id(of: path) else { return call.reply() }
        player.remove([id], then: call.done(ignoring: .noSuchTrack))
      },
      .init(name: "GoTo", takes: [("TrackId", "o")]) { [unowned self] arguments, call in
        guard case .path(let path) = arguments[0], let id = MPRISTrack.id(of: path) else { return call.reply() }
        player.play(.id(id), then: call.done(ignoring: .noSuchTrack))
      },
    ]
  }

  /// Behind no track is the beginning; behind one that is not in the list any more, the end.
  private func place(behind path: String) -> Placement {
    if path == TrackListWindow.none { return .index(0) }
    guard let id = MPRISTrack.id(of: path), let track = tracks.tracks.first(where: { $0.id == id }) else {
      return .end
    }
    return .index(track.index + 1)
  }
}
