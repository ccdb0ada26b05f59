public import SegueLoop
internal import SegueSystem
public import SegueWire

/// The player: what the queue holds, what is heard, and everything that can be asked of both. Loop thread.
@MainActor
public final class Player {
  /// Called after every change, at most once a topic and turn of the loop.
  public var onChange: (@MainActor (Topic) -> Void)?

  public init(loop: EventLoop) {}

  public var status: Status {
    Status(
      state: .stopped, position: nil, duration: nil, durationKind: nil, monotonic: .now, rate: 0, track: nil,
      index: nil,
      length: 0, version: 0, volume: 100, muted: false, repeatMode: .all, shuffle: .off, consume: false, sleep: nil,
      output: Output(), audio: nil)
  }

  public var summary: QueueSummary { QueueSummary(version: 0, length: 0) }

  /// `limit` is kept to 1…1,000. An offset beyond the end gives an empty page.
  public func page(offset: Int, limit: Int) -> QueuePage { QueuePage(tracks: [], total: 0, offset: offset, version: 0) }

  public func play(_ target: PlayTarget, then: @escaping Completion<Status>) { then(.success(status)) }
  public func pause(then: @escaping Completion<Status>) { then(.success(status)) }
  public func toggle(then: @escaping Completion<Status>) { then(.success(status)) }
  public func stop(then: @escaping Completion<Status>) { then(.success(status)) }
  public func next(then: @escaping Completion<Status>) { then(.success(status)) }
  public func previous(then: @escaping Completion<Status>) { then(.success(status)) }
  public func seek(_ target: SeekTarget, then: @escaping Completion<Status>) { then(.success(status)) }

  public var volume: VolumeState { VolumeState(volume: 100, muted: false) }
  public func setVolume(_ change: VolumeChange, then: @escaping Completion<VolumeState>) { then(.success(volume)) }

  public func setRepeat(_ mode: RepeatMode, then: @escaping Completion<Status>) { then(.success(status)) }
  public func setShuffle(_ mode: ShuffleMode, then: @escaping Completion<Status>) { then(.success(status)) }
  public func setConsume(_ on: Bool, then: @escaping Completion<Status>) { then(.success(status)) }
  /// nil turns it off.
  public func setSleep(_ sleep: Sleep?, then: @escaping Completion<Status>) { then(.success(status)) }

  public func add(
    _ uris: [String], at placement: Placement, play: Bool, then: @escaping Completion<AddResult>
  ) { then(.success(AddResult(added: [], failed: [], version: 0))) }
  public func replace(with uris: [String], then: @escaping Completion<AddResult>) {
    then(.success(AddResult(added: [], failed: [], version: 0)))
  }
  public func remove(_ ids: [UInt64], then: @escaping Completion<QueueSummary>) { then(.success(summary)) }
  public func move(_ ids: [UInt64], to index: Int, then: @escaping Completion<QueueSummary>) { then(.success(summary)) }
  public func clear(then: @escaping Completion<QueueSummary>) { then(.success(summary)) }

  public func outputs(then: @escaping Completion<OutputList>) { then(.success(OutputList(outputs: []))) }
  /// nil: the server's default.
  public func setOutput(_ device: String?, then: @escaping Completion<OutputList>) { outputs(then: then) }

  /// The player's share of `daemon.stats`.
  public func count(into counters: inout Counters) {}

  /// Saves and lets go of worker, stream and threads; `then` is called when all is on disk.
  public func shutdown(then: @escaping @MainActor () -> Void) { then() }
}
