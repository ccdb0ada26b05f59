// Thread: the only one of the process.
import CSegue
import Glibc
import SegueRing
import SegueSystem
import SegueWire
import SegueWorkerProtocol

/// A fault that the name of a file requests.
enum Fault: String {
  // Faults in which the worker ends or stops making progress.
  case crash, closeSocket
  case crashMidway
  case exhaustMemory
  case busyLoop
  // Faults in the events that the worker sends.
  case garbage, hugeEvent, nestedEvent, eventFlood, extremeNumbers, manyDescriptors
  case followerFailsEarly
  /// The worker crashes at the following track, when it has reported that it has decoded this one, and has contradicted
  /// that. The end of this one is not in the ring.
  case followerCrashes
  case unknownGeneration
  case endWithoutPCM
  // Faults in the contents of the ring.
  case writeCursor, markerCursor, readCursor, endlessMarkers
  case impossibleRate
  /// The write cursor is corrupted while the previous track is still in the ring.
  case writeCursorDuringPreviousTrack
  case markerFarAhead
  case markerBehind
  case changingWords
  case newerGeneration
  case endMarkerOnly
  // Faults in the use of the event counters.
  case counters
}

extension MaliciousWorker {
  /// Executes a fault. Returns true if the worker then continues normally.
  func misbehave(
    _ fault: Fault, _ generation: Generation, _ ring: SharedRing, _ memory: UnsafeMutableRawPointer,
    _ producer: inout RingProducer
  ) throws -> Bool {
    // If a track is to fail after it began, it plays for a second, so that tests observe it.
    let silence = [UInt8](repeating: 0, count: fault == .crashMidway ? 176_400 : 16_000)
    let next = Generation(generation.number + 1)
    let unknown = Generation(4_000_000_000)
    switch fault {
    case .crash: abort()
    case .exhaustMemory: exhaustMemory()
    case .busyLoop: while true {}
    case .closeSocket:
      close(link.raw)
      poll(nil, 0, -1)
    case .garbage: send(text: "nonsense")
    case .hugeEvent: send(text: "\"" + String(repeating: "x", count: 200_000) + "\"")
    case .nestedEvent: send(text: String(repeating: "[", count: 100_000))
    case .eventFlood: while true { try link.send(WorkerEvent.decoding(generation, .title("x", at: .zero))) }
    case .unknownGeneration:
      try link.send(WorkerEvent.decoding(unknown, .ended(duration: .maximum)))
      try link.send(WorkerEvent.decoding(unknown, .failed(Failure(.unplayable, "x"))))
      return true
    case .extremeNumbers:
      send(text: Self.extremeInfo(generation))
      send(text: #"{"event":"title","generation":\#(generation.number),"title":"x","at":9223372036854775807}"#)
      return true
    case .manyDescriptors:
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

    // In all other cases, the track begins normally.
    case .followerFailsEarly, .followerCrashes, .endWithoutPCM, .crashMidway, .writeCursor,
      .writeCursorDuringPreviousTrack,
      .markerCursor,
      .impossibleRate, .markerFarAhead, .markerBehind, .endlessMarkers, .changingWords, .newerGeneration,
      .endMarkerOnly:
      try link.send(WorkerEvent.decoding(generation, .opened(info(of: silence))))
    }
    switch fault {
    case .followerFailsEarly:
      // The next command is for the following track.
      _ = try link.receive()
      try link.send(WorkerEvent.decoding(next, .failed(Failure(.unplayable, "x"))))
    case .followerCrashes:
      begin(generation, &producer)
      write(silence, &producer)
      try link.send(WorkerEvent.decoding(generation, .decoded))
      _ = try link.receive()
      try link.send(WorkerEvent.decoding(generation, .failed(Failure(.unplayable, "x"))))
      try link.send(WorkerEvent.decoding(generation, .sourceNeeded))
      abort()
    case .endWithoutPCM:
      try link.send(WorkerEvent.decoding(generation, .ended(duration: .maximum)))
      return false
    case .impossibleRate: begin(generation, rate: SampleRate(1_000_000), &producer)
    case .endlessMarkers:
      while true {
        if producer.canWriteMarker { end(Generation(1), &producer) }
        ring.data.raise()
      }
    case .newerGeneration:
      begin(unknown, &producer)
      write(silence, &producer)
    default:
      begin(generation, &producer)
      write(silence, &producer)
      if fault == .crashMidway { abort() }
      // The previous track is in the same ring, and must not be affected.
      while fault != .writeCursorDuringPreviousTrack, producer.unread > 0 { poll(nil, 0, 5) }
    }
    switch fault {
    case .writeCursor, .writeCursorDuringPreviousTrack: memory.storeBytes(of: .max, toByteOffset: 0, as: UInt64.self)
    case .markerCursor: memory.storeBytes(of: .max, toByteOffset: 128, as: UInt64.self)
    case .markerFarAhead: writeMarker(at: .max / 2, memory)
    case .markerBehind: writeMarker(at: 3, memory)
    case .changingWords: changeWords(ring, memory)
    case .endMarkerOnly: end(generation, &producer)
    default: break
    }
    producer.signal()
    ring.data.raise()
    poll(nil, 0, -1)
    return false
  }

  /// Restarts the track `name` from its beginning, or asks for its source.
  func misbehaveOnRestart(_ name: String, _ generation: Generation) throws {
    // The faults are those of the first restart.
    defer { isRestarted = true }
    switch String(name.prefix { $0 != "." }) {
    case "restart-crash": abort()
    // The second event asks for a source that the daemon is opening already.
    case "restart-twice": for _ in 0..<2 { try link.send(WorkerEvent.decoding(generation, .sourceNeeded)) }
    // The second event asks for a source that is open already. If it is sent, `decode` crashes.
    case "restart-opened":
      guard let ring else { return }
      var producer = RingProducer(ring)
      try link.send(WorkerEvent.decoding(generation, .opened(info(of: playedSamples))))
      try link.send(WorkerEvent.decoding(generation, .sourceNeeded))
      begin(generation, &producer)
      write(playedSamples, &producer)
      end(generation, &producer)
      try link.send(WorkerEvent.decoding(generation, .ended(duration: info(of: playedSamples).duration ?? .zero)))
    default: try link.send(WorkerEvent.decoding(generation, .sourceNeeded))
    }
  }

  func misbehaveOnRequest(_ name: String) throws {
    switch String(name.prefix { $0 != "." }) {
    case "probe-crash": abort()
    case "probe-garbage": send(text: "nonsense")
    case "probe-exhaustMemory": exhaustMemory()
    case "probe-busyLoop": while true {}
    // The sandbox allows no other way to sleep.
    case "probe-slow": poll(nil, 0, 2_000)
    case "probe-unknownTicket":
      for ticket in UInt32(1_000_000)..<1_000_020 {
        try link.send(WorkerEvent.response(ticket: ticket, .failed(Failure(.unplayable, "x"))))
      }
    case "scan-nothing":
      while true { try link.send(WorkerEvent.response(ticket: 1, .scanned([]))) }
    default: return
    }
  }

  /// Writes a copy of the last marker with the position `byte`.
  private func writeMarker(at byte: UInt64, _ memory: UnsafeMutableRawPointer) {
    let markerCount = memory.load(fromByteOffset: 128, as: UInt64.self)
    let slot = memory + 4096 + Int(markerCount % 256) * 64
    slot.copyMemory(from: memory + 4096 + Int((markerCount - 1) % 256) * 64, byteCount: 64)
    slot.storeBytes(of: byte, as: UInt64.self)
    memory.storeBytes(of: markerCount + 1, toByteOffset: 128, as: UInt64.self)
  }

  /// Changes the words of the ring while they are being read. The end of the PCM alternates between its valid value and
  /// an impossible one.
  private func changeWords(_ ring: SharedRing, _ memory: UnsafeMutableRawPointer) -> Never {
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

  private func exhaustMemory() -> Never {
    while let piece = malloc(16 << 20) { memset(piece, 1, 16 << 20) }
    abort()
  }

  private func send(text: String) {
    let bytes = Array(text.utf8)
    segue_send_fds(link.raw, bytes, bytes.count, [], 0)
  }

  private static func extremeInfo(_ generation: Generation) -> String {
    let text = String(repeating: "y", count: 30_000)
    return """
      {"event":"opened","generation":\(generation.number),"info":{"audio":{"codec":"\(text)","sampleRate":-9223372036854775808,\
      "channels":9223372036854775807,"bitRate":-1},"duration":-1e308,"durationKind":"exact","seekable":true,\
      "metadata":{"title":"\(text)","artists":["\(text)"],"year":9223372036854775807,"track":-9223372036854775808}}}
      """
  }
}
