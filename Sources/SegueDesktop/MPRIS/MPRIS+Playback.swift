internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// `org.mpris.MediaPlayer2.Player`: what is heard.
extension MPRIS {
  var playback: BusInterface {
    BusInterface(
      name: Self.playbackName, methods: playbackMethods, properties: playbackProperties,
      signals: [.init(name: "Seeked", gives: [("Position", "x")])],
      values: { [unowned self] in playbackValues })
  }

  // MARK: Methods

  private var playbackMethods: [BusInterface.Method] {
    [
      .init(name: "Next") { [unowned self] _, call in player.next(by: .chapter, then: call.done()) },
      .init(name: "Previous") { [unowned self] _, call in player.previous(by: .chapter, then: call.done()) },
      .init(name: "Pause") { [unowned self] _, call in player.pause(then: call.done()) },
      .init(name: "PlayPause") { [unowned self] _, call in player.toggle(then: call.done()) },
      .init(name: "Stop") { [unowned self] _, call in player.stop(then: call.done()) },
      .init(name: "Play") { [unowned self] _, call in player.play(.resume, then: call.done()) },
      .init(name: "Seek", takes: [("Offset", "x")]) { [unowned self] arguments, call in
        guard case .int64(let offset) = arguments[0] else { return }
        player.seek(.offset(MediaTime(microseconds: offset)), then: call.done())
      },
      .init(name: "SetPosition", takes: [("TrackId", "o"), ("Position", "x")]) { [unowned self] arguments, call in
        guard case .path(let track) = arguments[0], case .int64(let position) = arguments[1] else { return }
        // It was meant for a track that has passed meanwhile.
        guard let current = player.status.track?.id, MPRISTrack.id(of: track) == current else { return call.reply() }
        player.seek(.position(MediaTime(microseconds: position)), then: call.done(ignoring: .outOfRange))
      },
      .init(name: "OpenUri", takes: [("Uri", "s")]) { [unowned self] arguments, call in
        guard case .string(let uri) = arguments[0] else { return }
        player.play(.uri(uri), then: call.done())
      },
    ]
  }

  // MARK: Properties

  private var playbackProperties: [BusInterface.Property] {
    [
      .init(name: "PlaybackStatus", type: "s"),
      .init(name: "LoopStatus", type: "s") { [unowned self] value, done in
        guard case .string(let word) = value, let mode = RepeatMode(mprisName: word) else {
          return done(BusError(.invalidArguments, "LoopStatus is None, Track or Playlist"))
        }
        player.setRepeat(mode) { done(BusError($0)) }
      },
      .init(name: "Rate", type: "d") { [unowned self] value, done in
        // One speed is all there is; 0 is another word for a pause.
        guard value == .double(0) else { return done(nil) }
        player.pause { done(BusError($0)) }
      },
      .init(name: "Shuffle", type: "b") { [unowned self] value, done in
        let isOn = player.status.shuffle != .off
        // By albums is shuffled as well.
        guard value != .boolean(isOn) else { return done(nil) }
        player.setShuffle(isOn ? .off : .tracks) { done(BusError($0)) }
      },
      .init(name: "Metadata", type: "a{sv}"),
      .init(name: "Volume", type: "d") { [unowned self] value, done in
        guard case .double(let volume) = value, !volume.isNaN else {
          return done(BusError(.invalidArguments, "Volume is a number from 0 to 1"))
        }
        let level = Int((volume.clamped(to: 0...1) * 100).rounded())
        // There is no muting here: who turns it up wants to hear it.
        player.setVolume(VolumeChange(level: .level(level), muted: level > 0 ? false : nil)) { done(BusError($0)) }
      },
      .init(name: "Position", type: "x", announcement: .never),
      .init(name: "MinimumRate", type: "d", announcement: .constant),
      .init(name: "MaximumRate", type: "d", announcement: .constant),
      .init(name: "CanGoNext", type: "b"),
      .init(name: "CanGoPrevious", type: "b"),
      .init(name: "CanPlay", type: "b"),
      .init(name: "CanPause", type: "b"),
      .init(name: "CanSeek", type: "b"),
      .init(name: "CanControl", type: "b", announcement: .never),
    ]
  }

  private var playbackValues: [String: BusValue] {
    let status = player.status
    // What can be done does not depend on whether it plays: some panels show no player that cannot play.
    let hasTracks = BusValue.boolean(status.length > 0)
    return [
      "PlaybackStatus": .string(status.state.mprisName),
      "LoopStatus": .string(status.repeatMode.mprisName),
      "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1),
      "Shuffle": .boolean(status.shuffle != .off),
      "Metadata": .dictionary(status.track.map(TrackMetadata.entries) ?? []),
      "Volume": .double(Double(status.volume) / 100),
      "Position": .int64(status.mprisPosition(at: .now).microseconds),
      "CanGoNext": hasTracks, "CanGoPrevious": hasTracks, "CanPlay": hasTracks, "CanPause": hasTracks,
      "CanSeek": .boolean(player.isSeekable),
      "CanControl": .boolean(true),
    ]
  }
}

extension RepeatMode {
  fileprivate init?(mprisName: String) {
    guard let mode = Self.allCases.first(where: { $0.mprisName == mprisName }) else { return nil }
    self = mode
  }
}
