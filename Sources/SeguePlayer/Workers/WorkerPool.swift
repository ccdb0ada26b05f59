internal import SegueLoop
internal import SegueSystem

/// Workers that have nothing to do and are kept warm: loading FFmpeg's libraries takes longer than anything they do
/// afterwards. Loop thread.
@MainActor
final class WorkerPool {
  private(set) var started: UInt64 = 0
  private(set) var lost: UInt64 = 0

  private let loop: EventLoop
  private let program: FilePath
  private var idle: [WorkerProcess] = []
  private var retirement: Timer?
  /// How long an idle worker is kept.
  var gracePeriod: MediaTime

  init(loop: EventLoop, program: FilePath, gracePeriod: MediaTime) throws(SystemError) {
    self.loop = loop
    self.program = program
    self.gracePeriod = gracePeriod
    retirement = try Timer(on: loop, slack: MediaTime(seconds: 1)) { [weak self] in self?.drain() }
  }

  /// A warm worker, or a new one. The caller sets its handlers.
  func take() throws(SystemError) -> WorkerProcess {
    if let warm = idle.popLast() {
      retirement?.disarm()
      return warm
    }
    started += 1
    return try WorkerProcess(on: loop, program: program)
  }

  /// Keeps one warm; a second is let go.
  func keep(_ worker: WorkerProcess) {
    worker.onReport = nil
    worker.onEnd = { [weak self, weak worker] _ in self?.idle.removeAll { $0 === worker } }
    guard idle.isEmpty else { return }
    idle.append(worker)
    retirement?.arm(after: gracePeriod)
  }

  /// Lets go of all that are idle.
  func drain() {
    idle.removeAll()
    retirement?.disarm()
  }

  func noteLoss() { lost += 1 }
}
