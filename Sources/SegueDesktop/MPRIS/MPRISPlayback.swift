internal import SegueLoop
internal import SeguePlayer
internal import SegueSystem
internal import SegueWire

/// The interface `org.mpris.MediaPlayer2.Player`: the current track and its playback.
@MainActor
struct MPRISPlayback {
  let player: Player

  static let name = MPRIS.name + ".Player"

  var interface: BusInterface {
    BusInterface(
      name: Self.name, methods: methods, properties: properties,
      signals: [.init(name: "Seeked", arguments: [("Position", "x")])], values: { values })
  }

  // MARK: Methods

  private var methods: [BusInterface.Method] {
    [
      // Without a track, these calls have no effect (MPRIS 2.2).
      .init(name: "Next") { _, call in player.next(by: .chapter, then: call.completion(ignoring: .emptyQueue)) },
      .init(name: "Previous") { _, call in
        player.previous(by: .chapter, then: call.completion(ignoring: .emptyQueue))
      },
      .init(name: "Pause") { _, call in player.pause(then: call.completion(ignoring: .emptyQueue)) },
      .init(name: "PlayPause") { _, call in player.toggle(then: call.completion(ignoring: .emptyQueue)) },
      .init(name: "Stop") { _, call in player.stop(then: call.completion(ignoring: .emptyQueue)) },
      .init(name: "Play") { _, call in player.play(then: call.completion(ignoring: .emptyQueue)) },
      .init(name: "Seek", inputs: [("Offset", "x")]) { arguments, call in
        guard case .int64(let offset) = arguments[0] else { return }
        player.seek(.offset(MediaTime(microseconds: offset)), then: call.completion())
      },
      .init(name: "SetPosition", inputs: [("TrackId", "o"), ("Position", "x")]) { arguments, call in
        guard case .path(let track) = arguments[0], case .int64(let position) = arguments[1] else { return }
        // A call for a track that is no longer current has no effect.
        player.synchronize()
        guard let current = player.status.track?.id, MPRISTrack.id(of: track) == current else { return call.reply() }
        player.seek(.position(MediaTime(microseconds: position)), then: call.completion(ignoring: .outOfRange))
      },
      .init(name: "OpenUri", inputs: [("Uri", "s")]) { arguments, call in
        guard case .string(let uri) = arguments[0] else { return }
        player.play(.uri(uri), then: call.completion())
      },
    ]
  }

  // MARK: Properties

  private var properties: [BusInterface.Property] {
    [
      .init(name: "PlaybackStatus", type: "s"),
      .init(name: "LoopStatus", type: "s") { value, done in
        guard case .string(let word) = value, let mode = RepeatMode(mprisName: word) else {
          return done(BusError(.invalidArguments, "LoopStatus must be None, Track or Playlist"))
        }
        player.setRepeat(mode) { done(BusError($0)) }
      },
      .init(name: "Rate", type: "d") { value, done in
        guard case .double(let rate) = value, !rate.isNaN else {
          return done(BusError(.invalidArguments, "Rate must be a number from 0.5 to 3"))
        }
        if rate == 0 { return player.pause { done(BusError($0)) } }
        player.setSpeed(.factor(PlaybackSpeed(clamping: rate))) { done(BusError($0)) }
      },
      .init(name: "Shuffle", type: "b") { value, done in
        let isOn = player.status.shuffle != .off
        // Shuffling by albums counts as shuffling.
        guard value != .boolean(isOn) else { return done(nil) }
        player.setShuffle(isOn ? .off : .tracks) { done(BusError($0)) }
      },
      .init(name: "Metadata", type: "a{sv}"),
      .init(name: "Volume", type: "d") { value, done in
        guard case .double(let volume) = value, !volume.isNaN else {
          return done(BusError(.invalidArguments, "Volume must be a number from 0 to 1"))
        }
        let level = Int((volume.clamped(to: 0...1) * 100).rounded())
        // MPRIS has no mute state, so a volume above 0 unmutes the output.
        player.setVolume(VolumeRequest(.level(level), muted: level > 0 ? false : nil)) { done(BusError($0)) }
      },
      .init(name: "Position", type: "x", changeSignal: .never),
      .init(name: "MinimumRate", type: "d", changeSignal: .constant),
      .init(name: "MaximumRate", type: "d", changeSignal: .constant),
      .init(name: "CanGoNext", type: "b"),
      .init(name: "CanGoPrevious", type: "b"),
      .init(name: "CanPlay", type: "b"),
      .init(name: "CanPause", type: "b"),
      .init(name: "CanSeek", type: "b"),
      .init(name: "CanControl", type: "b", changeSignal: .never),
    ]
  }

  private var values: [String: BusValue] {
    player.synchronize()
    let status = player.status
    // These capabilities do not depend on the playback state: some panels hide a player that cannot play.
    let hasTracks = BusValue.boolean(status.length > 0)
    return [
      "PlaybackStatus": .string(status.state.mprisName),
      "LoopStatus": .string(status.repeatMode.mprisName),
      "Rate": .double(status.mprisRate), "MinimumRate": .double(PlaybackSpeed.slowest.factor),
      "MaximumRate": .double(PlaybackSpeed.fastest.factor),
      "Shuffle": .boolean(status.shuffle != .off),
      "Metadata": .dictionary(status.track.map(TrackMetadata.entries) ?? []),
      "Volume": .double(Double(status.volume) / 100),
      "Position": .int64(status.mprisPosition(at: .now).microseconds),
      "CanGoNext": .boolean(player.canGoNext), "CanGoPrevious": .boolean(player.canGoPrevious),
      "CanPlay": hasTracks, "CanPause": hasTracks,
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
