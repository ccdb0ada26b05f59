internal import SegueLibrary
internal import SegueLink
internal import SegueSystem
public import SegueWire

extension Player {
  /// The state now, the position being the audible one.
  public var status: Status {
    // The ear may have crossed a joint since the last timer.
    var heard = engine.sink.position
    if let generation = heard?.generation, transport.plan.dropFirst().contains(where: { $0.generation == generation }) {
      dispatch(.audible(generation))
      heard = engine.sink.position
    }
    let now = MonotonicTime.now
    let track: Track? = queue.currentIndex.map { self.track(at: $0) }
    var position: MediaTime? = track == nil ? nil : .zero
    var isAdvancing = false
    switch transport.state {
    case .stopped:
      // Playback would begin at this position.
      position = queue.current.map(beginning)
    case .dormant(_, let time), .lost(_, let time): position = time
    case .active(let plan, let isPaused):
      position = plan[0].start
      if let heard, heard.generation == plan[0].generation {
        position = heard.time
        // The sink's clock may start before its news of the stream has come through the loop.
        isAdvancing = heard.isAdvancing && !isPaused && engine.sink.output.state == .open
      }
    }
    return Status(
      state: transport.playState, position: position, duration: track?.duration, durationKind: track?.durationKind,
      monotonic: heard?.at ?? now, rate: isAdvancing ? 1 : 0, track: track, index: queue.currentIndex,
      length: queue.count, version: queue.version, volume: volume.volume, muted: volume.muted,
      repeatMode: queue.repeatMode, shuffle: queue.shuffle, consume: queue.consume, sleep: sleeper.setting,
      output: output, audio: currentInfo?.audio)
  }

  public var summary: QueueSummary { QueueSummary(version: queue.version, length: queue.count) }

  /// `limit` is kept to 1…1,000. An offset beyond the end gives an empty page.
  public func page(offset: Int, limit: Int) -> QueuePage {
    let start = offset.clamped(to: 0...queue.count)
    let entries = queue.page(offset: start, limit: limit.clamped(to: 1...1_000))
    return QueuePage(
      tracks: entries.indices.map { track(at: $0) }, total: queue.count, offset: start, version: queue.version)
  }

  /// Returns the page that begins with the entry `id`. Throws `no_such_track` if the queue has none.
  public func page(from id: UInt64, limit: Int) throws(Failure) -> QueuePage {
    guard let index = queue.index(of: EntryID(id)) else { throw noTrack(withID: id) }
    return page(offset: index, limit: limit)
  }

  private var output: Output {
    var output = engine.sink.output
    switch transport.state {
    case .lost: output.state = .lost
    // The next try is under way.
    case .active(_, isPaused: false) where output.errorKind == .noSink: output.state = .lost
    case .stopped, .dormant, .active: break
    }
    if output.state != .lost { output.errorKind = nil }
    output.latency = engine.sink.latency
    output.error = output.error ?? engine.trouble
    // Nothing is tried any more. While the stream is still open, an error is that of another device.
    if case .stopped = transport.state, output.state != .open { output.error = nil }
    return output
  }

  private func track(at index: Int) -> Track {
    let entry = queue.entries[index]
    var metadata = entry.metadata
    if metadata.title == nil { metadata.title = MediaURI.displayName(of: entry.uri) }
    if entry.uri == artwork.track, let cover = artwork.cover { metadata.art = cover }
    return Track(
      id: entry.id.number, index: index, uri: entry.uri, duration: entry.duration, durationKind: entry.durationKind,
      metadata: metadata, favorite: library.isFavorite(entry.uri), error: entry.failure?.message,
      errorKind: entry.failure?.kind)
  }
}
