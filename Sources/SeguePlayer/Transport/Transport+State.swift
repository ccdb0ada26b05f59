internal import SegueWire
internal import SegueWorkerProtocol

extension Transport {
  /// The reason why playback is paused; nil if it is not.
  var pause: PauseReason? {
    switch state {
    case .active(_, let pause): pause
    case .dormant(_, _, let pause): pause
    case .stopped, .lost: nil
    }
  }

  /// The track that is played, or would be if that were possible; nil while stopped.
  var track: Track? {
    switch state {
    case .stopped: nil
    case .dormant(let track, _, _), .lost(let track, _): track
    case .active(let plan, _): plan[0].track
    }
  }

  var playState: PlayState {
    switch state {
    case .stopped: .stopped
    case .dormant, .active(_, pause: _?): .paused
    case .active(_, pause: nil), .lost: .playing
    }
  }

  /// The state that users have requested: a pause of the server or for the sleep of the machine ends by itself.
  var requestedState: PlayState {
    switch pause {
    case .server, .sleep: .playing
    case .user, nil: playState
    }
  }

  /// Whether the position advances, or will as soon as there is sound.
  var isAdvancing: Bool {
    if case .active(_, pause: nil) = state { true } else { false }
  }

  /// Returns the state of the stream that is the current track; nil while a recording plays, and while nothing plays.
  /// - Parameters:
  ///   - isAdvancing: Whether the position advances, which may be known before the event that the sound is audible.
  ///   - hasOutput: Whether sound can be played.
  func streamState(isAdvancing: Bool, hasOutput: Bool) -> StreamStatus.State? {
    guard case .active(let plan, pause: nil) = state else { return nil }
    if isAdvancing || plan[0].isAudible { return plan[0].info?.durationKind == .unbounded ? .live : nil }
    // A stream that was opened again follows what was decoded of it before.
    let last = plan.dropFirst().prefix(while: \.isContinuation).last ?? plan[0]
    if last.phase == .opening || last.isInterrupted { return .connecting }
    return hasOutput ? .buffering : nil
  }
}
