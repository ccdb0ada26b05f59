internal import SegueLibrary
internal import SeguePulse
internal import SegueSystem
public import SegueWire

/// Modes, volume, sleep timer, output. A mode's change is on disk before its answer.
extension Player {
  public func setRepeat(_ mode: RepeatMode, then: @escaping Completion<Status>) {
    queue.repeatMode = mode
    modesChanged(then: then)
  }

  public func setShuffle(_ mode: ShuffleMode, then: @escaping Completion<Status>) {
    queue.shuffle = mode
    modesChanged(then: then)
  }

  public func setConsume(_ on: Bool, then: @escaping Completion<Status>) {
    queue.consume = on
    modesChanged(then: then)
  }

  private func modesChanged(then: @escaping Completion<Status>) {
    plan()
    note(.player)
    keeper.save([.modes(queue.savedModes)]) { [weak self] in
      if let self { then(.success(self.status)) }
    }
  }

  public func setVolume(_ change: VolumeChange, then: @escaping Completion<VolumeState>) {
    var wanted = volume
    switch change.level {
    case nil: break
    case .level(let level): wanted.volume = level
    case .delta(let delta): wanted.volume = (wanted.volume + delta).clamped(to: 0...100)
    }
    if let muted = change.muted { wanted.muted = muted }
    if wanted.volume != volume.volume { engine.sink.send(.volume(percent: wanted.volume)) }
    if wanted.muted != volume.muted { engine.sink.send(.mute(wanted.muted)) }
    if wanted != volume { volumeAwaitingEcho = wanted }
    volume = wanted
    note(.player)
    saveVolume { then(.success(wanted)) }
  }

  /// Somebody turned the stream's volume at the server.
  func hear(_ state: VolumeState) {
    // The server's echoes of earlier changes are late news until that of the last one has come.
    if let awaited = volumeAwaitingEcho {
      if state == awaited { volumeAwaitingEcho = nil }
      return
    }
    guard state != volume else { return }
    volume = VolumeState(volume: state.volume.clamped(to: 0...100), muted: state.muted)
    note(.player)
    saveVolume {}
  }

  private func saveVolume(then: @escaping @MainActor @Sendable () -> Void) {
    keeper.save([.volume(SavedVolume(level: volume.volume, muted: volume.muted))], then: then)
  }

  /// nil turns it off.
  public func setSleep(_ sleep: Sleep?, then: @escaping Completion<Status>) {
    sleeper.set(sleep)
    sleepChanged { [weak self] in
      if let self { then(.success(self.status)) }
    }
  }

  /// The time is up.
  func fallAsleep() {
    Log.info("the sleep timer stops the music")
    dispatch(.stop)
    keeper.savePlayhead()
    sleepChanged {}
  }

  func sleepChanged(then: @escaping @MainActor @Sendable () -> Void) {
    plan()
    note(.player)
    keeper.save([.sleep(sleeper.saved)], then: then)
  }

  /// The server opens no stream of this kind, on any sink.
  func hear(refusal reason: String) {
    Log.error("the sound server opens no stream: \(reason); paused")
    dispatch(.refused)
  }

  public func outputs(then: @escaping Completion<OutputList>) { engine.sink.list(then: then) }

  /// nil: the server's default. A name the server does not know is refused, and nothing changes.
  public func setOutput(_ device: String?, then: @escaping Completion<OutputList>) {
    moveOutput(to: device) { [weak self] failure in
      if let failure { then(.failure(failure)) } else { self?.engine.sink.list(then: then) }
    }
  }

  /// `then` hears why not.
  func moveOutput(to device: String?, then: @escaping @MainActor @Sendable (Failure?) -> Void) {
    engine.sink.list { [weak self] result in
      guard let self else { return }
      let list: OutputList
      switch result {
      case .success(let found): list = found
      case .failure(let failure): return then(failure)
      }
      if let device, !list.outputs.contains(where: { $0.name == device }) {
        let names = list.outputs.map(\.name).joined(separator: ", ")
        return then(Failure(.notFound, "no output is called \(device); there are \(names)"))
      }
      // The choice may be the old one, and the stream elsewhere: somebody moved it at the server.
      if device == configuration.device { engine.sink.send(.device(device)) }
      choose([(.device, .text(device))]) { then(nil) }
    }
  }
}
