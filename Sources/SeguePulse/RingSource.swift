// Pulse thread only.
internal import SegueRing
internal import SegueSystem

/// A ring, its one consumer, and the watch on its data.
final class RingSource {
  let ring: SharedRing
  var consumer: RingConsumer
  private var watch: ReadWatch?

  init(_ ring: SharedRing, loop: PulseLoop, dataCame: @escaping () -> Void) {
    self.ring = ring
    consumer = RingConsumer(ring)
    watch = nil
    watch = ReadWatch(loop, descriptor: ring.data.raw) { [unowned self] in
      consumer.stopWaiting()
      watch?.isEnabled = false
      dataCame()
    }
  }

  /// Asks to be called when there is a whole frame or a mark. False if there is by now: then look again.
  func wait(frameSize: Int) throws(RingCorruption) -> Bool {
    guard try consumer.prepareToWait(frameSize: frameSize) else { return false }
    watch?.isEnabled = true
    return true
  }

  func stopWaiting() {
    guard watch?.isEnabled == true else { return }
    watch?.isEnabled = false
    consumer.stopWaiting()
  }
}
