// On the thread "scan" only. It opens files, which may block where a file system does; nothing else here waits.

internal import Glibc
internal import SegueLink
internal import SegueSystem
internal import SegueWire

/// The workers of a scan, and the files that wait for them.
final class ScanWorkerPool {
  /// What is told of every file, once.
  var onAnswer: ((ScanRequest, ScanOutcome) -> Void)?
  /// No worker can be started, for this reason: what waited is dropped.
  var onGiveUp: ((String) -> Void)?

  let program: FilePath
  private let limits: ScanLimits
  private let mostWorkers: Int
  private(set) var workers: [ScanWorker] = []
  private var queue = FIFO<ScanRequest>()
  /// Files that a worker had at hand, or waiting, when it ended: they are asked again one by one.
  private var suspects = FIFO<ScanRequest>()
  /// Workers in a row that did not come up.
  private var failedStarts = 0

  /// Sixteen workers with two packets of sixteen each stay below the kernel's limit of descriptors under way, which is
  /// that of open files (unix(7), ETOOMANYREFS).
  private static let mostWorkers = 16
  private static let packetsAhead = 2
  private static let mostFailedStarts = 3
  /// Somebody who kills workers, or a kernel short of memory, seldom hits one file so often.
  private static let mostKills = 3
  /// Loading what reads every format takes a while where the disk is slow.
  private static let patiencesForStarts: Int64 = 6

  init(program: FilePath, limits: ScanLimits) {
    self.program = program
    self.limits = limits
    let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    mostWorkers = max(1, min(limits.workers ?? processors, Self.mostWorkers))
  }

  var waitingCount: Int { queue.count + suspects.count }
  var isIdle: Bool { waitingCount == 0 && workers.allSatisfy(\.packets.isEmpty) }

  func append(_ ask: ScanRequest) { queue.append(ask) }

  /// Starts as many workers as `count` files are worth, ahead of the files.
  func prepare(for count: Int) {
    let wanted = min(mostWorkers, (count + WorkerCommand.maximumScanFiles - 1) / WorkerCommand.maximumScanFiles)
    while workers.count < wanted {
      do {
        workers.append(try ScanWorker(program: program))
      } catch {
        return giveUp("\(error)")
      }
    }
  }

  /// Lets every worker have enough to do.
  func feed() {
    guard waitingCount > 0 else { return }
    prepare(for: waitingCount)
    for worker in workers {
      while worker.packets.count < Self.packetsAhead, worker.packets.first?.isAlone != true {
        if worker.packets.isEmpty, let suspect = suspects.popFirst() {
          if !send([suspect], to: worker, isAlone: true) { break }
        } else {
          guard !queue.isEmpty else { break }
          var asks: [ScanRequest] = []
          // Towards the end in smaller portions, so that all are done at the same time.
          let share = queue.count / (workers.count * Self.packetsAhead)
          let count = max(1, min(WorkerCommand.maximumScanFiles, share))
          while asks.count < count, let ask = queue.popFirst() { asks.append(ask) }
          if !send(asks, to: worker, isAlone: false) { break }
        }
      }
    }
  }

  /// False if the worker is lost.
  private func send(_ asks: [ScanRequest], to worker: ScanWorker, isAlone: Bool) -> Bool {
    var open: [ScanRequest] = []
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for ask in asks {
      do {
        descriptors.append(try RegularFile.open(ask.path).release())
        open.append(ask)
      } catch {
        onAnswer?(ask, .closed(error))
      }
    }
    guard !open.isEmpty else { return true }
    do {
      try worker.send(open, descriptors: descriptors, isAlone: isAlone)
      return true
    } catch {
      lose(worker, because: "the decoder takes no orders: \(error)")
      return false
    }
  }

  /// Takes in what workers said.
  func hear() {
    for worker in workers { hear(worker) }
  }

  private func hear(_ worker: ScanWorker) {
    while true {
      switch worker.hear() {
      case .nothing: return
      case .over: return lose(worker)
      case .nonsense: return lose(worker, because: "the decoder said something else than it was asked")
      case .answers(let answers):
        failedStarts = 0
        for (ask, result) in answers {
          switch result {
          case .facts(let facts): onAnswer?(ask, .facts(facts))
          case .failed(let failure): onAnswer?(ask, .failed(failure))
          }
        }
      }
    }
  }

  /// When a worker will have had its time for one file.
  var deadline: MonotonicTime? { workers.compactMap { deadline(of: $0) }.min() }

  private func deadline(of worker: ScanWorker) -> MonotonicTime? {
    guard worker.isReady else {
      return worker.since + MediaTime(nanoseconds: Self.patiencesForStarts * limits.patience.nanoseconds)
    }
    return worker.packets.isEmpty ? nil : worker.since + limits.patience
  }

  func endTheHung() {
    let now = MonotonicTime.now
    for worker in workers {
      guard let deadline = deadline(of: worker), deadline <= now else { continue }
      let failure = Failure(.timeout, "looking into it took longer than \(limits.patience.seconds) s")
      lose(worker, because: "the decoder does not come up", blaming: failure)
    }
  }

  /// It has ended, or is ended now.
  private func lose(_ worker: ScanWorker, because reason: String? = nil, blaming failure: Failure? = nil) {
    guard let index = workers.firstIndex(where: { $0 === worker }) else { return }
    workers.remove(at: index)
    let status = worker.end()
    let wasKilled = if case .killed(SIGKILL) = status { reason == nil && failure == nil } else { false }
    let reason = reason ?? status.map { "the decoder \($0)" } ?? "the decoder is gone"
    let unanswered = worker.packets.flatMap(\.asks)
    guard worker.isReady else {
      // No file had a part in it.
      for ask in unanswered { queue.append(ask) }
      failedStarts += 1
      if failedStarts >= Self.mostFailedStarts { giveUp(reason) }
      return
    }
    if worker.packets.count == 1, worker.packets[0].isAlone, var culprit = unanswered.first {
      culprit.kills += 1
      if wasKilled, culprit.kills < Self.mostKills { return suspects.append(culprit) }
      let failure = failure ?? Failure(.unplayable, reason)
      Log.warning("\(culprit.path): \(failure.message)")
      onAnswer?(culprit, .failed(failure))
    } else {
      for ask in unanswered { suspects.append(ask) }
    }
  }

  /// A worker that has nothing to do, for other work than the crew's; nil if there is none.
  func releaseIdle() -> LibraryWorkerProcess? {
    guard let index = workers.firstIndex(where: { $0.isReady && $0.packets.isEmpty }) else { return nil }
    return workers.remove(at: index).child
  }

  private func giveUp(_ reason: String) {
    dismiss()
    onGiveUp?(reason)
  }

  /// Drops what waits, and ends the workers.
  func dismiss() {
    workers = []
    queue = FIFO()
    suspects = FIFO()
    failedStarts = 0
  }
}
