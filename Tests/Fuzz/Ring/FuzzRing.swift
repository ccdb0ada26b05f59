import SegueSystem

@testable import SegueRing

/// A fuzzer for the consumer of a ring whose producer is malicious. The input is a script of writes to the shared
/// memory and reads of the consumer.
func fuzzRing(_ input: UnsafeRawBufferPointer) {
  var script = Script(input)
  memory.initializeMemory(as: UInt8.self, repeating: 0, count: RingLayout.pcm)
  ring.word(RingLayout.producerWaitCondition).publish(RingLayout.notWaiting)
  ring.storeReadPosition(bytes: 0, markers: 0)
  var reader = Reader(ring)
  while let command = script.next() {
    switch command % 8 {
    case 0: ring.word(64 * Int(script.number(1) % 6)).announce(script.number(8))
    case 1: ring.word(64 * Int(script.number(1) % 6)).announce(reader.position &+ script.number(3))
    case 2: write(script.take(40), toRecord: script.number(1))
    case 3: write(script.marker(at: reader.position), toRecord: script.number(1))
    case 4: guard (try? reader.wait()) != nil else { return }
    default: guard (try? reader.read(Int(script.number(2)))) != nil else { return }
    }
  }
}

private let ring = {
  guard let ring = try? SharedRing() else { fatalError("cannot create a ring") }
  return ring
}()

// Proof: the fuzzer has one thread.
private nonisolated(unsafe) let memory = ring.base

private func write(_ bytes: [UInt8], toRecord index: UInt64) {
  let record = memory + RingLayout.markers + Int(index) * RingLayout.markerStride
  record.copyMemory(from: bytes, byteCount: min(bytes.count, RingLayout.markerStride))
}
