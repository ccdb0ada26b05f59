public import SegueLibrary
internal import SeguePulse
internal import SegueSystem
public import SegueWire

/// From the start to the orderly end.
extension Player {
  /// Takes up where the last daemon left off.
  func restore(_ saved: SavedState) {
    sleeper.restore(saved.sleep)
    if let device = saved.device ?? configuration.device { engine.sink.send(.device(device)) }
    noteUnprobed(queue.entries.lazy.filter { !$0.probed && $0.error == nil }.map(\.id))
    guard let number = saved.playhead.entry, queue.setCurrent(EntryID(number)) else { return }
    let (entry, position) = (EntryID(number), saved.playhead.position)
    switch (saved.playhead.state, configuration.restore) {
    case (.stopped, _), (_, .stopped): break
    case (.playing, .resume): dispatch(.play(entry, from: position))
    case (.playing, .paused), (.paused, .paused), (.paused, .resume): dispatch(.restored(entry, at: position))
    }
  }

  /// Fills the queue of a daemon that was given something to play, or that has nothing: from the music folder then.
  public func fill(from uris: [String]) {
    let folder = configuration.musicFolder ?? MusicFolder.path
    let uris = uris.isEmpty && queue.isEmpty ? [FileURI.encode(folder)] : uris
    guard !uris.isEmpty else { return }
    add(uris, at: .end, play: false) { result in
      guard case .success(let result) = result else { return }
      for refusal in result.failed { Log.warning("\(refusal.uri): \(refusal.failure.message)") }
      Log.info("\(result.added.count) tracks added to the queue")
    }
  }

  /// Takes what may change while running.
  public func reconfigure(_ configuration: Configuration) {
    if configuration.device != self.configuration.device { engine.sink.send(.device(configuration.device)) }
    self.configuration = configuration
  }

  /// The player's share of `daemon.stats`.
  public func count(into counters: inout Counters) {
    counters.underruns = engine.sink.output.underruns
    counters.reconnects = engine.sink.output.reconnects
    counters.workersStarted = pool.started
    counters.workersLost = pool.lost
    counters.bytesDecoded = engine.bytesDecoded
  }

  /// Saves, and lets go of worker, stream and threads. The daemon ends after it: it waits for the disk.
  public func shutdown() {
    keeper.close()
    engine.shutdown()
    files.close()
  }

  /// Where playing stands.
  var playhead: SavedPlayhead {
    let status = status
    return SavedPlayhead(
      entry: queue.current?.number, position: status.position ?? .zero, state: status.state, time: .now)
  }
}
