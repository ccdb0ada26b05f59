// Thread: "scan". It opens files, which may block in the file system, and waits for nothing else, not even for a
// packet. The workers read untrusted files, so every packet from them is checked.

internal import Glibc
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// The workers of a scan, and the requests that wait for them.
final class ScanWorkerPool {
  let program: FilePath
  /// The reason why no worker can be started. The requests have been dropped then. It is nil again after `dismiss`.
  private(set) var failure: Failure?
  /// The outcomes that the caller has not taken, of each request once.
  private var outcomes: [(ScanRequest, ScanOutcome)] = []
  private let limits: ScanLimits
  private let maximumWorkers: Int
  private var workers: [ScanWorker] = []
  private var supervisor = WorkerSupervisor()
  private var queue = Deque<ScanRequest>()
  /// The requests that a worker had when it ended. They are repeated one by one, to find the one that is the cause.
  private var suspects = Deque<ScanRequest>()

  /// Sixteen workers with two packets of sixteen files each stay below the kernel's limit for descriptors in transit,
  /// which is that for open files (unix(7), ETOOMANYREFS).
  private static let maximumWorkers = 16
  private static let maximumPackets = 2
  /// The time limit for the start of a worker, as a multiple of that for a file. FFmpeg takes a while to load from a
  /// slow disk.
  private static let startTimeoutFactor = 6

  init(program: FilePath, limits: ScanLimits) {
    self.program = program
    self.limits = limits
    let processors = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    maximumWorkers = max(1, min(limits.workers ?? processors, Self.maximumWorkers))
  }

  /// The number of requests that no worker has.
  var queuedCount: Int { queue.count + suspects.count }
  var isIdle: Bool { queuedCount == 0 && workers.allSatisfy(\.packets.isEmpty) }
  /// The descriptors that become readable when workers respond.
  var descriptors: [Int32] { workers.map(\.process.raw) }

  func enqueue(_ request: ScanRequest) { queue.append(request) }

  /// Returns the outcomes since the last call.
  func takeOutcomes() -> [(ScanRequest, ScanOutcome)] {
    defer { outcomes = [] }
    return outcomes
  }

  /// Starts as many workers as are useful for `count` files.
  func prepare(for count: Int) {
    let wanted = min(
      maximumWorkers, (count + WorkerRequest.maximumScanFiles - 1) / WorkerRequest.maximumScanFiles)
    while workers.count < wanted {
      do {
        workers.append(try ScanWorker(program: program))
      } catch {
        return giveUp(error.localizableMessage)
      }
    }
  }

  /// Removes an idle worker from the pool for another use, and returns it; nil if there is none.
  func releaseIdle() -> BlockingWorker? {
    guard let index = workers.firstIndex(where: { $0.progress.isReady && $0.packets.isEmpty }) else { return nil }
    return workers.remove(at: index).process
  }

  /// Drops all requests and outcomes, and ends the workers.
  func dismiss() {
    dropRequests()
    outcomes = []
    failure = nil
  }

  private func dropRequests() {
    workers = []
    queue = Deque()
    suspects = Deque()
    supervisor.gaveUp()
  }

  private func giveUp(_ reason: LocalizableMessage) {
    dropRequests()
    failure = Failure(.unavailable, "cannot start a worker: \(reason)")
  }

  // MARK: Requests

  /// Gives every worker enough to do. If requests are left, there is a worker, whose descriptor wakes the scan.
  func assign() {
    while queuedCount > 0 {
      prepare(for: queuedCount)
      for worker in workers { assign(to: worker) }
      // All workers may have been lost while requests were sent to them.
      if !workers.isEmpty { return }
    }
  }

  private func assign(to worker: ScanWorker) {
    while worker.packets.count < Self.maximumPackets, worker.packets.first?.isAlone != true {
      if worker.packets.isEmpty, let suspect = suspects.popFirst() {
        if !send([suspect], to: worker, isAlone: true) { return }
      } else {
        guard !queue.isEmpty else { return }
        var requests: [ScanRequest] = []
        // The packets become smaller towards the end, so that all workers finish at the same time.
        let share = queue.count / (workers.count * Self.maximumPackets)
        let count = max(1, min(WorkerRequest.maximumScanFiles, share))
        while requests.count < count, let request = queue.popFirst() { requests.append(request) }
        if !send(requests, to: worker, isAlone: false) { return }
      }
    }
  }

  /// Opens the files and sends them to the worker. Returns false if the worker was lost.
  private func send(_ requests: [ScanRequest], to worker: ScanWorker, isAlone: Bool) -> Bool {
    var opened: [ScanRequest] = []
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for request in requests {
      do {
        descriptors.append(try RegularFile.open(request.path).release())
        opened.append(request)
      } catch {
        outcomes.append((request, .notOpened(error)))
      }
    }
    guard !opened.isEmpty else { return true }
    do {
      try worker.send(opened, descriptors: descriptors, isAlone: isAlone)
      return true
    } catch {
      end(worker, because: LocalizableMessage("the decoder does not accept commands: \(error)"))
      return false
    }
  }

  /// Handles the events of all workers. An event of one of them may end all others, whose results are not wanted any
  /// more then.
  func handleEvents() {
    for worker in workers where workers.contains(where: { $0 === worker }) { handleEvents(of: worker) }
  }

