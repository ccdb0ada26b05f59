// Thread: any. Its work is done on the thread "scan", which owns the walk, inotify and the workers' sockets: one poll
// loop, asleep when nothing happens. It may block in the file system; only `close` waits for it.

public import SegueLibrary
public import SegueSystem

/// The limits of a scan.
public struct ScanLimits: Sendable {
  /// The time that a worker may take for one file.
  public var fileTimeout = MediaTime.seconds(5)
  /// The time without further changes after which a walk looks at the changes.
  public var debounceInterval = MediaTime.milliseconds(500)
  /// The time after which a walk looks at the changes even if there are further ones.
  public var maximumDelay = MediaTime.seconds(5)
  /// The time between walks through everything where not every folder can be watched.
  public var walkInterval = MediaTime.seconds(900)
  /// The number of folders to watch at most; the kernel may allow fewer.
  public var maximumWatches = Int.max
  /// The number of workers at a time; nil for the number of processors.
  public var workers: Int?

  public init() {}
}

/// A scanner that keeps the index up to date with the music folders: it walks through them, has workers read new and
/// changed files, and watches for changes.
public final class LibraryScanner: Sendable {
  enum Command: Sendable {
    /// `paths`: nil for all music folders. `completion` is called after the walk.
    case scan(_ paths: [FilePath]?, completion: (@Sendable () -> Void)?)
    case setFolders([FilePath])
    case close
  }

  private let thread: SerialThread<Void>
  private let commands: MessageQueue<Command>

  /// Starts to scan `folders`, which are absolute paths. `worker` is the path of the worker program. `onFilesRead` runs
  /// on the thread "scan" with each batch of files that is about to be stored in the index, `onStatus` on the same
  /// thread, a few times a second while something changes.
  public init(
    store: LibraryStore, worker: FilePath, folders: [FilePath], limits: ScanLimits = ScanLimits(),
    onFilesRead: @escaping @Sendable ([ScannedFile]) -> Void = { _ in },
    onStatus: @escaping @Sendable (ScanStatus) -> Void
  ) throws(SystemError) {
    commands = try MessageQueue()
    thread = SerialThread(name: "scan") {}
    commands.post(.setFolders(folders))
    thread.post { [commands] _ in
      let loop = ScanLoop(
        store, worker: worker, limits, commands: commands, onFilesRead: onFilesRead, onStatus: onStatus)
      loop.run()
    }
  }

  /// Scans `paths`, folders or files in the music folders, or all music folders. Files that have not changed are not
  /// opened. `completion` runs on the thread "scan" after the walk, whether it succeeds or fails; it does not run if
  /// the scanner is closed before. Any thread may call this.
  public func scan(_ paths: [FilePath]? = nil, completion: (@Sendable () -> Void)? = nil) {
    commands.post(.scan(paths, completion: completion))
  }

  /// Replaces the music folders. Tracks in other folders are removed from the index. Any thread may call this.
  public func reconfigure(folders: [FilePath]) { commands.post(.setFolders(folders)) }

  /// Ends the scan. Files that were read are stored in the index. Waits for the thread, and so for the disk.
  public func close() {
    commands.post(.close)
    thread.close()
  }
}
