// Any thread may call this. The file is written on the thread "position", which may block in the file system; nobody waits
// for it, except `close`. `waiting` is guarded by its mutex.

public import SegueSystem
internal import Synchronization

/// Writes a position file off the loop. The runtime folder should be in memory, but where a system has none it lies on a
/// disk, and there a rename waits for seconds while other programs write.
public final class PositionWriter: Sendable {
  public typealias Answer = @Sendable (Result<Void, SystemError>) -> Void

  private let file: PositionFile
  private let thread = SerialThread<Void>(name: "position") {}
  /// The newest position that is not written yet. It takes the place of an older one.
  private let waiting = Mutex<Note?>(nil)

  private struct Note {
    let playhead: SavedPlayhead
    let answer: Answer
  }

  public init(_ file: PositionFile) { self.file = file }

  /// Writes `playhead`, and then calls `answer` on the thread "position", unless a later one takes its place before.
  public func write(_ playhead: SavedPlayhead, _ answer: @escaping Answer) {
    let isFirst = waiting.withLock { waiting in
      defer { waiting = Note(playhead: playhead, answer: answer) }
      return waiting == nil
    }
    if isFirst { thread.post { [self] _ in writeNewest() } }
  }

  private func writeNewest() {
    let newest = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    guard let newest else { return }
    newest.answer(Result { () throws(SystemError) in try file.write(newest.playhead) })
  }

  /// Waits until all is written, and ends the thread.
  public func close() { thread.close() }
}
