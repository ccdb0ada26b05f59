internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The labels of the volume, the playback modes, the speed and the sleep timer, such as `repeat all`. Each is a label
/// of its own.
enum ModeLabels {
  static func volume(_ percent: Int, isMuted: Bool) -> String {
    isMuted ? tr("volume %1$d%% (muted)", percent) : tr("volume %1$d%%", percent)
  }

  static func repeating(_ mode: RepeatMode) -> String {
    switch mode {
    case .off: tr("repeat off")
    case .one: tr("repeat one")
    case .all: tr("repeat all")
    }
  }

  static func shuffle(_ mode: ShuffleMode) -> String {
    switch mode {
    case .off: tr("shuffle off")
    case .tracks: tr("shuffle tracks")
    case .albums: tr("shuffle albums")
    }
  }

  static func gain(_ mode: GainMode) -> String {
    switch mode {
    case .off: tr("gain off")
    case .track: tr("gain track")
    case .album: tr("gain album")
    case .auto: tr("gain auto")
    }
  }

  static func consume(_ isOn: Bool) -> String { isOn ? tr("consume on") : tr("consume off") }

  /// Returns the label of the crossfade, whose duration is in seconds; 0 stands for none.
  static func crossfade(_ seconds: Int) -> String {
    seconds == 0 ? tr("crossfade off") : tr("crossfade %1$d s", seconds)
  }

  static func speed(_ speed: PlaybackSpeed) -> String { tr("speed %1$s", decimalText(speed.description)) }

  /// Returns the label of the sleep timer, which may be off.
  static func sleep(_ status: Status, at now: MonotonicTime) -> String {
    switch status.sleep {
    case nil: tr("sleep off")
    case .after(.track): tr("sleep after this track")
    case .after(.album): tr("sleep after this album")
    case .after(.queue): tr("sleep at the end of the queue")
    case .seconds(let left): tr("sleep in %1$s", status.timeToSleep(left, at: now).clock)
    }
  }

  /// Returns the line of `status` about a sleep timer that is set.
  static func sleepLine(_ sleep: Sleep, _ status: Status, at now: MonotonicTime) -> String {
    switch sleep {
    case .after(.track): tr("sleep: after this track")
    case .after(.album): tr("sleep: after this album")
    case .after(.queue): tr("sleep: at the end of the queue")
    case .seconds(let left): tr("sleep: in %1$s", status.timeToSleep(left, at: now).clock)
    }
  }
}

extension PlayState {
  /// The state as a word for people.
  var label: String {
    switch self {
    case .playing: tr("playing")
    case .paused: tr("paused")
    case .stopped: tr("stopped")
    }
  }
}
