internal import Glibc
public import SegueSystem
internal import Synchronization

/// A ring buffer in shared memory that transfers PCM from a worker to the daemon, with two counters that wake either
/// side.
///
/// The daemon creates the ring, and the worker adopts its three descriptors. At most one `RingProducer` (in the worker)
/// and one `RingConsumer` (on the pulse thread) use it. Every shared word is either atomic or published by an atomic
/// word.
public final class SharedRing: Sendable {
  /// The memory file, which the daemon passes to the worker.
  public let memory: Descriptor
  /// The counter that the consumer raises when the condition for which the producer waits is met.
  public let space: EventCounter
  /// The counter that the producer raises when the consumer waits and there is PCM or a marker.
  public let data: EventCounter

  // Proof: the pointer never changes. The memory is accessed by one producer and one consumer, which synchronize by
  // atomics.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer

  // The read position. It is not in the shared memory, so the producer's process cannot change it.
  private let consumedBytes = Atomic<UInt64>(0)
  private let consumedMarkers = Atomic<UInt64>(0)

  public static let size = RingLayout.pcm + RingLayout.pcmCapacity

  /// Creates an empty ring.
  public convenience init() throws(SystemError) {
    try self.init(
      mapping: MemoryFile.create("segue-ring", size: Self.size), space: EventCounter(), data: EventCounter())
    word(RingLayout.producerWaitCondition).publish(RingLayout.notWaiting)
  }

  /// Adopts a ring that another process has created. Throws if the memory file has another size or could still shrink.
  public convenience init(
    adopting memory: consuming Descriptor, space: consuming Descriptor, data: consuming Descriptor
  ) throws(SystemError) {
    let raw = memory.raw
    let size = try MemoryFile.sealedSize(of: raw, "ring")
    guard size == Self.size else { throw SystemError("mmap", "ring of \(size) bytes", code: EINVAL) }
    try self.init(mapping: memory, space: EventCounter(adopting: space), data: EventCounter(adopting: data))
  }

  private init(mapping memory: consuming Descriptor, space: EventCounter, data: EventCounter) throws(SystemError) {
    guard let base = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.raw, 0), base != MAP_FAILED else {
      throw SystemError("mmap", "ring")
    }
    self.base = base
    self.memory = memory
    self.space = space
    self.data = data
  }

  /// The number of bytes of PCM that the consumer has read. The producer cannot forge it. It may be read on any thread.
  public var bytesRead: UInt64 { consumedBytes.load(ordering: .relaxed) }

  /// The number of bytes of PCM that the producer has written and the consumer has not read, as the producer states it.
  /// It may be read on any thread.
  public var unreadBytes: Int {
    Int(min(word(RingLayout.writeCursor).relaxed() &- bytesRead, UInt64(RingLayout.pcmCapacity)))
  }

  /// The position at which the last consumer stopped. It does not come from the cursors in the shared memory, which
  /// only inform the producer, and which the producer could change.
  var readPosition: (bytes: UInt64, markers: UInt64) { (bytesRead, consumedMarkers.load(ordering: .relaxed)) }

  /// Stores the read position. Only the consumer calls this.
  func storeReadPosition(bytes: UInt64, markers: UInt64) {
    consumedBytes.store(bytes, ordering: .relaxed)
    consumedMarkers.store(markers, ordering: .relaxed)
  }

  deinit { munmap(base, Self.size) }

  /// Wakes the producer if it waits. Only the consumer calls this.
  func wakeProducer() {
    if word(RingLayout.producerWaitCondition).exchange(RingLayout.notWaiting) != RingLayout.notWaiting { space.raise() }
  }

  /// Wakes the consumer if it waits. Only the producer calls this.
  func wakeConsumer() {
    let isWaiting = word(RingLayout.consumerIsWaiting)
    if isWaiting.observe() == 1, isWaiting.exchange(0) == 1 { data.raise() }
  }

  /// Withdraws the announcement that the producer waits, and clears the signal. Only the producer calls this.
  func endProducerWait() {
    word(RingLayout.producerWaitCondition).announce(RingLayout.notWaiting)
    space.clear()
  }

  /// Withdraws the announcement that the consumer waits, and clears the signal. Only the consumer calls this.
  func endConsumerWait() {
    word(RingLayout.consumerIsWaiting).announce(0)
    data.clear()
  }

  /// The atomic word at `offset` of the header.
  func word(_ offset: Int) -> SharedWord { SharedWord(base + offset) }

  var pcm: UnsafeMutableRawPointer { base + RingLayout.pcm }

  func record(_ index: UInt64) -> UnsafeMutablePointer<MarkerRecord> {
    (base + RingLayout.markers + Int(index % UInt64(RingLayout.markerCapacity)) * RingLayout.markerStride)
      .assumingMemoryBound(to: MarkerRecord.self)
  }
}

/// An atomic 64-bit word in memory that two processes share.
struct SharedWord {
  // Proof: `Atomic<UInt64>` has the size and alignment of `UInt64` and no other state; the address is 64-byte aligned.
  private let pointer: UnsafeMutablePointer<Atomic<UInt64>>

  init(_ address: UnsafeMutableRawPointer) { pointer = address.assumingMemoryBound(to: Atomic<UInt64>.self) }

  /// Loads the value, with everything that was written before it was published.
  func acquire() -> UInt64 { pointer.pointee.load(ordering: .acquiring) }
  func publish(_ value: UInt64) { pointer.pointee.store(value, ordering: .releasing) }

  func relaxed() -> UInt64 { pointer.pointee.load(ordering: .relaxed) }

  // These operations are sequentially consistent, so that neither side misses that the other one starts to wait.
  func announce(_ value: UInt64) { pointer.pointee.store(value, ordering: .sequentiallyConsistent) }
  func exchange(_ value: UInt64) -> UInt64 { pointer.pointee.exchange(value, ordering: .sequentiallyConsistent) }
  func observe() -> UInt64 { pointer.pointee.load(ordering: .sequentiallyConsistent) }
}
