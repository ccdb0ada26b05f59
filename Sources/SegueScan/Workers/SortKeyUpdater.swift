// Thread: "scan". Blocks on the index and on its worker, usually for a few milliseconds.

internal import SegueLibrary
internal import SegueSQLite
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// An updater of sort keys: it has a worker make the keys that the facts of files do not contain (those of genres and
/// of the tracks of cue sheets), and new keys for all texts after their order has changed, because the user's locale or
/// ICU's rules have.
final class SortKeyUpdater {
  private let program: FilePath
  private let workers: ScanWorkerPool
  private var worker: SortKeyWorker?
  /// The name of the order that the keys in the index follow; nil before a worker has been asked.
  private var collation: String?

  /// `workers`: the pool whose idle workers are used.
  init(program: FilePath, workers: ScanWorkerPool) {
    self.program = program
    self.workers = workers
  }

  /// Whether the current order has not been compared with that of the index yet.
  var isCollationUnknown: Bool { collation == nil }

  func dismissWorker() { worker = nil }

  /// Updates some keys. Returns true if there are more. If no worker can be started, the keys stay as they are until
  /// the next walk.
  func step(_ index: ScanIndexAccess) throws(Failure) -> Bool {
    if try index.perform({ writer throws(StoreError) in writer.isEmpty }) { return false }
    var texts: [PendingSortKey] = []
    if collation != nil {
      texts = try index.perform { writer throws(StoreError) in
        try writer.pendingSortKeys(limit: WorkerRequest.maximumCollationTexts)
      }
      if texts.isEmpty {
        dismissWorker()
        return false
      }
    }
    // A user, or the kernel for want of memory, may have killed the worker. The texts need not be the cause.
    guard let result = keys(of: texts) ?? keys(of: texts) else {
      Log.warning("scanning: sort keys cannot be made")
      return false
    }
    if result.collation != collation {
      collation = result.collation
      if try index.perform({ writer throws(StoreError) in try writer.setCollation(result.collation) }) {
        Log.notice("the sort order of names has changed (\(result.collation)): all names are sorted again")
      }
    } else {
      index.post { [texts] writer throws(StoreError) in try writer.setSortKeys(result.keys, of: texts) }
    }
    return true
  }

  private func keys(of texts: [PendingSortKey]) -> SortKeyWorker.Result? {
    if worker == nil {
      let process = try? workers.releaseIdle() ?? BlockingWorker(program, niceness: ScanWorker.niceness)
      worker = process.map(SortKeyWorker.init)
    }
    let result = worker?.keys(of: texts.map(\.text))
    if result == nil { dismissWorker() }
    return result
  }
}

/// A `segue-worker` process that makes sort keys. Releasing it ends the process.
private final class SortKeyWorker {
  typealias Result = (keys: [[UInt8]], collation: String)

  private let process: BlockingWorker

  /// The time limit for a request. It includes the start of the worker, which may take long on a slow disk.
  private static let timeout = MediaTime.seconds(5)

  init(_ process: BlockingWorker) { self.process = process }

  /// Returns a key for each of `texts`, at most `WorkerRequest.maximumCollationTexts`, and the name of their order; nil
  /// on failure.
  func keys(of texts: [CollationInput]) -> Result? {
    process.request(.collate(texts), timeout: Self.timeout) { response in
      guard case .collated(let keys, let collation) = response, keys.count == texts.count else { return nil }
      return (keys, collation)
    }
  }
}
