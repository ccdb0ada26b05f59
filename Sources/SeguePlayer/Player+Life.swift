internal import SegueLibrary
internal import SegueLink
internal import SeguePulse
internal import SegueSystem
public import SegueWire

/// From the start to the orderly end.
extension Player {
  /// Takes up where the last daemon left off.
  func restore(_ saved: SavedState) {
    sleeper.restore(saved.sleep)
    if let device = configuration.device { engine.sink.send(.device(device)) }
    if configuration.fade > .zero { engine.sink.send(.fade(configuration.fade)) }
    if saved.volume != SavedVolume() {
      engine.sink.send(.volume(percent: volume.volume))
      engine.sink.send(.mute(volume.muted))
    }
    guard let number = saved.playhead.entry, queue.setCurrent(EntryID(number)) else { return }
    let (entry, position) = (EntryID(number), saved.playhead.position)
    if let current = queue.currentEntry, saved.playhead.state != .stopped {
      leave(current.uri, current.duration, at: position)
    }
    switch (saved.playhead.state, configuration.restore) {
    case (.stopped, _), (_, .stopped): break
    case (.playing, .resume): dispatch(.play(entry, from: position))
    case (.playing, .paused), (.paused, .paused), (.paused, .resume): dispatch(.restored(entry, at: position))
    }
  }

  /// Has the music folders scanned, and kept an eye on: once the daemon is ready.
  public func startLibrary() {
    library.start(folders: configuration.effectiveMusicFolders)
    // What the last daemon did not come to.
    noteUnprobed(0..<queue.count)
    followArt()
  }

  /// The player's share of `daemon.stats`.
  public func count(into counters: inout Counters) {
    counters.underruns = engine.sink.output.underruns
    counters.reconnects = engine.sink.output.reconnects
    counters.workersStarted = pool.started
    counters.workersLost = pool.lost
    counters.bytesDecoded = engine.bytesDecoded
    counters.sandboxLacks = pool.lacking.map { $0.map(\.rawValue).sorted() }
    counters.saveError = keeper.trouble
  }

  /// Saves, and lets go of worker, stream and threads. The daemon ends after it: it waits for the disk.
  public func shutdown() {
    leaveHeard()
    keeper.close()
    engine.shutdown()
    library.close()
    covers.close()
    files.close()
  }

  /// All that is kept, for a store that lost it.
  var everything: @Sendable () -> [StateChange] {
    let rows = queue.makingOrders(for: .all)
    let rest: [StateChange] =
      [
        .queueOrigin(filling.beginning), .modes(queue.savedModes), .playhead(playhead),
        .volume(SavedVolume(level: volume.volume, muted: volume.muted)),
        .sleep(sleeper.saved),
      ] + settings.chosen.map { .setting($0.key, $0.value) }
    return { rows() + rest }
  }

  /// Where playing stands.
  var playhead: SavedPlayhead {
    let status = status
    return SavedPlayhead(
      entry: queue.current?.number, position: status.position ?? .zero,
      // Of a machine that does not wake up, what was wanted.
      state: isHaltedForSleep && status.state == .paused ? .playing : status.state, time: .now)
  }
}
