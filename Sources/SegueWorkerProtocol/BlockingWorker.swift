// Thread: the creator's.

internal import Glibc
public import SegueSystem

/// A `segue-worker` process whose responses a thread waits for. Releasing it ends the process.
public final class BlockingWorker {
  private let program: FilePath
  private let link: LinkSocket
  private let pid: Int32
  /// The logger of the worker's output; nil when no more output is read.
  private var output: ChildOutputLogger?
  private var isReaped = false
  private var hasResponded = false
  /// The ticket of the last request.
  public private(set) var lastTicket: UInt32 = 0
  private let usesStubs: Bool
  /// Whether the worker ended before it was ready and was started with stub libraries: another one, which is started
  /// without them, may start.
  public private(set) var hasRejectedStubs = false

  /// `niceness`: the priority, which is lower than that of playback.
  public init(_ program: FilePath, niceness: Int32) throws(SystemError) {
    self.program = program
    let (ours, theirs) = try LinkSocket.pair()
    link = ours
    let role = WorkerRole.files
    let stubs = StubLibraries.variables(for: program)
    usesStubs = !stubs.isEmpty
    let process = try Spawn.start(
      program, argument: role.rawValue, inheriting: role.inheritedVariables,
      setting: stubs, channel: theirs.raw)
    (pid, output) = (process.pid, process.output)
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(pid), niceness)
  }

  deinit { _ = end() }

  /// The descriptor that is readable when there is something to `receive`.
  public var raw: Int32 { link.raw }

  /// Sends a request with descriptors, which stay the caller's. The response will have the ticket `lastTicket`.
  public func send(_ request: WorkerRequest, descriptors: [Int32] = []) throws(SystemError) {
    lastTicket &+= 1
    try link.send(WorkerCommand.request(ticket: lastTicket, request), descriptors: descriptors)
  }

  /// Receives a packet as `LinkSocket` does, and logs what the worker wrote before.
  public func receive() throws(SystemError) -> LinkPacket? {
    forwardOutput()
    let packet = try link.receive()
    if packet != nil { hasResponded = true }
    return packet
  }

  private func forwardOutput() {
    if output?.forward() == false { output = nil }
  }

  /// Sends a request with descriptors, which stay the caller's, waits for the response, and returns what `read` makes
  /// of it. Returns nil if the worker ends, sends something else, or takes longer than `timeout`. It cannot be used
  /// again then.
  public func request<Response>(
    _ request: WorkerRequest, descriptors: [Int32] = [], timeout: MediaTime, read: (WorkerResponse) -> Response?
  ) -> Response? {
    guard (try? send(request, descriptors: descriptors)) != nil else { return nil }
    let deadline = MonotonicTime.now + timeout
    while true {
      do {
        guard let packet = try receive(), let event = WorkerEvent(packet) else { return nil }
        switch event {
        case .ready: continue
        case .response(lastTicket, let response): return read(response)
        case .decoding, .response, .idle, .pong: return nil
        }
      } catch {
        guard error.code == EAGAIN else { return nil }
      }
      guard deadline > .now else { return nil }
      var descriptors = [pollfd(fd: raw, events: Int16(POLLIN), revents: 0)]
      poll(&descriptors, until: deadline)
    }
  }

  /// Ends the process, if it has not ended by itself, and returns its exit status. Returns nil the second time.
  public func end() -> ExitStatus? {
    guard !isReaped else { return nil }
    isReaped = true
    // A process that has ended before keeps its own status.
    kill(pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    // The last line of the output may contain the reason.
    forwardOutput()
    let end = status & 0x7F == 0 ? ExitStatus.exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
    if !hasResponded, usesStubs, end != .killed(signal: SIGKILL) {
      hasRejectedStubs = true
      StubLibraries.handleFailedStart(of: program, end)
    }
    return end
  }
}
