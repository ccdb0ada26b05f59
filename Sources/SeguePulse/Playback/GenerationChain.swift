// Thread: the pulse thread.
internal import SegueRing
internal import SegueSystem

/// A copy of one frame in memory that is allocated in advance: up to 32 channels of 4 bytes.
struct FrameCopy {
  private var bytes = [UInt8](repeating: 0, count: 128)
  private(set) var size = 0

  /// Copies the last frame of `pcm`.
  mutating func copyLast(of pcm: UnsafeMutableRawBufferPointer, frameSize: Int) {
    size = frameSize
    bytes.withUnsafeMutableBytes { copy in
      copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: pcm[(pcm.count - frameSize)...]))
    }
  }

  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<size])) }
  }
}

/// The end of a generation in the stream. What was written after it can be discarded.
struct TrackBoundary {
  let generation: Generation
  /// The end in frames of the stream.
  let position: Frames
  /// The last frame before the boundary; empty if there is none.
  let lastFrame: FrameCopy

  init(after generation: Generation, at position: Frames, lastFrame: FrameCopy) {
    self.generation = generation
    self.position = position
    self.lastFrame = lastFrame
  }

  /// Creates the boundary of a generation that is over and of which the stream has nothing any more.
  init(atStreamStartAfter generation: Generation) {
    self.init(after: generation, at: .zero, lastFrame: FrameCopy())
  }
}

/// A chain of generations that play one after the other without a gap: boundaries of those that have been written, and
/// readers of those that have not.
final class GenerationChain {
  private let loop: PulseLoop
  /// The function that is called when a ring that was dry has data.
  var onData: (() -> Void)?
  /// The generation being written, and those that follow.
  private var readers: [GenerationReader] = []
  /// The ends of earlier generations in this stream, as far as they have not been played.
  private var boundaries: [TrackBoundary] = []
  /// The generation that was played last, if nothing followed it.
  private var finished: Generation?
  /// The rings in use: a ring has one consumer.
  private var sources: [RingSource] = []

  init(_ loop: PulseLoop) { self.loop = loop }

  // MARK: Reading

  /// The reader of the generation being written; nil if everything was written.
  var current: GenerationReader? { readers.isEmpty ? nil : readers[0] }

  /// The generation after the one being written.
  var follower: Generation? { readers.count > 1 ? readers[1].generation : nil }

  var lastBoundary: TrackBoundary? { boundaries.last }

  /// Ends the generation being written at this position of the stream.
  func endCurrent(at position: Frames, lastFrame: FrameCopy) {
    guard let reader = current else { return }
    addBoundary(TrackBoundary(after: reader.generation, at: position, lastFrame: lastFrame))
    readers.removeFirst()
  }

  func addBoundary(_ boundary: TrackBoundary) { boundaries.append(boundary) }

  func removeReaders() { readers.removeAll() }

  /// Removes boundaries before `position`, which have been played.
  func removeBoundaries(before position: Frames, written: Frames) {
    boundaries.removeAll { $0.position < position && $0.position < written }
  }

  /// Replaces all boundaries by this one.
  func setBoundary(_ boundary: TrackBoundary?) { boundaries = boundary.map { [$0] } ?? [] }

  // MARK: Editing

  /// Replaces the chain by this generation. Precondition: the chain is empty.
  func start(with generation: Generation, _ ring: SharedRing) {
    readers = [GenerationReader(generation, from: source(of: ring))]
    releaseUnusedRings()
  }

  func append(_ generation: Generation, _ ring: SharedRing) {
    readers.append(GenerationReader(generation, from: source(of: ring)))
  }

  /// The position of a generation in the chain.
  enum Position {
    /// The generation is being written, or will be.
    case notWritten
    /// The generation was written up to this boundary.
    case written(TrackBoundary)
    /// The generation was over before the chain's first one began.
    case over
    /// The generation belongs to a chain that was replaced.
    case unknown
  }

  /// Returns the position of `generation`. Generations are numbered in the order in which they come: a generation that
  /// is newer than the chain's first one, and not in the chain, belongs to another chain.
  func position(of generation: Generation) -> Position {
    if readers.contains(where: { $0.generation == generation }) { return .notWritten }
    if let boundary = boundaries.first(where: { $0.generation == generation }) { return .written(boundary) }
    guard let oldest = boundaries.first?.generation ?? readers.first?.generation ?? finished else { return .unknown }
    return generation.number <= oldest.number ? .over : .unknown
  }

  func isFinished(_ generation: Generation) -> Bool { generation == finished }

  /// Removes the generations after this one. Precondition: the chain contains it.
  func removeAll(after generation: Generation) {
    if let index = readers.firstIndex(where: { $0.generation == generation }) {
      readers.removeSubrange((index + 1)...)
    } else if let index = boundaries.firstIndex(where: { $0.generation == generation }) {
      readers.removeAll()
      boundaries.removeSubrange((index + 1)...)
    }
  }

  func endInput(of generation: Generation) {
    for reader in readers where reader.generation == generation { reader.endInput() }
  }

  /// Removes all generations. The rings stay, until `releaseUnusedRings`.
  func removeAll() {
    for source in sources { source.stopWaiting() }
    readers = []
    boundaries = []
    finished = nil
  }

  /// Records that `generation` was played to its end, and that nothing followed.
  func setFinished(_ generation: Generation?) { finished = generation }

  // MARK: Rings

  private func source(of ring: SharedRing) -> RingSource {
    if let known = sources.first(where: { $0.ring === ring }) { return known }
    let source = RingSource(ring, loop: loop) { [unowned self] in onData?() }
    sources.append(source)
    return source
  }

  /// Releases the rings that no generation is read from, whose memory would otherwise outlive their workers.
  func releaseUnusedRings() {
    sources.removeAll { source in !readers.contains { $0.source === source } }
  }

  func releaseAllRings() { sources = [] }
}
