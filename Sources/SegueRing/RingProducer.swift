internal import Glibc
internal import SegueSystem

/// The writing end. Worker process, decode thread only.
public struct RingProducer: ~Copyable {
  public let ring: SharedRing
  private var written: UInt64
  private var marked: UInt64

  public init(_ ring: SharedRing) {
    self.ring = ring
    written = ring.word(RingLayout.writeCursor).relaxed()
    marked = ring.word(RingLayout.chunkWriteCursor).relaxed()
  }

  /// Bytes written and not yet read.
  public var unread: Int { Int(written &- ring.word(RingLayout.readCursor).acquire()) }

  public var free: Int { RingLayout.pcmCapacity - unread }

  /// Whether another mark fits.
  public var canMark: Bool {
    marked &- ring.word(RingLayout.chunkReadCursor).acquire() < UInt64(RingLayout.chunkCapacity)
  }

  /// Copies as much of `frames` as fits and publishes it. Returns the bytes taken.
  /// The caller passes whole frames and keeps to whole frames of what was taken: `free` rounded down is a safe length.
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

  /// Sets a mark at the current end. Precondition: `canMark`.
  public mutating func mark(_ chunk: Chunk) {
    precondition(canMark, "more marks than the ring has room for")
    ring.record(marked).pointee = ChunkRecord(chunk, at: written)
    marked &+= 1
    ring.word(RingLayout.chunkWriteCursor).announce(marked)
  }

  /// Wakes the consumer if it is dry. Called once enough for a start is written, and after every `end`.
  public func signal() {
    if ring.word(RingLayout.consumerIsDry).observe() == 1, ring.word(RingLayout.consumerIsDry).exchange(0) == 1 {
      ring.data.raise()
    }
  }

  /// Announces that this side will sleep on `ring.space` until at most `lowMark` bytes are unread.
  /// False if that is so already: then do not sleep.
  public func prepareToSleep(untilUnreadIsAtMost lowMark: Int) -> Bool {
    ring.word(RingLayout.producerSleepsUntil).announce(UInt64(lowMark))
    let read = ring.word(RingLayout.readCursor).observe()
    if Int(written &- read) <= lowMark {
      wake()
      return false
    }
    return true
  }

  /// Announces that this side will sleep on `ring.space` until there is room for a mark. False if there is: then do not
  /// sleep.
  public func prepareToSleepUntilAMarkIsTaken() -> Bool {
    ring.word(RingLayout.producerSleepsUntil).announce(RingLayout.aMarkIsTaken)
    guard marked &- ring.word(RingLayout.chunkReadCursor).observe() < UInt64(RingLayout.chunkCapacity) else {
      return true
    }
    wake()
    return false
  }

  /// Takes the announcement back, and lowers the signal.
  public func wake() {
    ring.word(RingLayout.producerSleepsUntil).announce(RingLayout.awake)
    ring.space.clear()
  }
}
