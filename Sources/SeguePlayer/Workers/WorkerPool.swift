internal import SegueLink
internal import SegueLoop
internal import SegueSystem

/// Workers that have nothing to do and are kept warm: loading FFmpeg's libraries takes longer than anything they do
/// afterwards. Loop thread.
@MainActor
final class WorkerPool {
  private(set) var started: UInt64 = 0
  private(set) var lost: UInt64 = 0
  /// The locks that workers could not be put behind; nil before the first has come up.
  private(set) var lacking: Set<SandboxMechanism>?

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
    retirement = try Timer(on: loop, slack: .seconds(1)) { [weak self] in self?.drain() }
  }

  /// A warm worker, or a new one. The caller sets its handlers.
  func take(_ role: WorkerRole) throws(SystemError) -> WorkerProcess {
    if let index = idle.lastIndex(where: { $0.role == role }) {
      let warm = idle.remove(at: index)
      if idle.isEmpty { retirement?.disarm() }
      return warm
    }
    started += 1
    return try WorkerProcess(on: loop, program: program, role: role) { [weak self] lacking in self?.note(lacking) }
  }

  /// Keeps one of each role warm; a second is let go.
  func keep(_ worker: WorkerProcess) {
    worker.onReport = nil
    worker.onEnd = { [weak self, weak worker] _ in self?.idle.removeAll { $0 === worker } }
    guard !idle.contains(where: { $0.role == worker.role }) else { return }
    idle.append(worker)
    retirement?.arm(after: gracePeriod)
  }

  /// Lets go of all that are idle.
  func drain() {
    idle.removeAll()
    retirement?.disarm()
  }

  func noteLoss() { lost += 1 }

  /// Says once what the machine lacks, not at every start of a worker.
  private func note(_ lacking: Set<SandboxMechanism>) {
    let new = lacking.subtracting(self.lacking ?? [])
    self.lacking = (self.lacking ?? []).union(lacking)
    guard !new.isEmpty else { return }
    let names = new.map(\.rawValue).sorted().joined(separator: ", ")
    let consequence =
      if lacking.isSuperset(of: [.landlock, .seccomp]) {
        "a file or a stream that takes over a worker can do what you can do"
      } else if lacking.contains(.landlock) {
        "the other locks hold; streams do not find servers that only /etc/hosts names"
      } else {
        "the other locks hold"
      }
    Log.warning("this kernel, or what segued runs in, lacks \(names): \(consequence)")
  }
}
