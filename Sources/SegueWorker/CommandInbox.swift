// Decoding thread only. libavformat also calls `checkInterruption` from within blocking reads.
internal import Glibc
internal import SegueFFmpeg
internal import SegueLink
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// A queue of the commands that were received and not yet executed.
final class CommandInbox {
  /// A command with the descriptors that came with it.
  enum Command {
    case ring(SharedRing)
    case open(Generation, MediaSource, MediaInput, start: MediaTime)
    case follow(Generation, MediaSource, MediaInput, after: Generation, start: MediaTime)
    case restart(Generation, MediaSource, of: Generation, start: MediaTime)
    case halt
    case request(ticket: UInt32, Request)

    /// Whether the command makes the source that is being decoded obsolete.
    var replacesSource: Bool {
      switch self {
      case .open, .restart, .halt: true
      case .ring, .follow, .request: false
      }
    }
  }

  /// A request about files or texts. The response to it carries its ticket.
  enum Request {
    case probe(MediaSource, MediaInput)
    case scan([(name: String, file: SourceFile)])
    case lyrics(name: String, SourceFile)
    case cover(name: String, CoverRequest, SourceFile, target: SharedMemoryFile)
    case measure(MediaSource, MediaInput, isFirst: Bool)
    case collate([CollationInput])
    case transcode(SourceFile, target: SharedMemoryFile)
  }

  private let link: LinkSocket
  private var commands: [Command] = []
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

  func next() -> Command? { commands.isEmpty ? nil : commands.removeFirst() }

  /// Receives the commands that are ready and returns whether the current read is to be abandoned.
  func checkInterruption() -> Bool {
    collect()
    return isClosed || commands.contains(where: \.replacesSource)
  }

  private func receive() {
    do {
      guard var packet = try link.receive() else {
        isClosed = true
        return
      }
      guard let command = WorkerCommand(try JSON(parsing: packet.bytes)) else {
        Log.warning("unknown command")
        return
      }
      commands.append(try self.command(command, &packet))
    } catch {
      Log.error("\(error)")
      isClosed = true
    }
  }

  private func command(_ command: WorkerCommand, _ packet: inout LinkPacket) throws(SystemError) -> Command {
    switch command {
    case .ring:
      let memory = try Self.descriptor(&packet)
      let space = try Self.descriptor(&packet)
      return .ring(try SharedRing(adopting: memory, space: space, data: try Self.descriptor(&packet)))
    case .open(let generation, let source, let start):
      return .open(generation, source, try input(source, &packet), start: start)
    case .follow(let generation, let source, let predecessor, let start):
      return .follow(generation, source, try input(source, &packet), after: predecessor, start: start)
    case .restart(let generation, let source, let previous, let start):
      return .restart(generation, source, of: previous, start: start)
    case .halt: return .halt
    case .probe(let ticket, let source):
      return .request(ticket: ticket, .probe(source, try input(source, &packet)))
    case .scan(let ticket, let names):
      let files = try names.map { name throws(SystemError) in (name, try Self.file(&packet)) }
      return .request(ticket: ticket, .scan(files))
    case .lyrics(let ticket, let name):
      return .request(ticket: ticket, .lyrics(name: name, try Self.file(&packet)))
    case .cover(let ticket, let name, let request):
      let source = try Self.file(&packet)
      return .request(ticket: ticket, .cover(name: name, request, source, target: try Self.memoryFile(&packet)))
    case .measure(let ticket, let source, let isFirst):
      return .request(ticket: ticket, .measure(source, try input(source, &packet), isFirst: isFirst))
    case .collate(let ticket, let texts):
      return .request(ticket: ticket, .collate(texts))
    case .transcode(let ticket):
      let source = try Self.file(&packet)
      return .request(ticket: ticket, .transcode(source, target: try Self.memoryFile(&packet)))
    case .serve, .serveCatalogs, .trust, .ping:
      throw SystemError("recvmsg", "a command of the fetch process", code: EPROTO)
    }
  }

  /// Returns the next descriptor of the packet as the bytes of `source`: a file, or the channel to the fetch process.
  private func input(_ source: MediaSource, _ packet: inout LinkPacket) throws(SystemError) -> MediaInput {
    guard let url = source.url else { return .file(try Self.file(&packet)) }
    return .stream(FetchClient(LinkSocket(try Self.descriptor(&packet)), url: url, inbox: self))
  }

  private static func file(_ packet: inout LinkPacket) throws(SystemError) -> SourceFile {
    SourceFile(try descriptor(&packet))
  }

  private static func memoryFile(_ packet: inout LinkPacket) throws(SystemError) -> SharedMemoryFile {
    try SharedMemoryFile(adopting: try descriptor(&packet))
  }

  private static func descriptor(_ packet: inout LinkPacket) throws(SystemError) -> Descriptor {
    guard let descriptor = packet.takeDescriptor() else {
      throw SystemError("recvmsg", "a command without its descriptors", code: EPROTO)
    }
    return descriptor
  }
}
