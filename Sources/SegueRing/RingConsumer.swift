internal import Glibc
internal import SegueSystem

/// What the shared memory held that no honest producer writes.
public struct RingCorruption: Error, Equatable {
  public let what: String

  public init(_ what: String) { self.what = what }
}

/// The reading end. Pulse thread only; allocates nothing, locks nothing, and believes nothing it reads:
/// a broken ring throws, and the daemon replaces the worker.
public struct RingConsumer: ~Copyable {
  public let ring: SharedRing
  private var consumed: UInt64
  private var marksRead: UInt64

  public init(_ ring: SharedRing) {
    self.ring = ring
    (consumed, marksRead) = ring.place
  }

  /// What stands at the reading position.
  public enum Head {
    /// A mark that takes effect here; `takeMark()` steps over it.
    case mark(Chunk)
    /// So many bytes of PCM lie before the next mark, or before the end of what is written. Never 0.
    case pcm(Int)
    /// Nothing is written beyond this position yet.
    case empty
  }

  /// The most PCM a ring can hold, in bytes.
  public static let capacity = RingLayout.pcmCapacity

  /// Looks without stepping. PCM is shown in whole frames of `frameSize` bytes; a mark within a frame is corruption.
  public func head(frameSize: Int = 1) throws(RingCorruption) -> Head {
    // The write cursor first: a mark is published before any byte behind it.
    let written = ring.word(RingLayout.writeCursor).observe()
    let unread = written &- consumed
    guard unread <= UInt64(RingLayout.pcmCapacity) else { throw RingCorruption("write cursor") }
    var readable = Int(unread)
    if let (chunk, byte) = try nextMark() {
      let distance = byte &- consumed
      if distance == 0 { return .mark(chunk) }
      guard distance <= UInt64(RingLayout.pcmCapacity) else { throw RingCorruption("mark behind the reader") }
      if Int(distance) <= readable {
        readable = Int(distance)
        guard readable >= frameSize else { throw RingCorruption("mark within a frame") }
      }
    }
    let frames = readable / frameSize
    return frames == 0 ? .empty : .pcm(frames * frameSize)
  }

  /// Steps over the mark that `head()` showed, and wakes the producer if it waited for this.
  public mutating func takeMark() {
    marksRead &+= 1
    ring.notePlace(bytes: consumed, marks: marksRead)
    ring.word(RingLayout.chunkReadCursor).announce(marksRead)
    if ring.word(RingLayout.producerSleepsUntil).observe() == RingLayout.aMarkIsTaken { wakeProducer() }
  }

  /// Bytes written and not yet read, before and behind marks, as the producer says.
  public var unread: UInt64 { ring.word(RingLayout.writeCursor).observe() &- consumed }

  /// Whether the producer has done what it can and waits for room.
  public var isProducerWaiting: Bool { ring.word(RingLayout.producerSleepsUntil).observe() != RingLayout.awake }

  /// Copies PCM that `head()` announced, across the ring's seam, and steps over it. `target.count` is at most that many.
  public mutating func read(into target: UnsafeMutableRawBufferPointer) {
    guard let destination = target.baseAddress else { return }
    let start = Int(consumed % UInt64(RingLayout.pcmCapacity))
    let first = min(target.count, RingLayout.pcmCapacity - start)
    memcpy(destination, ring.pcm + start, first)
    memcpy(destination + first, ring.pcm, target.count - first)
    skip(target.count)
  }

  /// Steps over `count` bytes that `head()` announced, and wakes the producer if it waited for this.
  public mutating func skip(_ count: Int) {
    consumed &+= UInt64(count)
    ring.notePlace(bytes: consumed, marks: marksRead)
    ring.word(RingLayout.readCursor).announce(consumed)
    let lowMark = ring.word(RingLayout.producerSleepsUntil).observe()
    guard lowMark != RingLayout.awake, lowMark != RingLayout.aMarkIsTaken else { return }
    if ring.word(RingLayout.writeCursor).relaxed() &- consumed <= lowMark { wakeProducer() }
  }

  private func wakeProducer() {
    if ring.word(RingLayout.producerSleepsUntil).exchange(RingLayout.awake) != RingLayout.awake { ring.space.raise() }
  }

  /// Announces that this side is dry (not a whole frame, no mark) and waits for `ring.data`. False if something came
  /// meanwhile: then look again.
  public func prepareToWait(frameSize: Int = 1) throws(RingCorruption) -> Bool {
    ring.word(RingLayout.consumerIsDry).announce(1)
    if case .empty = try head(frameSize: frameSize) { return true }
    stopWaiting()
    return false
  }

  /// Takes the announcement back, and lowers the signal.
  public func stopWaiting() {
    ring.word(RingLayout.consumerIsDry).announce(0)
    ring.data.clear()
  }

  private func nextMark() throws(RingCorruption) -> (Chunk, UInt64)? {
    let pending = ring.word(RingLayout.chunkWriteCursor).observe() &- marksRead
    guard pending <= UInt64(RingLayout.chunkCapacity) else { throw RingCorruption("mark cursor") }
    guard pending > 0 else { return nil }
    // Copied once: the producer's process could still change it while it is being checked.
    let record = ring.record(marksRead).pointee
    guard let chunk = record.chunk else { throw RingCorruption("mark") }
    return (chunk, record.byte)
  }
}
