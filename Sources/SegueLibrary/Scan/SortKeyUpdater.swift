// On the thread "scan" only. It waits for the index and for its worker.

internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// Has sort keys made for texts that come from no file, and for all of them once their order is another than it was:
/// the user's locale changed, or ICU's rules.
final class SortKeyUpdater {
  private let program: FilePath
  private let crew: ScanWorkerPool
  private var worker: SortKeyWorker?
  /// Whose keys the index is known to have; nil before a worker was asked.
  private var collation: String?

  /// `crew`: whose workers have time when there is something to sort.
  init(program: FilePath, crew: ScanWorkerPool) {
    self.program = program
    self.crew = crew
  }

  /// Whether nobody has looked yet which order it is.
  var isUnsure: Bool { collation == nil }

  /// Lets go of its worker.
  func rest() { worker = nil }

  /// Does some of it. True if there is more. What no worker can be had for is left to the next time.
  func step(_ port: ScanIndexAccess) throws(Failure) -> Bool {
    guard try port.ask({ writer throws(StoreError) in writer.counts.current.tracks > 0 }) else { return false }
    var texts: [PendingSortKey] = []
    if collation != nil {
      texts = try port.ask { writer throws(StoreError) in
        try writer.pendingSortKeys.texts(limit: WorkerCommand.maximumCollationTexts)
      }
      if texts.isEmpty {
        rest()
        return false
      }
    }
    // Somebody may have killed the worker, or the kernel, short of memory: that says nothing of the texts.
    guard let answer = keys(of: texts) ?? keys(of: texts) else {
      Log.warning("scanning: no sort keys can be made")
      return false
    }
    if answer.collation != collation {
      collation = answer.collation
      if try port.ask({ writer throws(StoreError) in try writer.setCollation(answer.collation) }) {
        Log.notice("the order of names is another now (\(answer.collation)): all are put in order anew")
      }
    } else {
      port.post { [texts] writer throws(StoreError) in try writer.setSortKeys(answer.keys, of: texts) }
    }
    return true
  }

  private func keys(of texts: [PendingSortKey]) -> SortKeyWorker.Answer? {
    if worker == nil {
      let child = try? crew.releaseIdle() ?? LibraryWorkerProcess(program, niceness: ScanWorker.niceness)
      worker = child.map(SortKeyWorker.init)
    }
    let answer = worker?.keys(of: texts.map(\.text))
    if answer == nil { rest() }
    return answer
  }
}
