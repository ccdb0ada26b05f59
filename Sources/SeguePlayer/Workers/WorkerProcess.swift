// Thread: the loop. Foreign bytes are on the other side of the socket: every packet is checked, none is waited for.

internal import Glibc
internal import SegueLink
internal import SegueLoop
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// One `segue-worker`, from its start to its end. Letting go of it ends it.
@MainActor
final class WorkerProcess {
  /// Called for every report, and once, last of all, with why the worker is gone.
  var onReport: (@MainActor (WorkerEvent) -> Void)?
  /// `unavailable` if it never came up, which is no file's fault.
  var onEnd: (@MainActor (Failure) -> Void)?

  let role: WorkerRole
  /// Where its PCM goes, once it was told to decode.
  private(set) var ring: SharedRing?

  private let link: LinkSocket
  private var child: ChildProcess?
  private var source: IOSource?
  private var isOver = false
  /// It has come up: what ends it from now on is the file it has at hand.
  private var isReady = false
  private let onReady: @MainActor (Set<SandboxMechanism>) -> Void
  /// A bound on its reports: a few for every order, and a live title now and then. A worker that sends more has been taken
  /// over by a file, and would keep the loop from everybody else.
  private var reportAllowance = TokenBucket(capacity: 256, perSecond: 16)
  /// Why the daemon ended it, in words for people; nil if the daemon did not.
  private var verdict: String?
  /// Somebody else ended it, or the kernel, short of memory: that says nothing of the file it had at hand.
  private(set) var wasKilled = false

  /// `onReady`: called when it has come up, with the locks it lacks.
  init(
    on loop: EventLoop, program: FilePath, role: WorkerRole,
    onReady: @escaping @MainActor (Set<SandboxMechanism>) -> Void
  ) throws(SystemError) {
    self.role = role
    self.onReady = onReady
    let (ours, theirs) = try LinkSocket.pair()
    link = ours
    child = try ChildProcess(
      on: loop, program: program, argument: role.rawValue, inheriting: role.inheritedVariables, channel: theirs.raw
    ) { [weak self] status in
      self?.end(status)
    }
    source = try IOSource(on: loop, descriptor: ours.raw, of: ours, for: .readable) { [weak self] _ in
      self?.receive()
    }
  }

  /// The ring this worker decodes into, made and passed over at the first call.
  func decodingRing() throws(SystemError) -> SharedRing {
    if let ring { return ring }
    let ring = try SharedRing()
    try link.send(WorkerCommand.ring, descriptors: [ring.memory.raw, ring.space.raw, ring.data.raw])
    self.ring = ring
    return ring
  }

  /// A worker that has stopped reading its orders is as good as dead, and is made so.
  /// `files` are copied and stay the caller's.
  func send(_ order: WorkerCommand, files: [Int32] = []) {
    reportAllowance.add(Self.reportsPerOrder)
    do {
      try link.send(order, descriptors: files)
    } catch {
      kill(because: "the decoder was ended: it does not read its orders (\(error))")
    }
  }

  /// Ends it now; `onEnd` follows with `reason`, or with the one it was ended for before.
  func kill(because reason: String) {
    verdict = verdict ?? reason
    child?.kill()
  }

  /// Reads what is there, a few packets a turn: others wait too.
  private func receive(upTo most: Int = WorkerProcess.reportsPerTurn) {
    for _ in 0..<most where !isOver {
      do {
        // Its socket is closed: its exit says why.
        guard let packet = try link.receive() else { return hangUp() }
        guard let report = WorkerEvent(packet) else {
          return hangUp(because: "the decoder was ended: it sent an invalid report")
        }
        guard reportAllowance.take() else {
          return hangUp(because: "the decoder was ended: it sent more reports than it was asked for")
        }
        if case .ready(let lacking) = report {
          isReady = true
          onReady(lacking)
        } else {
          onReport?(report)
        }
      } catch {
        if error.code == EAGAIN { return }
        // It ended with orders unread.
        if error.code == ECONNRESET { return hangUp() }
        return hangUp(because: "the decoder was ended: its socket failed (\(error))")
      }
    }
  }

  /// Reads no more of what it says, and ends it, though it may live on behind a closed socket.
  private func hangUp(because fault: String? = nil) {
    source = nil
    if let fault {
      Log.error("\(fault)")
      kill(because: fault)
    } else {
      child?.kill()
    }
  }

  private func end(_ status: ExitStatus) {
    // What it said before it went still counts.
    if source != nil { receive(upTo: .max) }
    guard !isOver else { return }
    isOver = true
    source = nil
    wasKilled = status == .killed(signal: SIGKILL) && verdict == nil
    let reason = verdict ?? "the decoder \(status)"
    onEnd?(isReady ? Failure(.unplayable, reason) : Failure(.unavailable, "no decoder comes up: \(reason)"))
  }

  private static let reportsPerOrder = 4.0
  private static let reportsPerTurn = 16
}
