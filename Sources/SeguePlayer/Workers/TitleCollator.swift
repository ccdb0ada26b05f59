// Thread: the loop.

internal import SegueLoop
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A source of sort keys of titles in the user's collation, which a worker creates, as it does for the library.
@MainActor
final class TitleCollator {
  typealias Completion = @MainActor ([[UInt8]]?) -> Void

  private let pool: WorkerPool
  private var waiting: [(titles: [String], then: Completion)] = []
  private var running: Request?
  private var timer: Timer?

  /// The titles for which a worker creates keys, and the keys so far.
  private struct Request {
    let worker: WorkerProcess
    let titles: [String]
    let then: Completion
    var keys: [[UInt8]] = []
    var collation: String?
  }

  private static let timeout = MediaTime.seconds(2)

  init(loop: EventLoop, pool: WorkerPool) throws(SystemError) {
    self.pool = pool
    timer = try Timer(on: loop, slack: .milliseconds(500)) { [weak self] in
      self?.running?.worker.kill(
        because: LocalizableMessage("the decoder did not create sort keys in time"))
    }
  }

  /// Creates a key for each title. `then` is called with nil if there are none.
  func keys(of titles: [String], then: @escaping Completion) {
    waiting.append((titles, then))
    startNext()
  }

  private func startNext() {
    guard running == nil, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    guard let worker = try? pool.take(.files) else {
      next.then(nil)
      return startNext()
    }
    worker.setHandlers(
      onEvent: { [weak self] in self?.handle($0) },
      onEnd: { [weak self] _, failure in
        self?.pool.countLoss()
        Log.warning("titles are not sorted: \(failure.message)")
        self?.finish(with: nil)
      })
    running = Request(worker: worker, titles: next.titles, then: next.then)
    timer?.arm(after: Self.timeout)
    requestKeys()
  }

  /// Requests the keys of the next titles.
  private func requestKeys() {
    guard let running else { return }
    let titles = running.titles[running.keys.count...].prefix(WorkerRequest.maximumCollationTexts)
    running.worker.send(
      WorkerCommand.request(ticket: UInt32(running.keys.count), .collate(titles.map { CollationInput($0) })))
  }

  private func handle(_ event: WorkerEvent) {
    guard var request = running, case .response(let ticket, .collated(let keys, let collation)) = event,
      ticket == UInt32(request.keys.count), !keys.isEmpty, request.collation ?? collation == collation,
      request.keys.count + keys.count <= request.titles.count
    else { return }
    request.keys += keys
    request.collation = collation
    running = request
    guard request.keys.count == request.titles.count else { return requestKeys() }
    pool.keep(request.worker)
    finish(with: request.keys)
  }

  private func finish(with keys: [[UInt8]]?) {
    let then = running?.then
    running = nil
    timer?.disarm()
    then?(keys)
    startNext()
  }
}