  private func handleEvents(of worker: ScanWorker) {
    while true {
      switch worker.nextEvent() {
      case .none: return
      case .closed: return end(worker)
      case .invalid: return end(worker, because: LocalizableMessage("the decoder sent an unexpected response"))
      case .progress(let results):
        supervisor.workerResponded()
        for (request, result) in results {
          switch result {
          case .facts(let facts): outcomes.append((request, .facts(facts)))
          case .failed(let failure): outcomes.append((request, .failed(failure)))
          }
        }
      }
    }
  }

  // MARK: Supervision

  /// The time at which the first worker exceeds its time limit; nil if none has anything to do.
  var deadline: MonotonicTime? { workers.compactMap { deadline(of: $0) }.min() }

  private func deadline(of worker: ScanWorker) -> MonotonicTime? {
    guard worker.progress.isReady else {
      return worker.progress.deadline(timeout: limits.fileTimeout * Self.startTimeoutFactor)
    }
    return worker.packets.isEmpty ? nil : worker.progress.deadline(timeout: limits.fileTimeout)
  }

  /// Ends the workers that have exceeded their time limits.
  func endOverdueWorkers() {
    let now = MonotonicTime.now
    for worker in workers {
      guard let deadline = deadline(of: worker), deadline <= now else { continue }
      let failure = Failure(.timeout, "reading the file took longer than \(limits.fileTimeout.seconds) s")
      end(worker, because: LocalizableMessage("the decoder does not start"), failure: failure)
    }
  }

  /// Ends a worker, if it has not ended by itself. `supervisor` attributes the end to one of its files at most, which
  /// fails. The requests for the others are retried. `reason` and `failure` are set if the worker is ended for
  /// something that it has done: `failure` is then the outcome of a file that is the cause.
  private func end(_ worker: ScanWorker, because reason: LocalizableMessage? = nil, failure: Failure? = nil) {
    guard let index = workers.firstIndex(where: { $0 === worker }) else { return }
    workers.remove(at: index)
    let status = worker.process.end()
    // All workers that were started together reject their stubs. That does not show that none can be started.
    if worker.process.hasRejectedStubs {
      for request in worker.packets.flatMap(\.requests) { queue.append(request) }
      return
    }
    let end = WorkerSupervisor.End(
      status, wasReady: worker.progress.isReady,
      endedFor: failure != nil ? .timeout : reason != nil ? .violation : nil)
    let outcome = supervisor.workerEnded(
      end, pending: worker.packets.flatMap(\.requests),
      isFirstJobRunning: worker.packets.count == 1 && worker.packets[0].isAlone)
    let reason =
      reason ?? status?.localizableMessage(of: WorkerRole.files.processName)
      ?? LocalizableMessage("the decoder has ended")
    if end == .failedStart {
      for request in outcome.retries { queue.append(request) }
      if outcome.isGivingUp { giveUp(reason) }
      return
    }
    for request in outcome.retries { suspects.append(request) }
    if let culprit = outcome.culprit {
      let failure = failure ?? Failure(.unplayable, reason)
      Log.warning("\(culprit.path): \(failure.message)")
      outcomes.append((culprit, .failed(failure)))
    }
  }
}

/// A `segue-worker` process that reads files for the scan. Releasing it ends the process.
final class ScanWorker {
  struct Packet {
    let ticket: UInt32
    var requests: ArraySlice<ScanRequest>
    /// Whether the worker has only this one file, so that the file is the cause if the worker crashes.
    let isAlone: Bool
  }

  /// An event of the worker.
  enum Event {
    /// The worker is ready or has responded to requests.
    case progress([(ScanRequest, ScanResult)])
    /// The worker has closed its socket.
    case closed
    /// The worker has violated the protocol.
    case invalid
    case none
  }

  /// The packets that the worker has not responded to, in order.
  private(set) var packets: [Packet] = []
  private(set) var progress = WorkerProgress()
  let process: BlockingWorker

  static let niceness: Int32 = 10

  init(program: FilePath) throws(SystemError) { process = try BlockingWorker(program, niceness: Self.niceness) }

  /// Sends requests for files that are open. `descriptors`, one for each file, stay the caller's. Throws EAGAIN if the
  /// worker does not read.
  func send(_ requests: [ScanRequest], descriptors: [Int32], isAlone: Bool) throws(SystemError) {
    let names = requests.map { String(decoding: $0.path.lastComponent, as: UTF8.self) }
    if packets.isEmpty { progress.advanced() }
    // Requests that cannot be sent are pending, too: the pool gives them to another worker.
    defer { packets.append(Packet(ticket: process.lastTicket, requests: requests[...], isAlone: isAlone)) }
    try process.send(.scan(names: names), descriptors: descriptors)
  }

  /// Returns the next event, without waiting.
  func nextEvent() -> Event {
    do {
      guard let packet = try process.receive() else { return .closed }
      guard let event = WorkerEvent(packet) else { return .invalid }
      switch event {
      case .ready where !progress.isReady:
        progress.becameReady()
        return .progress([])
      case .response(let ticket, .scanned(let results)):
        guard let first = packets.first, first.ticket == ticket, !results.isEmpty,
          results.count <= first.requests.count
        else { return .invalid }
        progress.advanced()
        let finished = zip(first.requests, results).map { ($0, $1) }
        packets[0].requests = first.requests.dropFirst(results.count)
        if packets[0].requests.isEmpty { packets.removeFirst() }
        return .progress(finished)
      case .ready, .decoding, .response, .idle, .pong: return .invalid
      }
    } catch {
      return error.code == EAGAIN ? .none : .invalid
    }
  }
}
