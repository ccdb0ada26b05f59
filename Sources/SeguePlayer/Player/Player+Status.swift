internal import SegueFiles
internal import SegueSystem
public import SegueWire
internal import SegueWorkerProtocol

extension Player {
  /// The state, with the audible position. Right after a track boundary, it is exact only if `synchronize` was called.
  public var status: Status {
    let queue = queue.contents
    let track: QueueEntry? = queue.currentIndex.map { self.track(at: $0) }
    let position = playback.position
    return Status(
      state: playback.transport.playState, position: position.time, duration: track?.duration,
      durationKind: track?.durationKind, monotonic: position.measuredAt,
      rate: position.isAdvancing ? position.speed.factor : 0, track: track, index: queue.currentIndex,
      length: queue.count, version: queue.version, volume: volume.volume, muted: volume.muted,
      repeatMode: queue.repeatMode, shuffle: queue.shuffle, consume: queue.consume, speed: playback.speed,
      sleep: sleepTimer.setting, output: output, audio: playback.currentInfo?.audio,
      stream: playback.streamStatus(at: position), next: playback.nextIndex.map { self.track(at: $0) })
  }

  /// Handles a track boundary that playback has crossed since the last event.
  public func synchronize() { playback.synchronize() }

  /// Completes a request with the state after it.
  func complete(_ then: Completion<Status>) {
    synchronize()
    then(.success(status))
  }

  /// The reason why changes cannot be saved at the moment; nil if the last change was saved.
  public var saveError: String? { persistence.saveError }

  public var volume: VolumeState { volumeControl.volume }

  public var summary: QueueSummary { queue.summary }

  /// Returns a page of the queue, empty if `offset` is beyond the end. `limit` is clamped to 1…1,000.
  public func page(offset: Int, limit: Int) -> QueuePage {
    let steps = queue.steps
    let queue = queue.contents
    let start = offset.clamped(to: 0...queue.count)
    let entries = queue.page(offset: start, limit: limit.clamped(to: 1...1_000))
    return QueuePage(
      tracks: entries.indices.map { track(at: $0) }, total: queue.count, offset: start, version: queue.version,
      duration: queue.entries.rows.duration, steps: steps)
  }

  /// Returns the page that begins with the entry `id`. Throws `no_such_track` if the queue has none.
  public func page(from id: UInt64, limit: Int) throws(Failure) -> QueuePage {
    guard let index = queue.contents.index(of: EntryID(id)) else { throw noTrack(withID: id) }
    return page(offset: index, limit: limit)
  }

  private var output: Output {
    var output = engine.output(for: playback.transport.state)
    output.latency = engine.sink.latency
    return output
  }

  private func track(at index: Int) -> QueueEntry {
    let entry = queue.contents.entries[index]
    var metadata = entry.metadata
    if metadata.title == nil { metadata.title = MediaURI.displayName(of: entry.uri) }
    if let cover = currentCover.uri(of: entry.uri) { metadata.art = cover }
    return QueueEntry(
      id: entry.id.number, index: index, uri: entry.uri, duration: entry.duration, durationKind: entry.durationKind,
      metadata: metadata, favorite: favorites.contains(entry.uri), rating: ratings.value(of: entry.uri),
      error: entry.failure?.localizableMessage, errorKind: entry.failure?.kind)
  }
}
