// Thread: any. The work is done on two threads, each started with its first job: "files" walks folders and reads
// playlists, which can take minutes; "open" opens files for playing, which must not wait for that. Neither owns
// anything between jobs, and only `close` waits for them. `resolving` is guarded by its mutex.

internal import Glibc
public import SegueSystem
public import SegueWire
internal import Synchronization

/// A service for work on files that blocks, done outside the loop thread.
public final class FileService: Sendable {
  private let walker = SerialThread<Void>(name: "files") {}
  private let opener = SerialThread<Void>(name: "open") {}
  private let resolving = Mutex<[ResolveTask]>([])
  private let worker: FilePath

  /// `worker`: the path of the worker program, which detects and converts charsets.
  public init(worker: FilePath) { self.worker = worker }

  /// An event of `resolve`.
  public enum Progress: Sendable {
    case found(FoundBatch)
    /// The last event.
    case finished(cancelled: Bool)
  }

  /// A running `resolve`, which can be cancelled. Any thread may call this.
  public final class ResolveTask: Sendable {
    private let flag = Atomic(false)

    public func cancel() { flag.store(true, ordering: .relaxed) }
    var isCancelled: Bool { flag.load(ordering: .relaxed) }
  }

  /// Finds the tracks that `uris` stand for, in their order: files, folders with everything below them, playlists,
  /// streams. `onProgress` runs on the thread "files", for each folder and for each thousand entries. Tasks run one
  /// after another.
  @discardableResult
  public func resolve(_ uris: [String], _ onProgress: @escaping @Sendable (Progress) -> Void) -> ResolveTask {
    let task = ResolveTask()
    resolving.withLock { $0.append(task) }
    walker.post { [self] _ in
      Resolver(task, CharsetConverter(program: worker), onProgress).run(uris)
      resolving.withLock { $0.removeAll { $0 === task } }
    }
    return task
  }

  /// Opens a regular file for playing, read-only and close-on-exec. Fails for a pipe, device, socket or folder without
  /// blocking on it. `completion` runs on the thread "open".
  public func open(_ path: FilePath, _ completion: @escaping @Sendable (Result<OpenFile, Failure>) -> Void) {
    opener.post { _ in
      let opened = Result { () throws(SystemError) in OpenFile(path: path, descriptor: try RegularFile.open(path)) }
      completion(opened.mapError { Failure($0, path) })
    }
  }

  /// Finds the `paths` that are no tracks, because they do not exist, are not accessible, or are folders, devices or
  /// playlists, and the reasons. `completion` runs on the thread "open".
  public func check(
    _ paths: some Collection<FilePath> & Sendable, _ completion: @escaping @Sendable ([FilePath: Failure]) -> Void
  ) {
    opener.post { _ in
      var failures: [FilePath: Failure] = [:]
      for path in paths {
        do throws(SystemError) {
          switch try FileKind(path) {
          case .file:
            if case .playlist = MediaKind(path) {
              failures[path] = Failure(.unplayable, "\(path): a playlist, not a track")
            }
          case .folder: throw SystemError("open", path.description, code: EISDIR)
          case .special: throw SystemError("open", path.description, code: ENXIO)
          }
        } catch {
          failures[path] = Failure(error, path)
        }
      }
      completion(failures)
    }
  }

  /// Cancels all tasks, completes all requests, and ends the threads.
  public func close() {
    for task in resolving.withLock({ $0 }) { task.cancel() }
    walker.close()
    opener.close()
  }
}
