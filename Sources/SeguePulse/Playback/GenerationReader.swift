// Thread: the pulse thread.
internal import SegueRing
internal import SegueSystem

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
