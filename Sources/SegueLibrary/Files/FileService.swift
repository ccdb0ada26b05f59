// Any thread may call this. The work is done on two threads, each started with its first job: "files" walks folders and
// reads playlists, which can take minutes; "open" opens what is to be played, which must not wait for that. Neither
// owns anything between jobs, and nobody waits for them but `close`. `resolving` is guarded by its mutex.

internal import Glibc
public import SegueSystem
public import SegueWire
internal import Synchronization

/// Blocking work on files, kept off the loop.
public final class FileService: Sendable {
  private let walker = SerialThread<Void>(name: "files") {}
  private let opener = SerialThread<Void>(name: "open") {}
  private let resolving = Mutex<[Ticket]>([])
  private let worker: FilePath

  /// `worker`: the program that reads what is in a charset that nothing names.
  public init(worker: FilePath) { self.worker = worker }

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

  /// Finds what `uris` stand for, in their order: files, folders (walked to the bottom), playlists, streams. `report`
  /// runs on the thread "files", a folder or at most a thousand entries at a time. One resolve is done after another.
  @discardableResult
  public func resolve(_ uris: [String], _ report: @escaping @Sendable (Progress) -> Void) -> Ticket {
    let ticket = Ticket()
    resolving.withLock { $0.append(ticket) }
    walker.post { [self] _ in
      Resolver(ticket, CharsetConverter(program: worker), report).run(uris)
      resolving.withLock { $0.removeAll { $0 === ticket } }
    }
    return ticket
  }

  /// Opens a file for playing. `answer` runs on the thread "open". The file is a regular one, open for reading and
  /// close-on-exec; a pipe, device, socket or folder is refused, and never waited for.
  public func open(_ path: FilePath, _ answer: @escaping @Sendable (Result<OpenFile, Failure>) -> Void) {
    opener.post { _ in
      let opened = Result { () throws(SystemError) in OpenFile(path: path, descriptor: try RegularFile.open(path)) }
      answer(opened.mapError { Failure($0, path) })
    }
  }

  /// Which of `paths` cannot be had, and why. `answer` runs on the thread "open".
  public func check(_ paths: [FilePath], _ answer: @escaping @Sendable ([FilePath: Failure]) -> Void) {
    opener.post { _ in
      var failures: [FilePath: Failure] = [:]
      for path in paths {
        do throws(SystemError) {
          _ = try FileKind(path)
        } catch {
          failures[path] = Failure(error, path)
        }
      }
      answer(failures)
    }
  }

  /// Cuts short what is being resolved, answers all that waits, and ends the threads.
  public func close() {
    for ticket in resolving.withLock({ $0 }) { ticket.cancel() }
    walker.close()
    opener.close()
  }
}
