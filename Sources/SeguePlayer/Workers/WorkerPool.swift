// Thread: the loop.

internal import SegueLoop
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

/// A pool of idle workers. They are kept because the start of a worker, which loads FFmpeg's libraries, takes longer
/// than most requests.
@MainActor
final class WorkerPool {
  /// The number of workers that were started.
  private(set) var started: UInt64 = 0
  /// The number of workers that ended while they were in use.
  private(set) var lost: UInt64 = 0
  /// The sandbox mechanisms that are not available; nil before the first worker is ready.
  private(set) var unavailableMechanisms: Set<SandboxMechanism>?
  /// The time for which an idle worker is kept.
  var gracePeriod: MediaTime
  /// Called when `delaysPlayback` may have become false.
  var onPlaybackStart: (@MainActor () -> Void)?

  private let loop: EventLoop
  /// The folder of the programs of the workers.
  private let folder: FilePath
  private var idle: [WorkerProcess] = []
  private var drainTimer: Timer?
  /// The number of workers that are starting and for which playback waits.
  private var startsForPlayback = 0

  init(loop: EventLoop, folder: FilePath, gracePeriod: MediaTime) throws(SystemError) {
    self.loop = loop
    self.folder = folder
    self.gracePeriod = gracePeriod
    drainTimer = try Timer(on: loop, slack: .seconds(1)) { [weak self] in self?.drain() }
  }

  /// The purpose for which a worker is taken.
  enum Purpose {
    /// Playback waits for the worker.
    case playback
    case other
  }

  /// Returns an idle worker, or starts one. The caller sets its handlers.
  func take(_ role: WorkerRole, for purpose: Purpose = .other) throws(SystemError) -> WorkerProcess {
    if let index = idle.lastIndex(where: { $0.role == role }) {
      let worker = idle.remove(at: index)
      if idle.isEmpty { drainTimer?.disarm() }
      return worker
    }
    started += 1
    let worker = try WorkerProcess(on: loop, program: folder.appending(role.program), role: role) {
      [weak self] mechanisms in self?.reportUnavailable(mechanisms)
    }
    if purpose == .playback {
      startsForPlayback += 1
      let mailbox = loop.mailbox
      worker.notifyOfStart(
        WorkerProcess.StartNotice { [weak self] in
          mailbox.post { self?.endStartForPlayback() }
        })
    }
    return worker
  }

  /// Whether `take` would start a worker beside one for which playback waits. Loading the libraries takes tens of
  /// milliseconds of processor time without stubs.
  func delaysPlayback(_ role: WorkerRole) -> Bool {
    startsForPlayback > 0 && !idle.contains { $0.role == role }
  }

  private func endStartForPlayback() {
    startsForPlayback -= 1
    if startsForPlayback == 0 { onPlaybackStart?() }
  }

  /// Keeps one idle worker of each role, and ends a second one.
  func keep(_ worker: WorkerProcess) {
    worker.setHandlers(onEvent: nil) { [weak self, weak worker] _, _ in self?.idle.removeAll { $0 === worker } }
    guard !idle.contains(where: { $0.role == worker.role }) else { return }
    idle.append(worker)
    drainTimer?.arm(after: gracePeriod)
  }

  /// Ends all idle workers.
  func drain() {
    idle.removeAll()
    drainTimer?.disarm()
  }

  /// Counts a worker that has ended while it was in use.
  func countLoss() { lost += 1 }

  /// Logs unavailable mechanisms once, not at every start of a worker.
  private func reportUnavailable(_ mechanisms: Set<SandboxMechanism>) {
    let new = mechanisms.subtracting(unavailableMechanisms ?? [])
    unavailableMechanisms = (unavailableMechanisms ?? []).union(mechanisms)
    guard !new.isEmpty else { return }
    let names = new.map(\.rawValue).sorted().joined(separator: ", ")
    let consequence =
      if mechanisms.isSuperset(of: [.landlock, .seccomp]) {
        "a malicious file or stream that takes over a worker has all your rights"
      } else if mechanisms.contains(.landlock) {
        "the other restrictions are active; streams cannot use hosts that only /etc/hosts names"
      } else {
        "the other restrictions are active"
      }
    Log.warning("the kernel or the container of segued lacks \(names): \(consequence)")
  }
}
