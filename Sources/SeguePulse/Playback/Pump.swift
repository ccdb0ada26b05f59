// Thread: the pulse thread. This is the audio path: while a track plays, it copies from the ring into memory of
// libpulse, and neither allocates nor locks nor waits.
internal import SegueOutput
internal import SegueRing
internal import SegueSystem

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

  private let chain: GenerationChain
  private let output: StreamController
  private let clock: PlaybackClock
  private let prepareStream: (AudioFormat) -> Bool
  private let onBegin: (GenerationReader) -> Void
  /// The last frame that was written.
  private var lastFrame = FrameCopy()

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
