import SegueSystem

@testable import SegueRing

/// The pulse thread's way with a ring (SeguePulse's `GenerationReader`), and what it relies on.
struct Reader: ~Copyable {
  private var consumer: RingConsumer
  private var frameSize = 1
  /// Bytes taken so far.
  private(set) var position: UInt64 = 0
  private let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  init(_ ring: SharedRing) { consumer = RingConsumer(ring) }

  deinit { target.deallocate() }

  mutating func wait() throws(RingCorruption) {
    if try consumer.prepareToWait(frameSize: frameSize) { consumer.stopWaiting() }
  }

  mutating func look(taking most: Int) throws(RingCorruption) {
    _ = consumer.unread
    switch try consumer.head(frameSize: frameSize) {
    case .empty: break
    case .marker(let chunk):
      precondition(chunk.format.channels.isValid && chunk.generation.number > 0, "a mark that is none")
      precondition((SampleRate(1) ... .maximumOutput).contains(chunk.format.rate), "a rate that is none")
      precondition((.zero ... .maximum).contains(chunk.format.rate.time(of: chunk.mediaFrame)), "no frame of a track")
      consumer.consumeMarker()
      frameSize = chunk.format.bytesPerFrame
    case .pcm(let count):
      precondition((1...RingConsumer.capacity).contains(count) && count % frameSize == 0, "no whole frames")
      let taken = min(count, most, target.count) / frameSize * frameSize
      if most % 2 == 0 {
        consumer.read(into: UnsafeMutableRawBufferPointer(rebasing: target[..<taken]))
      } else {
        consumer.skip(taken)
      }
      position &+= UInt64(taken)
    }
  }
}
