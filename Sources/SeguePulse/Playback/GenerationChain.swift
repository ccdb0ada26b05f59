// Thread: the pulse thread. This is the audio path: while a track plays, it copies from the ring into memory of
// libpulse, and neither allocates nor locks nor waits.

internal import SegueOutput
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
  private let onData: () -> Void
  /// The generation being written, and those that follow.
  private var readers: [GenerationReader] = []
  /// The ends of earlier generations in this stream, as far as they have not been played.
  private var boundaries: [TrackBoundary] = []
  /// The generation that was played to its end last, if nothing followed it.
  var finished: Generation?
  /// The rings in use: a ring has one consumer.
  private var sources: [RingSource] = []

  /// - Parameter onData: is called when a ring that was dry has data.
  init(_ loop: PulseLoop, onData: @escaping () -> Void) {
    self.loop = loop
    self.onData = onData
  }

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

  // MARK: Rings

  private func source(of ring: SharedRing) -> RingSource {
    if let known = sources.first(where: { $0.ring === ring }) { return known }
    let source = RingSource(ring, loop: loop, onData: onData)
    sources.append(source)
    return source
  }

  /// Releases the rings that no generation is read from, whose memory would otherwise outlive their workers.
  func releaseUnusedRings() {
    sources.removeAll { source in !readers.contains { $0.source === source } }
  }

  func releaseAllRings() { sources = [] }
}

/// A ring with its one consumer and the watch on its data.
final class RingSource {
  let ring: SharedRing
  fileprivate var consumer: RingConsumer
  private var watch: ReadWatch?

  init(_ ring: SharedRing, loop: PulseLoop, onData: @escaping () -> Void) {
    self.ring = ring
    consumer = RingConsumer(ring)
    watch = nil
    watch = ReadWatch(loop, descriptor: ring.data.raw) { [unowned self] in
      consumer.stopWaiting()
      watch?.disable()
      onData()
    }
  }

  /// Waits for a whole frame or a marker: `onData` is called then. Returns false if there is one by now.
  fileprivate func wait(frameSize: Int) throws(RingCorruption) -> Bool {
    guard try consumer.prepareToWait(frameSize: frameSize) else { return false }
    watch?.enable()
    return true
  }

  func stopWaiting() {
    guard let watch, watch.isEnabled else { return }
    watch.disable()
    consumer.stopWaiting()
  }
}

/// A reader of one generation from a ring.
final class GenerationReader {
  let generation: Generation
  let source: RingSource
  /// Whether the ring gets no more PCM or markers of this generation.
  private var isInputComplete = false
  /// The format of the PCM that is next in the ring; nil before the first marker of this generation.
  private(set) var format: AudioFormat?
  /// Whether the source was in memory, for two seconds or more, at the first marker of this generation; false before
  /// it.
  private(set) var isSourceCached = false
  /// The time of the command that enqueued the generation.
  let enqueueTime = MonotonicTime.now
  /// The time at which the first marker of this generation was read, and the position of its PCM in the stream; nil
  /// before.
  private(set) var begin: (time: MonotonicTime, position: Frames)?

  init(_ generation: Generation, from source: RingSource) {
    self.generation = generation
    self.source = source
  }

  /// The next element of a generation in its ring.
  enum Head: Equatable {
    /// PCM of `format`: this number of bytes, in whole frames, at least one.
    case pcm(Int)
    /// A marker: from here on the PCM has this format, begins with this frame of the track, and is played at this
    /// speed. `consumeBeginMarker` moves past it.
    case begins(AudioFormat, Frames, PlaybackSpeed)
    /// The generation is over.
    case end
    /// The ring has nothing yet.
    case dry
    /// The ring has a newer generation: the worker got another command, and the sink will get one, too.
    case newerGeneration
  }

  /// Marks the generation as complete in the ring: no more PCM or markers of it follow.
  func endInput() { isInputComplete = true }

