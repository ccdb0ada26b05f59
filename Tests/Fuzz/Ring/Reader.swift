import SegueSystem

@testable import SegueRing

/// A reader that uses a ring as `GenerationReader` of SeguePulse does, and checks the guarantees on which that relies.
struct Reader: ~Copyable {
  private var consumer: RingConsumer
  private var frameSize = 1
  /// The number of bytes that were read.
  private(set) var position: UInt64 = 0
  private let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

  init(_ ring: SharedRing) { consumer = RingConsumer(ring) }

  deinit { target.deallocate() }

  mutating func wait() throws(RingCorruption) {
    if try consumer.prepareToWait(frameSize: frameSize) { consumer.stopWaiting() }
  }

  mutating func read(_ maximum: Int) throws(RingCorruption) {
    _ = consumer.unread
    switch try consumer.head(frameSize: frameSize) {
    case .empty: break
    case .marker(let marker):
      precondition(marker.format.channels.isValid && marker.generation.number > 0, "an invalid marker")
      precondition((SampleRate(1) ... .maximumOutput).contains(marker.format.rate), "an invalid rate")
      precondition(
        (.zero ... .maximum).contains(marker.format.rate.time(of: marker.mediaFrame)), "an invalid frame number")
      consumer.consumeMarker()
      frameSize = marker.format.bytesPerFrame
    case .pcm(let count):
      precondition((1...RingConsumer.capacity).contains(count) && count % frameSize == 0, "not whole frames")
      let taken = min(count, maximum, target.count) / frameSize * frameSize
      if maximum % 2 == 0 {
        consumer.read(into: UnsafeMutableRawBufferPointer(rebasing: target[..<taken]))
      } else {
        consumer.skip(taken)
      }
      position &+= UInt64(taken)
    }
  }
}
