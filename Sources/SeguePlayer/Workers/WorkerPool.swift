// Thread: the loop. The data of the worker is untrusted: every packet is checked, and the loop waits for none.

internal import Glibc
internal import SegueLoop
internal import SegueRing
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

  private let loop: EventLoop
  /// The folder of the programs of the workers.
  private let folder: FilePath
  private var idle: [WorkerProcess] = []
  private var drainTimer: Timer?
  /// The number of workers that are starting and for which playback waits.
  private var startsForPlayback = 0
  /// The closures that are called once no worker is starting for playback any more.
  private var waitsForPlayback: [@MainActor () -> Void] = []

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

  /// Calls `then` once, when `delaysPlayback` has become false for all roles.
  func waitForPlayback(then: @escaping @MainActor () -> Void) { waitsForPlayback.append(then) }

  private func endStartForPlayback() {
    startsForPlayback -= 1
    guard startsForPlayback == 0 else { return }
    let waits = waitsForPlayback
    waitsForPlayback = []
    for wait in waits { wait() }
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

/// A `segue-worker` or `segue-fetch` process, from its start to its end. It is killed when this object is released.
@MainActor
final class WorkerProcess {
  typealias EventHandler = @MainActor (WorkerEvent) -> Void
  typealias EndHandler = @MainActor (WorkerSupervisor.End, Failure) -> Void

  let role: WorkerRole
  private let program: FilePath
  /// The ring for the PCM of the worker; nil until it is needed.
  private(set) var ring: SharedRing?

  /// The number of commands that were sent, except `ring`.
  private(set) var sentCommands = 0

  /// Whether the worker can carry out commands: the daemon has not killed it, and it has not closed its end of the
  /// socket, as it does when it ends. Its end is reported later.
  var acceptsCommands: Bool { !hasEnded && killReason == nil && !link.isDisconnected }

  private let link: LinkSocket
  private var child: ChildProcess?
  private var source: IOSource?
  private var onEvent: EventHandler?
  private var onEnd: EndHandler?
  private var hasEnded = false
  /// Whether the worker was ready. A file that it reads may be the cause of its end from then on.
  private var isReady = false
  private var startNotice: StartNotice?
  private let onReady: @MainActor (Set<SandboxMechanism>) -> Void
  /// A limit on events: a few for every command, and the title of a live stream now and then. A worker that sends more
  /// is malicious, and would keep the loop busy.
  private var eventAllowance = TokenBucket(capacity: 256, perSecond: 16)
  /// The reason for which the daemon killed the worker, for people and for the supervisor; nil if it did not.
  private var killReason: (message: LocalizableMessage, kind: WorkerSupervisor.End.Reason)?

  /// A notice that is given once, when the worker has started: when it is ready, when it ends, or when it is released
  /// before.
  final class StartNotice: Sendable {
    private let give: @Sendable () -> Void

    init(_ give: @escaping @Sendable () -> Void) { self.give = give }

    deinit { give() }
  }

  private static let eventsPerCommand = 4.0
  private static let eventsPerIteration = 16

  /// `onReady`: called when the worker is ready, with the sandbox mechanisms that are not available.
  init(
    on loop: EventLoop, program: FilePath, role: WorkerRole,
    onReady: @escaping @MainActor (Set<SandboxMechanism>) -> Void
  ) throws(SystemError) {
    self.role = role
    self.program = program
    self.onReady = onReady
    let (ours, theirs) = try LinkSocket.pair()
    link = ours
    child = try ChildProcess(
      on: loop, program: program, argument: role.rawValue, inheriting: role.inheritedVariables,
      setting: role == .fetch ? [] : StubLibraries.variables(for: program), channel: theirs.raw
    ) { [weak self] status in
      self?.end(status)
    }
    source = try IOSource(on: loop, descriptor: ours.raw, of: ours, for: .readable) { [weak self] _ in
      self?.receive()
    }
  }

  /// Sets the handlers of the owner that uses the worker from now on. `onEvent`: called for every event. `onEnd`:
  /// called once, last of all, with the reason for which the worker ended. The failure is `unavailable` if the worker
  /// never was ready: then no file is the cause.
  func setHandlers(onEvent: EventHandler?, onEnd: @escaping EndHandler) {
    self.onEvent = onEvent
    self.onEnd = onEnd
  }

  /// Keeps `notice` until the worker has started.
  func notifyOfStart(_ notice: StartNotice) {
    if !isReady, !hasEnded { startNotice = notice }
  }

  /// Returns the ring into which this worker decodes. The first call creates it and passes it to the worker.
  func decodingRing() throws(SystemError) -> SharedRing {
    if let ring { return ring }
    let ring = try SharedRing()
    try link.send(WorkerCommand.ring, descriptors: [ring.memory.raw, ring.space.raw, ring.data.raw])
    self.ring = ring
    return ring
  }

  /// Sends a command with descriptors, which are duplicated and stay the caller's. A worker that does not read its
  /// commands is killed.
  func send(_ command: some LinkMessage, files: [Int32] = []) {
    eventAllowance.add(Self.eventsPerCommand)
    sentCommands += 1
    do {
      try link.send(command, descriptors: files)
    } catch  where error.code == EPIPE || error.code == ECONNRESET {
      // The worker has ended; its exit status says why.
      child?.kill()
    } catch {
      kill(
        because: LocalizableMessage(
          "\(role.processName) was terminated: it does not read its commands (\(error))"))
    }
  }

  /// Kills the worker. `onEnd` follows with `reason`, or with that of an earlier call.
  func kill(because reason: LocalizableMessage, _ kind: WorkerSupervisor.End.Reason = .violation) {
    killReason = killReason ?? (reason, kind)
    child?.kill()
  }

  /// Receives the events that have arrived, a limited number in one iteration of the loop.
  private func receive(upTo maximum: Int = WorkerProcess.eventsPerIteration) {
    for _ in 0..<maximum where !hasEnded {
      do {
        // If the worker has closed its socket, its exit status says why.
        guard let packet = try link.receive() else { return disconnect() }
        guard let event = WorkerEvent(packet) else {
          return disconnect(
            because: LocalizableMessage("\(role.processName) was terminated: it sent an invalid event"))
        }
        guard eventAllowance.take() else {
          return disconnect(
            because: LocalizableMessage("\(role.processName) was terminated: it sent too many events"))
        }
        if case .ready(let unavailable) = event {
          isReady = true
          startNotice = nil
          onReady(unavailable)
        } else {
          onEvent?(event)
        }
      } catch {
        if error.code == EAGAIN { return }
        // The worker has ended before it read all commands.
        if error.code == ECONNRESET { return disconnect() }
        return disconnect(
          because: LocalizableMessage("\(role.processName) was terminated: its socket failed (\(error))"))
      }
    }
  }

  /// Stops receiving, and kills the worker, which may live on after closing its socket.
  private func disconnect(because violation: LocalizableMessage? = nil) {
    source = nil
    if let violation {
      Log.error("\(violation)")
      kill(because: violation)
    } else {
      child?.kill()
    }
  }

  private func end(_ status: ExitStatus) {
    // Events that the worker sent before its end still count.
    if source != nil { receive(upTo: .max) }
    guard !hasEnded else { return }
    hasEnded = true
    startNotice = nil
    source = nil
    if !isReady, killReason == nil { StubLibraries.handleFailedStart(of: program, status) }
    let reason = killReason?.message ?? status.localizableMessage(of: role.processName)
    onEnd?(
      WorkerSupervisor.End(status, wasReady: isReady, endedFor: killReason?.kind),
      isReady
        ? Failure(.unplayable, reason) : Failure(.unavailable, "cannot start \(role.processName): \(reason)"))
  }
}
