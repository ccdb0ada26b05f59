// Thread: the loop.

internal import SegueFiles
internal import SegueOutput
internal import SegueRing
internal import SegueState
internal import SegueSystem
internal import SegueWire

/// The progress of playback, as observers see it: the position in the current track, and the state of its stream.
@MainActor
final class PlaybackProgress {
  private let queue: QueueController
  private let engine: Engine
  private let bookmarks: Bookmarks

  /// A playback position at a time of the monotonic clock.
  struct Position {
    /// The position in the track; nil without a current entry.
    var time: MediaTime?
    var isAdvancing = false
    /// The speed at which the track is played, while the position advances.
    var speed = PlaybackSpeed.normal
    var measuredAt: MonotonicTime
  }

  init(queue: QueueController, engine: Engine, bookmarks: Bookmarks) {
    self.queue = queue
    self.engine = engine
    self.bookmarks = bookmarks
  }

  func position(in transport: Transport) -> Position {
    let audible = engine.sink.latestPosition
    var position = Position(
      time: queue.contents.currentIndex == nil ? nil : .zero, measuredAt: audible?.at ?? MonotonicTime.now)
    switch transport.state {
    case .stopped:
      // Playback would start at this position.
      position.time = queue.contents.currentEntry.map(bookmarks.startPosition)
    case .dormant(_, let time, _), .lost(_, let time): position.time = time
    case .active(let plan, let pause):
      position.time = plan[0].start
      if let audible, audible.generation == plan[0].generation {
        (position.time, position.speed) = (audible.time, audible.speed)
        // The sink's clock may start before its event about the stream arrives.
        position.isAdvancing = audible.isAdvancing && pause == nil && engine.sink.output.state == .open
      }
    }
    return position
  }

  /// Returns the state of the current track's stream; nil for a file, and without a current track.
  func streamStatus(in transport: Transport, at position: Position) -> StreamStatus? {
    guard let entry = queue.contents.currentEntry, !MediaURI.isFile(entry.uri) else { return nil }
    let track = transport.track.flatMap { $0.entry == entry.id ? $0 : nil }
    var buffered = transport.plan.isEmpty ? .zero : engine.buffered
    // What follows the track may be decoded, too.
    if let end = entry.duration, let time = position.time {
      buffered = min(buffered, position.speed.time(toPlay: max(.zero, end - time)))
    }
    return StreamStatus(
      state: streamState(in: transport, at: position), buffered: buffered, station: track?.station)
  }

  func streamState(in transport: Transport, at position: Position) -> StreamStatus.State? {
    guard let track = transport.track, !MediaURI.isFile(track.uri) else { return nil }
    return transport.streamState(
      isAdvancing: position.isAdvancing, hasOutput: engine.sink.output.errorKind == nil)
  }
}
