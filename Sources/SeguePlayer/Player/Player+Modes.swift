internal import SegueOutput
internal import SegueState
internal import SegueSystem
public import SegueWire

/// Modes, speed, volume, sleep timer and output. A change of a mode is on disk before the response to its request.
extension Player {
  public func setRepeat(_ mode: RepeatMode, then: @escaping Completion<Status>) {
    changeModes({ $0.repeatMode = mode }, then: then)
  }

  public func setShuffle(_ mode: ShuffleMode, then: @escaping Completion<Status>) {
    changeModes({ $0.shuffle = mode }, then: then)
  }

  public func setConsume(_ on: Bool, then: @escaping Completion<Status>) {
    changeModes({ $0.consume = on }, then: then)
  }

  private func changeModes(_ change: (inout PlayQueue) -> Void, then: @escaping Completion<Status>) {
    queue.setModes(change)
    playback.plan()
    notifier.notify(.player)
    queue.saveModes { [weak self] in self?.complete(then) }
  }

  /// Changes the speed of playback, which is audible at once. The sum of a difference and the speed is limited to the
  /// possible speeds.
  public func setSpeed(_ change: SpeedRequest.Change, then: @escaping Completion<Status>) {
    let speed =
      switch change {
      case .factor(let speed): speed
      case .delta(let difference): PlaybackSpeed(clamping: playback.speed.factor + difference)
      }
    playback.setSpeed(speed) { [weak self] in self?.complete(then) }
  }

  public func setVolume(_ change: VolumeRequest, then: @escaping Completion<VolumeState>) {
    volumeControl.set(change, then: then)
  }

  /// Sets the sleep timer. nil turns it off.
  public func setSleep(_ sleep: Sleep?, then: @escaping Completion<Status>) {
    playback.setSleepTimer(sleep) { [weak self] in self?.complete(then) }
  }

  public func outputs(then: @escaping Completion<OutputList>) {
    engine.sink.list { [weak self] result in
      then(
        result.map { list in
          var list = list
          list.chosen = self?.settings.configuration.device
          return list
        })
    }
  }

  /// Moves playback to another sink, nil for the server's default. If the server has no sink of that name, nothing
  /// changes.
  public func setOutput(_ device: String?, then: @escaping Completion<OutputList>) {
    moveOutput(to: device) { [weak self] failure in
      if let failure { then(.failure(failure)) } else { self?.outputs(then: then) }
    }
  }

  /// Moves playback to another sink. `then` receives the failure, nil if there is none.
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
        return then(Failure(.notFound, "output “\(device)” not found; available: \(names)"))
      }
      // The stream may be on another sink than the chosen one, if a user has moved it at the server.
      if device == self.settings.configuration.device { self.engine.sink.send(.device(device)) }
      self.choose([(.device, .text(device))]) { then(nil) }
    }
  }
}
