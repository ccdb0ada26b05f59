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
    case open(Generation, MediaSource, SourceFile?, start: MediaTime)
    case follow(Generation, MediaSource, SourceFile?, after: Generation, start: MediaTime)
    case halt
    case request(ticket: UInt32, Request)

    /// Whether the command makes the source that is being decoded obsolete.
    var replacesSource: Bool {
      switch self {
      case .open, .halt: true
      case .ring, .follow, .request: false
      }
    }
  }

  /// A request about files or texts. The response to it carries its ticket.
  enum Request {
    case probe(MediaSource, SourceFile?)
    case scan([(name: String, file: SourceFile)])
    case lyrics(name: String, SourceFile)
    case cover(name: String, CoverRequest, SourceFile, target: SharedMemoryFile)
    case measure(MediaSource, SourceFile?, isFirst: Bool)
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
      commands.append(try Self.command(command, &packet))
    } catch {
      Log.error("\(error)")
      isClosed = true
    }
  }

  private static func command(_ command: WorkerCommand, _ packet: inout LinkPacket) throws(SystemError) -> Command {
    switch command {
    case .ring:
      let memory = try descriptor(&packet)
      let space = try descriptor(&packet)
      return .ring(try SharedRing(adopting: memory, space: space, data: try descriptor(&packet)))
    case .open(let generation, let source, let start):
      return .open(generation, source, optionalFile(&packet), start: start)
    case .follow(let generation, let source, let predecessor, let start):
      return .follow(generation, source, optionalFile(&packet), after: predecessor, start: start)
    case .halt: return .halt
    case .probe(let ticket, let source):
      return .request(ticket: ticket, .probe(source, optionalFile(&packet)))
    case .scan(let ticket, let names):
      let files = try names.map { name throws(SystemError) in (name, try file(&packet)) }
      return .request(ticket: ticket, .scan(files))
    case .lyrics(let ticket, let name):
      return .request(ticket: ticket, .lyrics(name: name, try file(&packet)))
    case .cover(let ticket, let name, let request):
      let source = try file(&packet)
      return .request(ticket: ticket, .cover(name: name, request, source, target: try memoryFile(&packet)))
    case .measure(let ticket, let source, let isFirst):
      return .request(ticket: ticket, .measure(source, optionalFile(&packet), isFirst: isFirst))
    case .collate(let ticket, let texts):
      return .request(ticket: ticket, .collate(texts))
    case .transcode(let ticket):
      let source = try file(&packet)
      return .request(ticket: ticket, .transcode(source, target: try memoryFile(&packet)))
    }
  }

  /// Returns the next file of the packet; nil for a network stream, which has none.
  private static func optionalFile(_ packet: inout LinkPacket) -> SourceFile? {
    guard let descriptor = packet.takeDescriptor() else { return nil }
    return SourceFile(descriptor)
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