  /// Returns the next element, and skips the rest of older generations. Generations are numbered in the order in which
  /// they begin. `follower` is the generation that may begin without an end marker of this one.
  func head(follower: Generation?) throws(RingCorruption) -> Head {
    // The limits stop a malicious worker from keeping the pulse thread here. A correct worker never sets so many
    // markers without PCM, and never has so many bytes skipped at once.
    var markers = 0
    var skipped = 0
    while markers < 1024, skipped < 4 * RingConsumer.capacity {
      switch try source.consumer.head(frameSize: format?.bytesPerFrame ?? 1) {
      case .empty:
        return isInputComplete ? .end : .dry
      case .pcm(let count):
        if format != nil { return .pcm(count) }
        source.consumer.skip(count)
        skipped += count
      case .marker(let marker):
        markers += 1
        switch (marker.kind, marker.generation == generation) {
        case (.begin, true):
          if format == nil { isSourceCached = marker.isSourceCached }
          return .begins(marker.format, marker.mediaFrame, marker.speed)
        case (.end, true):
          source.consumer.consumeMarker()
          return .end
        case (.begin, false) where format != nil:
          return marker.generation == follower || isInputComplete ? .end : .newerGeneration
        case (.begin, false) where marker.generation.number > generation.number:
          return isInputComplete ? .end : .newerGeneration
        case (.begin, false), (.end, false):
          source.consumer.consumeMarker()
        }
      }
    }
    throw RingCorruption("too many markers")
  }

  /// Consumes the marker that `head` returned as `begins`, with its format. The PCM begins at this position of the
  /// stream.
  func consumeBeginMarker(_ format: AudioFormat, at position: Frames) {
    source.consumer.consumeMarker()
    self.format = format
    begin = begin ?? (.now, position)
  }

  /// Copies PCM that `head` returned from the ring. `memory` is at most as large as that.
  func read(into memory: UnsafeMutableRawBufferPointer) { source.consumer.read(into: memory) }

  /// Waits for a whole frame or a marker. Returns false if there is one by now.
  func wait() throws(RingCorruption) -> Bool { try source.wait(frameSize: format?.bytesPerFrame ?? 1) }

  func stopWaiting() { source.stopWaiting() }

  /// Whether the worker waits for room in the ring.
  var isRingFull: Bool { source.consumer.isProducerWaiting }
}

/// A pump that moves the PCM of a chain of generations from their rings into the output stream.
final class Pump {
  /// The reason why the pump stopped.
  enum Outcome {
    /// There is no PCM now, or the stream accepts none.
    case blocked
    /// Everything is written, and nothing follows.
    case ended
  }

  /// The limit for one run. It stops a malicious worker from keeping the pulse thread here: markers or tiny pieces of
  /// PCM could arrive as fast as they are read.
  private static let maximumSteps = 10_000
  /// The length of what is copied to a new tap of what was audible already.
  private static let tappedBefore = MediaTime.milliseconds(200)

  private let chain: GenerationChain
  private let output: StreamController
  private let clock: PlaybackClock
  private let prepareStream: (AudioFormat) -> Bool
  private let onBegin: (GenerationReader) -> Void
  /// The last frame that was written.
  private var lastFrame = FrameCopy()
  /// The tap to which everything is written, too; nil if there is none.
  private var tap: SoundTap?

  /// - Parameters:
  ///   - prepareStream: returns whether PCM of a format can be written, now or once the stream is ready.
  ///   - onBegin: is called when a new sound begins with the generation of the reader.
  init(
    _ chain: GenerationChain, output: StreamController, clock: PlaybackClock,
    prepareStream: @escaping (AudioFormat) -> Bool,
    onBegin: @escaping (GenerationReader) -> Void
  ) {
    self.chain = chain
    self.output = output
    self.clock = clock
    self.prepareStream = prepareStream
    self.onBegin = onBegin
  }

