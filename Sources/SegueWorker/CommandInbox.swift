// Decoding thread only, also from within a blocking read of libavformat, which asks through `callback` whether to go on.
internal import Glibc
internal import SegueFFmpeg
internal import SegueLink
internal import SegueRing
internal import SegueSystem
internal import SegueWire

/// The orders that came and were not carried out yet.
final class CommandInbox {
  /// An order together with what came beside it.
  enum Item {
    case ring(SharedRing)
    case open(Generation, MediaSource, SourceFile?, start: MediaTime)
    case follow(Generation, MediaSource, SourceFile?, after: Generation, start: MediaTime)
    case halt
    case probe(ticket: UInt32, MediaSource, SourceFile?)
    case scan(ticket: UInt32, [(name: String, file: SourceFile)])
    case lyrics(ticket: UInt32, name: String, SourceFile)
    case cover(ticket: UInt32, name: String, CoverRequest, SourceFile, target: SharedMemoryFile)
    case measure(ticket: UInt32, MediaSource, SourceFile?, isFirst: Bool)
    case collate(ticket: UInt32, [CollationInput])
    case transcode(ticket: UInt32, SourceFile, target: SharedMemoryFile)

    /// Whether whatever is being decoded is of no use any more.
    var replacesAll: Bool {
      switch self {
      case .open, .halt: true
      case .ring, .follow, .probe, .scan, .lyrics, .cover, .measure, .collate, .transcode: false
      }
    }
  }

  private let link: LinkSocket
  private var items: [Item] = []
  /// The daemon has gone, or speaks nonsense: there is nothing to live for.
  private(set) var isClosed = false

  init(_ link: LinkSocket) { self.link = link }

  /// Receives everything that lies ready, without waiting.
  func collect() {
    while !isClosed {
      var waiting = pollfd(fd: link.raw, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) > 0 else { return }
      receive()
    }
  }

  func next() -> Item? { items.isEmpty ? nil : items.removeFirst() }

  /// Whether what is being read now should be given up.
  var wantsInterruption: Bool { isClosed || items.contains(where: \.replacesAll) }

  /// Receives the commands that are ready and returns whether the current read is to be given up. libavformat calls this
  /// every tenth of a second while it waits for the network.
  func checkInterruption() -> Bool {
    collect()
    return wantsInterruption
  }

  private func receive() {
    do {
      guard var packet = try link.receive() else {
        isClosed = true
        return
      }
      guard let order = WorkerCommand(try JSON(parsing: packet.bytes)) else {
        Log.warning("an order that is none of ours")
        return
      }
      items.append(try Self.item(of: order, &packet))
    } catch {
      Log.error("\(error)")
      isClosed = true
    }
  }

  private static func file(_ packet: inout LinkPacket) -> SourceFile? {
    guard let descriptor = packet.takeDescriptor() else { return nil }
    return SourceFile(descriptor)
  }

  private static func needed(_ packet: inout LinkPacket) throws(SystemError) -> SourceFile {
    guard let file = file(&packet) else { throw missing }
    return file
  }

  private static var missing: SystemError { SystemError("recvmsg", "an order without its descriptors", code: EPROTO) }

  private static func item(of order: WorkerCommand, _ packet: inout LinkPacket) throws(SystemError) -> Item {
    switch order {
    case .ring:
      guard let memory = packet.takeDescriptor(), let space = packet.takeDescriptor(),
        let data = packet.takeDescriptor()
      else { throw missing }
      return .ring(try SharedRing(adopting: memory, space: space, data: data))
    case .open(let generation, let source, let start):
      return .open(generation, source, file(&packet), start: start)
    case .follow(let generation, let source, let after, let start):
      return .follow(generation, source, file(&packet), after: after, start: start)
    case .halt: return .halt
    case .probe(let ticket, let source):
      return .probe(ticket: ticket, source, file(&packet))
    case .scan(let ticket, let names):
      return .scan(ticket: ticket, try names.map { name throws(SystemError) in (name, try needed(&packet)) })
    case .lyrics(let ticket, let name):
      return .lyrics(ticket: ticket, name: name, try needed(&packet))
    case .cover(let ticket, let name, let wish):
      let file = try needed(&packet)
      guard let target = packet.takeDescriptor() else { throw missing }
      return .cover(ticket: ticket, name: name, wish, file, target: try SharedMemoryFile(adopting: target))
    case .measure(let ticket, let source, let isFirst):
      return .measure(ticket: ticket, source, file(&packet), isFirst: isFirst)
    case .collate(let ticket, let texts):
      return .collate(ticket: ticket, texts)
    case .transcode(let ticket):
      let file = try needed(&packet)
      guard let target = packet.takeDescriptor() else { throw missing }
      return .transcode(ticket: ticket, file, target: try SharedMemoryFile(adopting: target))
    }
  }
}
