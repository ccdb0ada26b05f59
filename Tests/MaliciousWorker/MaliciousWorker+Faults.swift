// One thread, the process' only one.
import CSegue
import Glibc
import SegueLink
import SegueRing
import SegueSystem
import SegueWire

/// What may be wrong with it, by the name of the file that made it so.
enum Fault: String {
  // It ends, or does not go on.
  case crash, midway, hangup, eat, spin
  // What it says.
  case garbage, huge, nested, flood, early, stranger, mute, numbers, descriptors
  // What it writes into the ring.
  case writeCursor, rude, markCursor, readCursor, rate, far, behind, marks, flip, newer, unended
  // What it does with the counters.
  case counters
}

extension MaliciousWorker {
  /// True if it goes on as if nothing were wrong.
  func misbehave(
    _ fault: Fault, _ generation: Generation, _ ring: SharedRing, _ memory: UnsafeMutableRawPointer,
    _ producer: inout RingProducer
  ) throws -> Bool {
    // What is begun well and breaks off is heard for a second, so that whoever watches sees it, too.
    let silence = [UInt8](repeating: 0, count: fault == .midway ? 176_400 : 16_000)
    let next = Generation(generation.number + 1)
    let unknown = Generation(4_000_000_000)
    switch fault {
    case .crash: abort()
    case .eat: eat()
    case .spin: while true {}
    case .hangup:
      close(link.raw)
      poll(nil, 0, -1)
    case .garbage: say("nonsense")
    case .huge: say("\"" + String(repeating: "x", count: 200_000) + "\"")
    case .nested: say(String(repeating: "[", count: 100_000))
    case .flood: while true { try link.send(WorkerEvent.title(generation, "x", at: .zero)) }
    case .stranger:
      try link.send(WorkerEvent.ended(unknown, duration: .maximum))
      try link.send(WorkerEvent.failed(unknown, Failure(.unplayable, "x")))
      return true
    case .numbers:
      say(Self.wildInfo(generation))
      say(#"{"event":"title","generation":\#(generation.number),"title":"x","at":9223372036854775807}"#)
      return true
    case .descriptors:
      let title = Array(#"{"event":"title","generation":\#(generation.number),"title":"x","at":0}"#.utf8)
      for _ in 0..<100 { segue_send_fds(link.raw, title, title.count, [0, 1, 2, link.raw], 4) }
      return true
    case .counters:
      var most = UInt64.max - 1
      var count: UInt64 = 0
      for counter in [ring.space.raw, ring.data.raw] { Glibc.write(counter, &most, 8) }
      Glibc.read(ring.data.raw, &count, 8)
      return true
    case .readCursor:
      memory.storeBytes(of: .max, toByteOffset: 64, as: UInt64.self)
      memory.storeBytes(of: .max, toByteOffset: 192, as: UInt64.self)
      return true

    // The others have begun well.
    case .early, .mute, .midway, .writeCursor, .rude, .markCursor, .rate, .far, .behind, .marks, .flip, .newer,
      .unended:
      try link.send(WorkerEvent.opened(generation, info(of: silence)))
    }
    switch fault {
    case .early:
      // The next order is that for the track behind this one.
      _ = try link.receive()
      try link.send(WorkerEvent.failed(next, Failure(.unplayable, "x")))
    case .mute:
      try link.send(WorkerEvent.ended(generation, duration: .maximum))
      return false
    case .rate: begin(generation, rate: SampleRate(1_000_000), &producer)
    case .marks:
      while true {
        if producer.canWriteMarker { end(Generation(1), &producer) }
        ring.data.raise()
      }
    case .newer:
      begin(unknown, &producer)
      write(silence, &producer)
    default:
      begin(generation, &producer)
      write(silence, &producer)
      if fault == .midway { abort() }
      // What came before is in the same ring, and not to suffer for what is shown here.
      while fault != .rude, producer.unread > 0 { poll(nil, 0, 5) }
    }
    switch fault {
    case .writeCursor, .rude: memory.storeBytes(of: .max, toByteOffset: 0, as: UInt64.self)
    case .markCursor: memory.storeBytes(of: .max, toByteOffset: 128, as: UInt64.self)
    case .far: mark(at: .max / 2, memory)
    case .behind: mark(at: 3, memory)
    case .flip: flip(ring, memory)
    case .unended: end(generation, &producer)
    default: break
    }
    producer.signal()
    ring.data.raise()
    poll(nil, 0, -1)
    return false
  }

  func misbehaveWhenAsked(_ name: String) throws {
    switch String(name.prefix { $0 != "." }) {
    case "probe-crash": abort()
    case "probe-garbage": say("nonsense")
    case "probe-eat": eat()
    case "probe-spin": while true {}
    // Its lock-in knows no other way to sleep.
    case "probe-slow": poll(nil, 0, 2_000)
    case "probe-stranger":
      for ticket in UInt32(1_000_000)..<1_000_020 {
        try link.send(WorkerEvent.failedProbe(ticket: ticket, Failure(.unplayable, "x")))
      }
    case "scan-nothing":
      while true { try link.send(WorkerEvent.scanned(ticket: 1, [])) }
    default: return
    }
  }

  /// Another mark as the one before, but that it claims to stand at this byte.
  private func mark(at byte: UInt64, _ memory: UnsafeMutableRawPointer) {
    let marks = memory.load(fromByteOffset: 128, as: UInt64.self)
    let slot = memory + 4096 + Int(marks % 256) * 64
    slot.copyMemory(from: memory + 4096 + Int((marks - 1) % 256) * 64, byteCount: 64)
    slot.storeBytes(of: byte, as: UInt64.self)
    memory.storeBytes(of: marks + 1, toByteOffset: 128, as: UInt64.self)
  }

  /// Changes the words while they are being read; the end of the PCM between what it is and what it cannot be.
  private func flip(_ ring: SharedRing, _ memory: UnsafeMutableRawPointer) -> Never {
    let written = memory.load(as: UInt64.self)
    var random = SystemRandomNumberGenerator()
    while true {
      for end in [written, written | 1 << 63] {
        memory.storeBytes(of: end, as: UInt64.self)
        for offset in [64, 128, 192, 256, 320, 4096, 4104, 4120, 4128] {
          memory.storeBytes(of: random.next() >> (random.next() % 64), toByteOffset: offset, as: UInt64.self)
        }
        ring.data.raise()
      }
    }
  }

  private func eat() -> Never {
    while let piece = malloc(16 << 20) { memset(piece, 1, 16 << 20) }
    abort()
  }

  private func say(_ text: String) {
    let bytes = Array(text.utf8)
    segue_send_fds(link.raw, bytes, bytes.count, [], 0)
  }

  private static func wildInfo(_ generation: Generation) -> String {
    let text = String(repeating: "y", count: 30_000)
    return """
      {"event":"opened","generation":\(generation.number),"info":{"audio":{"codec":"\(text)","sampleRate":-9223372036854775808,\
      "channels":9223372036854775807,"bitRate":-1},"duration":-1e308,"durationKind":"exact","seekable":true,\
      "metadata":{"title":"\(text)","artists":["\(text)"],"year":9223372036854775807,"track":-9223372036854775808}}}
      """
  }
}
