internal import SegueLibrary
internal import SegueSystem
internal import SegueWire

/// What is heard, for whoever counts it.
extension Player {
  /// Before and after whatever happens to the transport, and when a track may have been played.
  func observeHearing() {
    let entry = transport.entry
    counter.follow(entry, uri: entry.flatMap { queue.entry($0)?.uri })
    guard let item = transport.plan.first, let known = queue.entry(item.entry) else { return }
    let heard = engine.sink.position.map { (generation: $0.generation, time: $0.time) }
    counter.hear(
      item, heard, of: known.durationKind == .unbounded ? nil : known.duration,
      isPlaying: transport.playState == .playing)
  }

  /// Keeps that `entry` was played, with what is known of it by now.
  func notePlay(of entry: EntryID, _ uri: String) {
    let info = queue.entry(entry)?.info
    library.addPlay(
      of: uri,
      info.map { PlayedFacts($0.metadata, duration: $0.duration, durationKind: $0.durationKind) } ?? PlayedFacts())
  }

  /// `entry` passed: the next one is heard, or nothing.
  func finishHearing(_ entry: EntryID) {
    let known = queue.entry(entry)
    // One that broke off midway was not heard to its end.
    counter.finish(entry, at: known?.failure == nil && known?.durationKind == .exact ? known?.duration : nil)
  }
}
