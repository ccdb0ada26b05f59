internal import Glibc
public import SegueSystem
internal import Synchronization

/// The memory that PCM crosses the process wall in, and the two counters that wake either side.
///
/// The daemon makes it; the worker adopts the three descriptors. Exactly one `RingProducer` (in the worker) and one
/// `RingConsumer` (on the pulse thread) may exist on it; between them every word is either atomic or published by one.
public final class SharedRing: Sendable {
  /// The memory file, to be passed to the worker.
  public let memory: Descriptor
  /// Raised by the consumer when the producer's low mark was reached.
  public let space: EventCounter
  /// Raised by the producer when the consumer was dry and there is PCM or a mark again.
  public let data: EventCounter

  // Guard: the pointer never changes; what it points to is reached through atomics and the SPSC discipline.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer

  // Guard: atomic. In memory of this process, where the producer's cannot write.
  private let taken = Atomic<UInt64>(0)
  private let marksTaken = Atomic<UInt64>(0)

  public static let size = RingLayout.pcm + RingLayout.pcmCapacity

  /// A new, empty ring.
  public convenience init() throws(SystemError) {
    let memory = try MemoryFile.create("segue-ring", size: Self.size)
    let space = try EventCounter()
    let data = try EventCounter()
    try self.init(mapping: memory, space: space, data: data)
    word(RingLayout.producerSleepsUntil).publish(RingLayout.awake)
  }

  /// The ring another process made. Refuses a memory file of another size, or one that could still shrink.
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

  /// Bytes of PCM that this process' consumer has taken out so far; nothing the producer's process could forge. Any
  /// thread.
  public var bytesRead: UInt64 { taken.load(ordering: .relaxed) }

  /// Where a consumer stopped: bytes and marks. The words in the shared memory tell the producer, and nobody else.
  var place: (bytes: UInt64, marks: UInt64) { (bytesRead, marksTaken.load(ordering: .relaxed)) }

  /// Consumer only.
  func notePlace(bytes: UInt64, marks: UInt64) {
    taken.store(bytes, ordering: .relaxed)
    marksTaken.store(marks, ordering: .relaxed)
  }

  deinit { munmap(base, Self.size) }

  /// The atomic word at `offset` of the header.
  func word(_ offset: Int) -> SharedWord { SharedWord(base + offset) }

  var pcm: UnsafeMutableRawPointer { base + RingLayout.pcm }

  func record(_ index: UInt64) -> UnsafeMutablePointer<ChunkRecord> {
    (base + RingLayout.chunks + Int(index % UInt64(RingLayout.chunkCapacity)) * RingLayout.chunkStride)
      .assumingMemoryBound(to: ChunkRecord.self)
  }
}
