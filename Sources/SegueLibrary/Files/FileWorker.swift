// Any thread may call this. The work is done on two threads, each started with its first job: "files" walks folders and
// reads playlists, which can take minutes; "open" opens what is to be played, which must not wait for that. Neither owns
// anything between jobs, and nobody waits for them but `close`.

public import SegueSystem
public import SegueWire
internal import Synchronization

/// Blocking work on files, kept off the loop.
public final class FileWorker: Sendable {
  private let walker = SerialThread<Void>(name: "files") {}
  private let opener = SerialThread<Void>(name: "open") {}

  public init() {}

  /// What `resolve` tells.
  public enum Progress: Sendable {
    case found(FoundBatch)
    /// Last, exactly once; `cancelled` if it was cut short.
    case finished(cancelled: Bool)
  }

  /// Takes back a `resolve`. Any thread.
  public final class Ticket: Sendable {
    private let flag = Atomic(false)

    public func cancel() { flag.store(true, ordering: .relaxed) }
    var isCancelled: Bool { flag.load(ordering: .relaxed) }
  }

  /// Finds what `uris` stand for: files, folders, playlists, streams, in their order. `report` runs on the thread "files".
  @discardableResult
  public func resolve(_ uris: [String], _ report: @escaping @Sendable (Progress) -> Void) -> Ticket {
    let ticket = Ticket()
    walker.post { _ in report(.finished(cancelled: false)) }
    return ticket
  }

  /// Opens a file for playing. `answer` runs on the thread "open". The descriptor is of a regular file, for reading,
  /// close-on-exec.
  public func open(_ path: FilePath, _ answer: @escaping @Sendable (Result<OpenFile, Failure>) -> Void) {
    opener.post { _ in answer(.failure(Failure(.notFound, ""))) }
  }

  /// Cuts short what is being resolved, answers what waits, and ends the threads.
  public func close() {
    walker.close()
    opener.close()
  }
}

/// An open file on its way from thread to thread.
public final class OpenFile: Sendable {
  public let path: FilePath
  private let descriptor: Descriptor

  init(path: FilePath, descriptor: consuming Descriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  /// The number; valid for as long as this object lives.
  public var raw: Int32 { descriptor.raw }

  /// A descriptor of one's own for the same open file.
  public func duplicate() throws(SystemError) -> Descriptor { try descriptor.duplicate() }
}
