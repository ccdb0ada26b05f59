internal import Glibc
internal import SegueSystem

/// An error in the shared memory: a value that a correct producer never writes.
public struct RingCorruption: Error, Equatable {
  /// The part of the ring that is invalid.
  public let part: String

  public init(_ part: String) { self.part = part }
}

/// The reading end of a ring. It is used on the pulse thread only, does not allocate or lock, and validates everything
/// that it reads. If the ring is corrupt, it throws, and the daemon replaces the worker.
public struct RingConsumer: ~Copyable {
  public let ring: SharedRing
  private var consumed: UInt64
  private var markersRead: UInt64

  public init(_ ring: SharedRing) {
    self.ring = ring
    (consumed, markersRead) = ring.readPosition
  }

  /// The content at the read position.
  public enum Head {
    /// A marker at this position; `consumeMarker()` moves past it.
    case marker(StreamMarker)
    /// The number of bytes of PCM before the next marker or the write position. It is positive.
    case pcm(Int)
    /// No marker is at this position, and less than a whole frame was written after it.
    case empty
  }

  /// The maximum amount of PCM in a ring, in bytes.
  public static let capacity = RingLayout.pcmCapacity

  /// Returns the content at the read position without moving it. PCM is returned in whole frames of `frameSize` bytes;
  /// a marker within a frame is a corruption.
  public func head(frameSize: Int = 1) throws(RingCorruption) -> Head {
    // The write cursor is read first, because a marker is published before any byte after it.
    let written = ring.word(RingLayout.writeCursor).observe()
    let unread = written &- consumed
    guard unread <= UInt64(RingLayout.pcmCapacity) else { throw RingCorruption("write cursor") }
    var readable = Int(unread)
    if let (marker, position) = try nextMarker() {
      let distance = position &- consumed
      if distance == 0 { return .marker(marker) }
      guard distance <= UInt64(RingLayout.pcmCapacity) else { throw RingCorruption("marker before the read position") }
      if Int(distance) <= readable {
        readable = Int(distance)
        guard readable >= frameSize else { throw RingCorruption("marker within a frame") }
      }
    }
    let frames = readable / frameSize
    return frames == 0 ? .empty : .pcm(frames * frameSize)
  }

  /// Moves past the marker that `head()` returned, and wakes the producer if it waits for that.
  public mutating func consumeMarker() {
    markersRead &+= 1
    ring.storeReadPosition(bytes: consumed, markers: markersRead)
    ring.word(RingLayout.markerReadCursor).announce(markersRead)
    if ring.word(RingLayout.producerWaitCondition).observe() == RingLayout.markerConsumed { ring.wakeProducer() }
  }

  /// The number of bytes that were written and not read yet, according to the producer.
  public var unread: UInt64 { ring.word(RingLayout.writeCursor).observe() &- consumed }

  /// Whether the producer waits for space.
  public var isProducerWaiting: Bool { ring.word(RingLayout.producerWaitCondition).observe() != RingLayout.notWaiting }

  /// Copies PCM that `head()` returned and moves past it. `target.count` must not exceed that number of bytes.
  public mutating func read(into target: UnsafeMutableRawBufferPointer) {
    guard let destination = target.baseAddress else { return }
    let start = Int(consumed % UInt64(RingLayout.pcmCapacity))
    let first = min(target.count, RingLayout.pcmCapacity - start)
    memcpy(destination, ring.pcm + start, first)
    memcpy(destination + first, ring.pcm, target.count - first)
    skip(target.count)
  }

  /// Moves past `count` bytes that `head()` returned, and wakes the producer if it waits for that.
  public mutating func skip(_ count: Int) {
    consumed &+= UInt64(count)
    ring.storeReadPosition(bytes: consumed, markers: markersRead)
    ring.word(RingLayout.readCursor).announce(consumed)
    let threshold = ring.word(RingLayout.producerWaitCondition).observe()
    guard threshold != RingLayout.notWaiting, threshold != RingLayout.markerConsumed else { return }
    if ring.word(RingLayout.writeCursor).relaxed() &- consumed <= threshold { ring.wakeProducer() }
  }

  /// Announces that the consumer waits for `ring.data` because the ring contains neither a whole frame nor a marker.
  /// Returns false if data has arrived meanwhile; the caller then does not wait.
  public func prepareToWait(frameSize: Int = 1) throws(RingCorruption) -> Bool {
    ring.word(RingLayout.consumerIsWaiting).announce(1)
    if case .empty = try head(frameSize: frameSize) { return true }
    stopWaiting()
    return false
  }

  /// Withdraws the announcement and clears the signal.
  public func stopWaiting() { ring.endConsumerWait() }

  private func nextMarker() throws(RingCorruption) -> (StreamMarker, UInt64)? {
    let pending = ring.word(RingLayout.markerWriteCursor).observe() &- markersRead
    guard pending <= UInt64(RingLayout.markerCapacity) else { throw RingCorruption("marker cursor") }
    guard pending > 0 else { return nil }
    // The record is copied once, because the producer could change it while it is validated.
    let record = ring.record(markersRead).pointee
    guard let marker = record.marker else { throw RingCorruption("marker") }
    return (marker, record.position)
  }
}
