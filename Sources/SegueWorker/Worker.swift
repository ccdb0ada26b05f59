// Thread: the only one of the process. It owns all state of the process. It may block in three places only: in `wait`
// and `waitForRing`, in a read of the network (which `CommandInbox` interrupts), and in a read of a file. libavformat
// also calls `checkInterruption` from within blocking reads.

internal import Glibc
internal import SegueFFmpeg
internal import SegueRing
internal import SegueSystem
public import SegueWire
public import SegueWorkerProtocol

/// A worker that executes the daemon's commands until the daemon closes the connection.
public final class Worker {
  private let link: LinkSocket
  private let lacking: Set<SandboxMechanism>
  private let inbox: CommandInbox
  private let events: EventSender
  private let pipeline: DecodePipeline
  private let requests: RequestHandler

  /// `lacking` contains the sandbox mechanisms that could not be enabled. The worker reports them to the daemon.
  public init(_ link: LinkSocket, lacking: Set<SandboxMechanism>) {
    self.link = link
    self.lacking = lacking
    inbox = CommandInbox(link)
    events = EventSender(link)
    pipeline = DecodePipeline(inbox, events)
    requests = RequestHandler(inbox, events)
  }

  /// Prepares the process before it is sandboxed: it will end with the daemon that started it, and FFmpeg logs nothing.
  /// This function must be called once, before anything else.
  public static func prepareProcess() {
    CurrentProcess.endWithParent()
    FFmpegLibrary.disableLog()
  }

  /// Executes commands. Returns when the daemon has closed its end of the connection.
  public func run() {
    events.send(.ready(lacking: lacking))
    while true {
      inbox.collect()
      do throws(SystemError) {
        while let command = inbox.next() { try execute(command) }
      } catch {
        return Log.error("\(error)")
      }
      if inbox.isClosed { return }
      switch pipeline.work() {
      // The sound server and the daemon may wait for this processor to begin with the PCM.
      case .busy: if pipeline.hasEnoughForNow { sched_yield() }
      case .idle: wait()
      case .ringFull(let left): waitForRing(untilLeft: left)
      case .waiting(let deadline): wait(until: deadline)
      }
    }
  }

  private func execute(_ received: ReceivedCommand) throws(SystemError) {
    switch received.command {
    case .ring: pipeline.attach(try received.takeRing())
    case .open(let generation, let source, let start):
      let input = try received.takeInput(of: source, inbox)
      pipeline.open(DecodeJob(generation, source, .input(input), start: start))
    case .follow(let generation, let source, let predecessor, let start):
      let input = try received.takeInput(of: source, inbox)
      pipeline.follow(DecodeJob(generation, source, .input(input), start: start), after: predecessor)
    case .restart(let generation, let source, let previous, let start):
      pipeline.restart(generation, source, of: previous, start: start)
    case .halt: pipeline.halt()
    case .request(let ticket, let request): try requests.handle(request, received, ticket: ticket)
    }
  }

  /// Waits for a command, but not beyond `deadline`.
  private func wait(until deadline: MonotonicTime? = nil) {
    var waiting = [pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0)]
    poll(&waiting, until: deadline)
  }

  /// Waits for a command, or until the consumer has made room in the ring or only `left` is left in it. Meanwhile a
  /// file on a server is read ahead.
  private func waitForRing(untilLeft left: MediaTime?) {
    guard let space = pipeline.prepareToWaitForRing(untilLeft: left) else { return }
    defer { pipeline.stopWaitingForRing() }
    var waiting = [link.raw, space, -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    repeat {
      // poll(2) ignores negative descriptors.
      waiting[2].fd = pipeline.readAhead() ?? -1
      poll(&waiting, until: nil)
    } while waiting[0].revents == 0 && waiting[1].revents == 0
  }
}

/// A sender of events to the daemon.
final class EventSender {
  private let link: LinkSocket

  init(_ link: LinkSocket) { self.link = link }

  func send(_ event: WorkerEvent) {
    do {
      try link.send(event)
    } catch {
      // The daemon has exited. `Worker.run` returns when it finds the socket closed.
      Log.debug("\(error)")
    }
  }
  /// Sends an event of the decoding of a generation.
  func send(_ generation: Generation, _ event: DecodingEvent) { send(.decoding(generation, event)) }

  /// Sends a response to the request with this ticket.
  func send(_ ticket: UInt32, _ response: WorkerResponse) { send(.response(ticket: ticket, response)) }
}

/// A queue of the commands that were received and not yet executed.
final class CommandInbox {
  private let link: LinkSocket
  private var commands: [ReceivedCommand] = []
  /// Whether the daemon has closed the connection or sent a malformed packet.
  private(set) var isClosed = false

  init(_ link: LinkSocket) { self.link = link }

  /// Receives all commands that are ready, without blocking.
  func collect() {
    while !isClosed {
      var waiting = pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) > 0 else { return }
      receive()
    }
  }

  /// The descriptor that is readable when a command has arrived.
  var descriptor: Int32 { link.raw }

  func next() -> ReceivedCommand? { commands.isEmpty ? nil : commands.removeFirst() }

  /// Receives the commands that are ready and returns whether the current read is to be abandoned.
  func checkInterruption() -> Bool {
    collect()
    return isClosed || commands.contains { $0.command.replacesSource }
  }

  private func receive() {
    do {
      guard let packet = try link.receive() else {
        isClosed = true
        return
      }
      guard let command = WorkerCommand(try JSON(parsing: packet.bytes)) else {
        Log.warning("unknown command")
        return
      }
      commands.append(ReceivedCommand(command, packet))
    } catch {
      Log.error("\(error)")
      isClosed = true
    }
  }
}

/// A command with the descriptors that came with it, which are taken in their order.
final class ReceivedCommand {
  let command: WorkerCommand
  private var packet: LinkPacket

  init(_ command: WorkerCommand, _ packet: consuming LinkPacket) {
    self.command = command
    self.packet = packet
  }

  func takeRing() throws(SystemError) -> SharedRing {
    let memory = try takeDescriptor()
    let space = try takeDescriptor()
    return try SharedRing(adopting: memory, space: space, data: try takeDescriptor())
  }

  /// Takes the bytes of `source`: a file, or the channel to the fetch process, whose reads end when `inbox` receives a
  /// command that replaces the source.
  func takeInput(of source: MediaSource, _ inbox: CommandInbox) throws(SystemError) -> MediaInput {
    guard let url = source.url else { return .file(try takeFile()) }
    return .stream(FetchClient(LinkSocket(try takeDescriptor()), url: url, inbox: inbox))
  }

  func takeFile() throws(SystemError) -> FileInput { FileInput(try takeDescriptor()) }

  func takeMemoryFile() throws(SystemError) -> SharedMemoryFile { try SharedMemoryFile(adopting: try takeDescriptor()) }

  private func takeDescriptor() throws(SystemError) -> Descriptor {
    guard let descriptor = packet.takeDescriptor() else {
      throw SystemError("recvmsg", "a command without its descriptors", code: EPROTO)
    }
    return descriptor
  }
}
