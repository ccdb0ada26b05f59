internal import Glibc
internal import SegueSystem

/// The writing end of a ring. It is used in the worker process, on the decode thread only.
public struct RingProducer: ~Copyable {
  public let ring: SharedRing
  private var written: UInt64
  private var markersWritten: UInt64

  public init(_ ring: SharedRing) {
    self.ring = ring
    written = ring.word(RingLayout.writeCursor).relaxed()
    markersWritten = ring.word(RingLayout.markerWriteCursor).relaxed()
  }

  /// The number of bytes that were written and not read yet.
  public var unread: Int { Int(written &- ring.word(RingLayout.readCursor).acquire()) }

  /// The number of bytes that can be written.
  public var free: Int { RingLayout.pcmCapacity - unread }

  /// Whether there is space for another marker.
  public var canWriteMarker: Bool {
    markersWritten &- ring.word(RingLayout.markerReadCursor).acquire() < UInt64(RingLayout.markerCapacity)
  }

  /// Copies as much of `frames` as fits, publishes it, and returns the number of bytes. To write only whole frames, the
  /// caller passes at most `free` bytes, rounded down to whole frames.
  public mutating func write(_ frames: UnsafeRawBufferPointer) -> Int {
    let count = min(frames.count, free)
    guard count > 0, let source = frames.baseAddress else { return 0 }
    let start = Int(written % UInt64(RingLayout.pcmCapacity))
    let first = min(count, RingLayout.pcmCapacity - start)
    memcpy(ring.pcm + start, source, first)
    memcpy(ring.pcm, source + first, count - first)
    written &+= UInt64(count)
    ring.word(RingLayout.writeCursor).announce(written)
    return count
  }

  /// Writes a marker at the write position. `canWriteMarker` must be true.
  public mutating func writeMarker(_ marker: StreamMarker) {
    precondition(canWriteMarker, "the ring has no space for another marker")
    ring.record(markersWritten).pointee = MarkerRecord(marker, at: written)
    markersWritten &+= 1
    ring.word(RingLayout.markerWriteCursor).announce(markersWritten)
  }

  /// Wakes the consumer if it waits. The producer calls this after it has written enough to start, and after every
  /// `end`.
  public func signal() { ring.wakeConsumer() }

  /// Announces that the producer waits on `ring.space` until at most `threshold` bytes are unread. Returns false if
  /// that is the case already; the caller then does not wait.
  public func prepareToWait(untilUnreadIsAtMost threshold: Int) -> Bool {
    ring.word(RingLayout.producerWaitCondition).announce(UInt64(threshold))
    let read = ring.word(RingLayout.readCursor).observe()
    if Int(written &- read) <= threshold {
      stopWaiting()
      return false
    }
    return true
  }

  /// Announces that the producer waits on `ring.space` until there is space for a marker. Returns false if there is
  /// space already; the caller then does not wait.
  public func prepareToWaitForMarkerSpace() -> Bool {
    ring.word(RingLayout.producerWaitCondition).announce(RingLayout.markerConsumed)
    guard markersWritten &- ring.word(RingLayout.markerReadCursor).observe() < UInt64(RingLayout.markerCapacity) else {
      return true
    }
    stopWaiting()
    return false
  }

  /// Withdraws the announcement and clears the signal.
  public func stopWaiting() { ring.endProducerWait() }
}
