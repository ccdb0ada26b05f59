// Thread: the only one of the process, which owns all state.
import Glibc
import SegueRing
import SegueSystem
import SegueWire
import SegueWorkerProtocol

/// A worker that behaves normally until a file name requests a fault.
final class MaliciousWorker {
  let link: LinkSocket
  var ring: SharedRing?
  /// A second mapping of the ring's memory, to write what the ring's own producer would not.
  var memory: UnsafeMutableRawPointer?
  /// Whether a command to restart a track was received.
  var isRestarted = false
  /// The PCM of the last track that was decoded without a fault.
  var playedSamples: [UInt8] = []

  static let format = AudioFormat(sample: .signed16, rate: .cd, channels: .stereo)

  init(_ link: LinkSocket) { self.link = link }

  func run() throws {
    try link.send(WorkerEvent.ready(lacking: []))
    while try executeCommand() {}
  }

  /// Executes a command. Returns false once the daemon has closed the connection.
  private func executeCommand() throws -> Bool {
    guard var packet = try link.receive() else { return false }
    switch WorkerCommand(try JSON(parsing: packet.bytes)) {
    case .ring:
      guard let file = packet.takeDescriptor(), let space = packet.takeDescriptor(), let data = packet.takeDescriptor()
      else { return false }
      let ring = try SharedRing(adopting: file, space: space, data: data)
      memory = mmap(nil, SharedRing.size, PROT_READ | PROT_WRITE, MAP_SHARED, ring.memory.raw, 0)
      self.ring = ring
    case .open(let generation, let source, _), .follow(let generation, let source, _, _):
      guard let file = packet.takeDescriptor() else { return true }
      try decode(generation, source.name, samples(of: file))
    case .request(let ticket, let request): return try respond(to: request, ticket, &packet)
    case .restart(let generation, let source, _, _): try misbehaveOnRestart(source.name, generation)
    case .halt, nil: break
    }
    return true
  }

  /// Responds to a request. Returns whether the worker goes on.
  private func respond(to request: WorkerRequest, _ ticket: UInt32, _ packet: inout LinkPacket) throws -> Bool {
    switch request {
    case .probe(let source):
      guard let file = packet.takeDescriptor() else { return true }
      try misbehaveOnRequest(source.name)
      try link.send(WorkerEvent.response(ticket: ticket, .probed(info(of: samples(of: file)))))
    case .scan(let names):
      for name in names {
        guard let file = packet.takeDescriptor() else { return true }
        try misbehaveOnRequest(name)
        try link.send(WorkerEvent.response(ticket: ticket, .scanned([.facts(facts(of: samples(of: file)))])))
      }
    case .cover: try link.send(WorkerEvent.response(ticket: ticket, .cover(nil)))
    case .collate(let texts):
      // The keys have a different order than those of all other workers.
      let keys = texts.map { $0.text.utf8.map { 0xF0 - min($0, 0xEF) } }
      try link.send(WorkerEvent.response(ticket: ticket, .collated(keys, collation: "backwards")))
    case .transcode:
      // The size exceeds that of the memory file.
      try link.send(WorkerEvent.response(ticket: ticket, .transcoded(size: .max)))
    case .lyrics, .measure: break
    }
    return true
  }

  private func decode(_ generation: Generation, _ name: String, _ samples: [UInt8]) throws {
    guard let ring, let memory else { return }
    var producer = RingProducer(ring)
    // The name of a stream is its URL.
    let lastComponent = name.split(separator: "/").last ?? ""
    if isRestarted, lastComponent.hasPrefix("restart-opened") { abort() }
    if let fault = Fault(rawValue: String(lastComponent.prefix { $0 != "." })) {
      guard try misbehave(fault, generation, ring, memory, &producer) else { return }
    }
    try link.send(WorkerEvent.decoding(generation, .opened(info(of: samples))))
    begin(generation, &producer)
    write(samples, &producer)
    // The daemon restarts only what is being decoded.
    playedSamples = samples
    if lastComponent.hasPrefix("restart-"), !isRestarted { return }
    end(generation, &producer)
    try link.send(WorkerEvent.decoding(generation, .ended(duration: info(of: samples).duration ?? .zero)))
  }

  // MARK: Normal behaviour

  func begin(_ generation: Generation, rate: SampleRate = .cd, _ producer: inout RingProducer) {
    var format = Self.format
    format.rate = rate
    producer.writeMarker(StreamMarker(kind: .begin, generation: generation, format: format, mediaFrame: .zero))
  }

  func end(_ generation: Generation, _ producer: inout RingProducer) {
    producer.writeMarker(StreamMarker(kind: .end, generation: generation, format: Self.format, mediaFrame: .zero))
    producer.signal()
  }

  func write(_ samples: [UInt8], _ producer: inout RingProducer) {
    var rest = samples[...]
    while !rest.isEmpty {
      let room = min(rest.count, producer.free & ~3)
      rest = rest.dropFirst(rest[..<(rest.startIndex + room)].withUnsafeBytes { producer.write($0) })
      producer.signal()
      if !rest.isEmpty { poll(nil, 0, 5) }
    }
  }

  func info(of samples: [UInt8]) -> MediaInfo {
    MediaInfo(
      audio: Audio(
        codec: "pcm_s16le", container: "wav", sampleRate: 44_100, channels: 2, bitDepth: 16, bitRate: 1_411_200,
        lossless: true, gapless: .exact),
      duration: SampleRate.cd.time(of: Frames(samples.count / 4)), durationKind: .exact, seekable: true,
      metadata: Metadata())
  }

  private func facts(of samples: [UInt8]) -> FileFacts {
    var info = info(of: samples)
    info.metadata.album = "Malicious"
    return FileFacts(
      info: info, details: TagDetails(), sortKeys: SortKeys(), hasCover: false, hasLyrics: false,
      chapters: [])
  }

  /// Returns the samples after the 44 bytes of a plain WAV header.
  private func samples(of file: borrowing Descriptor) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = pread(file.raw, &bytes, bytes.count, 44)
    return Array(bytes[..<max(0, count)])
  }
}
