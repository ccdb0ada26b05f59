internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The commands of playback and those that take back changes of the queue, which are the same on every screen.
enum PlaybackCommands {
  /// The part of the track that is skipped by a key.
  private static let part = 0.1

  /// Returns a sentence that says why a command cannot be performed now; nil if it can.
  static func reasonDisabled(_ command: Command, _ state: SharedState) -> String? {
    guard state.isConnected, let status = state.status else { return PlaybackMessages.noDaemon }
    switch command {
    case .toggle, .next, .previous, .shuffleNow: return status.length == 0 ? PlaybackMessages.emptyQueue(state) : nil
    case .stop: return status.state == .stopped ? PlaybackMessages.alreadyStopped : nil
    case _ where Command.seeks.contains(command):
      if status.state == .stopped { return tr("Playback is stopped. Start it to seek.") }
      return status.durationKind == .unbounded ? PlaybackMessages.seekInLiveStream : nil
    case .louder: return status.volume == 100 ? tr("The volume is already at its maximum.") : nil
    case .quieter: return status.volume == 0 ? tr("The volume is already zero.") : nil
    case .slower: return status.speed == .slowest ? tr("This is the lowest speed, 0.5.") : nil
    case .faster: return status.speed == .fastest ? tr("This is the highest speed, 3.") : nil
    case .resetSpeed: return status.speed == .normal ? tr("The speed is already the original one.") : nil
    default: return nil
    }
  }

  /// Returns the call of a command; nil if it makes none, or is not one of `Command.playback`.
  static func call(for command: Command, _ state: SharedState) -> DaemonCall? {
    guard let status = state.status else { return nil }
    return switch command {
    case .toggle: .toggle
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .seekForward: .seekBy(.seconds(5))
    case .seekBackward: .seekBy(.seconds(-5))
    case .seekForwardHalfMinute: .seekBy(.seconds(30))
    case .seekBackwardHalfMinute: .seekBy(.seconds(-30))
    case .seekForwardMinute: .seekBy(.seconds(60))
    case .seekBackwardMinute: .seekBy(.seconds(-60))
    case .seekForwardPart: state.progress.map { .seekTo(fraction: min(1, $0 + part)) }
    case .seekBackwardPart: state.progress.map { .seekTo(fraction: max(0, $0 - part)) }
    case .stopAfterTrack: .sleep(status.sleep == .after(.track) ? .off : .after(.track))
    case .louder: .changeVolume(5)
    case .quieter: .changeVolume(-5)
    case .mute: .mute(!status.muted)
    case .cycleRepeat: .setRepeat(status.repeatMode.following)
    case .cycleShuffle: .setShuffle(status.shuffle.following)
    case .toggleConsume: .setConsume(!status.consume)
    case .slower: .changeSpeed(-0.1)
    case .faster: .changeSpeed(0.1)
    case .resetSpeed: .resetSpeed
    case .undo: .undo
    case .redo: .redo
    case .shuffleNow: .changeQueue(.init(request: QueueShuffleNowRequest()))
    default: nil
    }
  }
}

extension CaseIterable where Self: Equatable, AllCases.Index == Int {
  /// The case after this one, or the first one after the last.
  var following: Self {
    let all = Self.allCases
    return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
  }
}
