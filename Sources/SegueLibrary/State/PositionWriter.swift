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
  private let waiting = Mutex(Waiting())

  private struct Waiting {
    /// The newest; what came before it need not be written any more.
    var playhead: SavedPlayhead?
    var answers: [Answer] = []
  }

  public init(_ file: PositionFile) { self.file = file }

  /// Writes `playhead`, or a later one in its place. `answer` runs on the thread "position".
  public func write(_ playhead: SavedPlayhead, _ answer: @escaping Answer) {
    let isFirst = waiting.withLock { waiting in
      defer { waiting.playhead = playhead }
      waiting.answers.append(answer)
      return waiting.playhead == nil
    }
    if isFirst { thread.post { [self] _ in writeNewest() } }
  }

  private func writeNewest() {
    let newest = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting
    }
    guard let playhead = newest.playhead else { return }
    let result = Result { () throws(SystemError) in try file.write(playhead) }
    for answer in newest.answers { answer(result) }
  }

  /// Waits until all is written, and ends the thread.
  public func close() { thread.close() }
}
