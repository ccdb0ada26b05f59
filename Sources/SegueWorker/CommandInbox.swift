// Thread: the decoding thread. libavformat also calls `checkInterruption` from within blocking reads.
internal import Glibc
internal import SegueFFmpeg
internal import SegueRing
internal import SegueSystem
internal import SegueWire
internal import SegueWorkerProtocol

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
