// Any thread may call this. Its work is done on the thread "scan", which owns the walk, inotify and the workers'
// sockets: one poll loop, asleep when nothing happens. It may block in the file system; nobody waits for it but
// `close`. `orders` and `current` are guarded by their mutexes.

public import SegueSystem
internal import Synchronization

/// Keeps the index as the music folders are: walks them, has workers look into what is new, and listens for changes.
public final class LibraryScanner: Sendable {
  enum Order {
    /// nil for all of the music folders; what is to be called when that is done.
    case scan([FilePath]?, then: (@Sendable () -> Void)?)
    case folders([FilePath])
    case close
  }

  private let thread: SerialThread<Void>
  private let wake: EventCounter
  private let orders = Mutex<[Order]>([])
  private let current = Mutex(ScanStatus())

  /// Begins at once, with a walk through `folders` (absolute). `worker` is the program. `found` and `report` run on the
  /// thread "scan": with each portion of files that were looked into, on its way to the index; a few times a second
  /// while something changes.
  public init(
    store: LibraryStore, worker: FilePath, folders: [FilePath], limits: ScanLimits = ScanLimits(),
    found: @escaping @Sendable ([ScannedFile]) -> Void = { _ in }, report: @escaping @Sendable (ScanStatus) -> Void
  ) throws(SystemError) {
    wake = try EventCounter()
    thread = SerialThread(name: "scan") {}
    orders.withLock { $0 = [.folders(folders)] }
    thread.post { [self] _ in
      let loop = ScanLoop(
        store, worker: worker, limits, wake: wake, orders: { [self] in takeOrders() }, found: found,
        report: { [self] status in
          current.withLock { $0 = status }
          report(status)
        })
      loop.run()
    }
  }

  /// Walks through `paths`, folders or files in the music folders, or through all of them. What has not changed is not
  /// opened. `then` runs on the thread "scan" when that is done, or has failed; never if the scanner is closed before.
  /// Any thread.
  public func scan(_ paths: [FilePath]? = nil, then: (@Sendable () -> Void)? = nil) { order(.scan(paths, then: then)) }

  /// From now on these are the music folders: what others held leaves the index. Any thread.
  public func reconfigure(folders: [FilePath]) { order(.folders(folders)) }

  /// Any thread.
  public var status: ScanStatus { current.withLock { $0 } }

  /// Ends what is being done: what was looked into is kept. Waits for the thread, and so for the disk.
  public func close() {
    order(.close)
    thread.close()
  }

  private func order(_ order: Order) {
    orders.withLock { $0.append(order) }
    wake.raise()
  }

  private func takeOrders() -> [Order] {
    orders.withLock { orders in
      defer { orders = [] }
      return orders
    }
  }
}
