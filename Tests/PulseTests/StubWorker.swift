import SegueRing
import SegueSystem

/// A stand-in for the worker that writes PCM into a ring from this process.
struct StubWorker: ~Copyable {
  let ring: SharedRing
  private var producer: RingProducer

  init() throws {
    ring = try SharedRing()
    producer = RingProducer(ring)
  }

  mutating func begin(
    _ generation: Generation, _ format: AudioFormat, at media: Frames = .zero, isSourceCached: Bool = false
  ) {
    producer.writeMarker(
      StreamMarker(
        kind: .begin, generation: generation, format: format, mediaFrame: media, isSourceCached: isSourceCached))
  }

  mutating func end(_ generation: Generation, _ format: AudioFormat) {
    producer.writeMarker(StreamMarker(kind: .end, generation: generation, format: format, mediaFrame: .zero))
    producer.signal()
  }

  /// Writes all of `pcm`, and waits for room where necessary.
  mutating func write(_ pcm: [UInt8]) {
    var rest = pcm[...]
    while !rest.isEmpty {
      let taken = rest.withUnsafeBytes { producer.write($0) }
      rest = rest.dropFirst(taken)
      producer.signal()
      if !rest.isEmpty, producer.prepareToWait(untilUnreadIsAtMost: RingConsumer.capacity / 2) {
        waitUntilReadable(ring.space.raw)
        producer.stopWaiting()
      }
    }
  }

  /// Writes a whole generation.
  mutating func play(_ generation: Generation, _ format: AudioFormat, _ pcm: [UInt8], at media: Frames = .zero) {
    begin(generation, format, at: media)
    write(pcm)
    end(generation, format)
  }
}
