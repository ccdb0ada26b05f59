internal import SegueLibrary
internal import SeguePulse
internal import SegueSystem
internal import SegueWire

/// The sleep of the machine, which is no wish of the user's that music stops.
extension Player {
  /// The machine is about to sleep: what plays stands still, as where the sound server wants silence for a while. `then`
  /// is called when the stream has stopped and the place is saved, as far as that can be done.
  public func prepareForSleep(then: @escaping @MainActor @Sendable () -> Void) {
    // The machine does not wait for a fade, nor hears the rest of one when it wakes.
    defer { if configuration.fade > .zero { engine.sink.send(.settle) } }
    guard transport.playState == .playing else { return then() }
    dispatch(.corkRequested)
    isHaltedForSleep = transport.playState == .paused
    keeper.savePlayhead { [weak self] in
      // What is asked of the server after the halt is answered after it.
      guard let self else { return then() }
      engine.sink.list { _ in then() }
    }
  }

  /// It is awake again: what played until it slept plays on, unless somebody has wanted something else meanwhile.
  public func wake() {
    guard isHaltedForSleep else { return }
    isHaltedForSleep = false
    dispatch(.uncorkRequested)
    keeper.savePlayhead()
  }
}
