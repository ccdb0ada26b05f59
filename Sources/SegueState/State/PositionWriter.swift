// Thread: any. The thread "position" writes the file, and may block in the file system. Only `close` waits for it.
// `pending` is guarded by its mutex.

public import SegueSystem
internal import Synchronization

/// A writer that keeps the position file off the loop. The runtime folder should be in memory. On systems where it is
/// on a disk, a rename may wait for seconds while other programs write.
public final class PositionWriter: Sendable {
  public typealias Completion = @Sendable (Result<Void, SystemError>) -> Void

  private let file: PositionFile
  private let thread = SerialThread<Void>(name: "position") {}
  /// The newest position that is not written yet. It replaces an older one.
  private let pending = Mutex<Request?>(nil)

  private struct Request {
    let playhead: SavedPlayhead
    let completion: Completion
  }

  public init(_ file: PositionFile) { self.file = file }

  /// Writes `playhead`, and then calls `completion` on the thread "position". Does neither if a later call replaces the
  /// playhead before.
  public func write(_ playhead: SavedPlayhead, _ completion: @escaping Completion) {
    let isFirst = pending.withLock { pending in
      defer { pending = Request(playhead: playhead, completion: completion) }
      return pending == nil
    }
    if isFirst { thread.post { [self] _ in writeNewest() } }
  }

  private func writeNewest() {
    let newest = pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
    guard let newest else { return }
    newest.completion(Result { () throws(SystemError) in try file.write(newest.playhead) })
  }

  /// Waits until everything is written, and ends the thread.
  public func close() { thread.close() }
}