  /// Copies what is written from now on to a tap, and what was written before, as far as it may be audible and there is
  /// a copy of it.
  func setTap(_ tap: SoundTap?) {
    self.tap = tap
    clock.recordTap(from: nil)
    guard let tap, let stream = output.stream else { return }
    let size = stream.format.bytesPerFrame
    let written = clock.written
    let wanted = min(written, written - clock.playedFrame + clock.rate.frames(in: Self.tappedBefore))
    let copied = stream.writer.readHistory(last: Int(wanted.count) * size, frameSize: size) { pcm, distance in
      tap.write(pcm, at: written - Frames(distance / size), stream.format)
    }
    if copied > 0 { clock.recordTap(from: written - Frames(copied / size)) }
  }

  /// Writes the PCM that is there, as far as the server accepts it.
  /// - Parameter holdsPCM: Whether PCM stays in its ring for now.
  func run(holdsPCM: Bool) throws(RingCorruption) -> Outcome {
    clock.awaitsPCM = false
    for _ in 0..<Self.maximumSteps {
      guard let reader = chain.current else { return .blocked }
      switch try reader.head(follower: chain.follower) {
      case .begins(let format, let mediaFrame, let speed):
        guard prepareStream(format) else { return .blocked }
        if clock.written == .zero { onBegin(reader) }
        reader.consumeBeginMarker(format, at: clock.written)
        clock.begin(reader.generation, at: mediaFrame, speed: speed, format)
      case .pcm(let count):
        guard !holdsPCM, let stream = output.stream, case let size = min(count, stream.writableSize), size > 0,
          write(size, from: reader, to: stream)
        else { return .blocked }
      case .end:
        endCurrent()
        if chain.current == nil { return .ended }
      case .dry:
        if try reader.wait() { return awaitPCM() }
      case .newerGeneration:
        return awaitPCM()
      }
    }
    throw RingCorruption("too many small pieces")
  }

  private func awaitPCM() -> Outcome {
    clock.awaitsPCM = true
    return .blocked
  }

  /// Ends the generation being written at the end of what was written.
  private func endCurrent() { chain.endCurrent(at: clock.written, lastFrame: lastFrame) }

  /// Writes `count` bytes. Returns false if the stream accepted nothing: its connection has failed, and the
  /// notification is on the way.
  private func write(_ count: Int, from reader: GenerationReader, to stream: PlaybackStream) -> Bool {
    let writer = stream.writer
    let before = writer.written
    let frameSize = stream.format.bytesPerFrame
    writer.write(
      count,
      fill: { memory in
        reader.read(into: memory)
        lastFrame.copyLast(of: memory, frameSize: frameSize)
      },
      shape: { memory in
        let first = clock.written + Frames((writer.written - before) / frameSize)
        if let tap {
          tap.write(UnsafeRawBufferPointer(memory), at: first, stream.format)
          if !clock.isTapped { clock.recordTap(from: first) }
        }
        if let ramp = clock.resumeRamp, first < ramp.end {
          ramp.apply(to: memory, first: first, of: stream.format)
        }
      })
    clock.extendWritten(by: Frames((writer.written - before) / frameSize))
    return writer.written > before
  }

  /// Ends the generation being written, whose ring is corrupt, and removes those that follow. `discard` is called
  /// before the generation gets its boundary.
  func abandonCurrent(_ discard: () -> Void) {
    guard let reader = chain.current else { return }
    reader.stopWaiting()
    chain.removeReaders()
    discard()
    chain.addBoundary(TrackBoundary(after: reader.generation, at: clock.written, lastFrame: lastFrame))
  }

  /// Discards what was written after the boundary. Returns false, and discards nothing, if PCM after it is playing
  /// already, or if no frame precedes it.
  func discardWritten(after boundary: TrackBoundary, from stream: PlaybackStream) -> Bool {
    guard boundary.lastFrame.size > 0, clock.playedFrame < boundary.position else { return false }
    let count = Int((clock.written - boundary.position).count) * stream.format.bytesPerFrame
    boundary.lastFrame.withBytes { stream.writer.discard(last: count, after: $0) }
    clock.rewind(to: boundary.position)
    lastFrame = boundary.lastFrame
    return true
  }

  /// Removes all generations.
  func reset() {
    chain.removeAll()
    lastFrame = FrameCopy()
  }
}
