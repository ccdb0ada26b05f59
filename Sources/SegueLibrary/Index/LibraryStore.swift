// Any thread may call this. Its work is done on three threads, each started with its first job and waited for by nobody
// but `close`: "index" owns the connection that writes, "search" and "lookup" one each that reads (WAL: they never wait
// for a writer's transaction). All may block in SQLite.

public import SegueSystem
public import SegueWire
internal import Synchronization

/// What was found in the music folders and what the user made of it: favourites, ratings, plays, searches, bookmarks.
/// One SQLite file of its own, so that a scan never delays a queue's save.
public final class LibraryStore: Sendable {
  private let index: SerialThread<LibraryConnection<LibraryWriter>>
  private let search: SerialThread<LibraryConnection<LibraryReader>>
  private let lookup: SerialThread<LibraryConnection<LibraryReader>>

  private let file: LibraryFile
  private let onSettled = Mutex<@Sendable () -> Void>({})

  /// Opens nothing yet. The folder of `path` is made when it is needed.
  public init(path: FilePath) {
    let file = LibraryFile(path: path)
    self.file = file
    index = SerialThread(name: "index") { LibraryConnection(file, cache: 16_384) }
    // An answer about very many tracks comes from some hundred pages of the file, and the next one from many of the same.
    search = SerialThread(name: "search", whenIdle: Self.release) {
      LibraryConnection(file, cache: 20_480, isKept: true)
    }
    lookup = SerialThread(name: "lookup") { LibraryConnection(file) }
  }

  /// What was kept for the next question.
  private static let release: SerialThread<LibraryConnection<LibraryReader>>.Job = { connection in
    connection.releaseMemory()
    CurrentProcess.trimHeap()
  }

  /// Reads. `body` and `answer` run on the thread "search", one after another; `body` sees one state of the library.
  /// What fails is answered in words for whoever asked, of kind `unavailable`.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value,
    _ answer: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    search.post { connection in answer(connection.run(body)) }
  }

  /// The same on the thread "lookup", which waits for nobody's search: for what is found by its number or its URI, and
  /// holds up what is to be played.
  public func lookUp<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value,
    _ answer: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    lookup.post { connection in answer(connection.run(body)) }
  }

  /// Writes, in one transaction: all of `body` or, if it throws, nothing. `body` and `answer` run on the thread
  /// "index", the answer once what was written survives the death of the process.
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (LibraryWriter) throws(StoreError) -> Value,
    _ answer: @escaping @Sendable (Result<Value, Failure>) -> Void
  ) {
    index.post { [self] connection in
      answer(connection.run(body))
      guard let writer = connection.role, writer.isSettling, !writer.isScanning, !writer.isSettleDue else { return }
      writer.isSettleDue = true
      settle()
    }
  }

  /// Behind what waits already: the user's own changes come first.
  private func settle() {
    index.post { [self] connection in
      let isTelling = connection.role?.isTelling == true
      let settled = connection.run { writer throws(StoreError) in try writer.settle() }
      let goesOn = if case .success(true) = settled { true } else { false }
      if isTelling || !goesOn { onSettled.withLock(\.self)() }
      if goesOn { return settle() }
      // A scan that began meanwhile goes on with what is remembered.
      guard connection.role?.isScanning != true else { return }
      if connection.role?.hasToldMany == true { connection.reopen() }
      CurrentProcess.trimHeap()
    }
  }

  /// Calls `then` on the thread "index" whenever the search was told of what a scan found, and when it is in order.
  public func onSearchUpdate(_ then: @escaping @Sendable () -> Void) { onSettled.withLock { $0 = then } }

  /// Calls `then` when the file was broken and a new one was begun, which has none of what was found. On one of the
  /// threads of the library, in the middle of its work: `then` may ask nothing of it.
  func onRecreation(_ then: @escaping @Sendable () -> Void) { file.onRecreation(then) }

  /// Waits until all that was asked for is done, and lets go of the file.
  public func close() {
    search.close()
    lookup.close()
    index.close()
  }
}
