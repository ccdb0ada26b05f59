// Pulse thread only.
internal import SegueRing
internal import SegueSystem

/// One generation as it comes out of a ring.
final class GenerationReader {
  let generation: Generation
  let source: RingSource
  /// No more will come: what is in the ring is all.
  var isInputOver = false
  /// Of the PCM that stands in the ring next; nil before the first mark of this generation.
  private(set) var format: AudioFormat?
  /// When it was told that this comes.
  let told = MonotonicTime.now

  init(_ generation: Generation, from source: RingSource) {
    self.generation = generation
    self.source = source
  }

  /// What stands next.
  enum Head: Equatable {
    /// So many bytes, whole frames of `format`; at least one.
    case pcm(Int)
    /// From here on it has this format, and begins with this frame of the track. `enter` steps over the mark.
    case begins(AudioFormat, Frames)
    /// There is no more of it.
    case end
    /// Nothing yet.
    case dry
    /// Something newer stands here: somebody told the worker to do something else, and will tell us too.
    case elsewhere
  }

  /// Looks, and steps over what is left of older generations; they were numbered as they were begun.
  /// `follower`: the generation that may begin without an end mark of this one.
  func head(follower: Generation?) throws(RingCorruption) -> Head {
    // No honest worker sets so many marks without PCM, or is skipped so far in one go; a hostile one could keep us here.
    var marks = 0
    var skipped = 0
    while marks < 1024, skipped < 4 * RingConsumer.capacity {
      switch try source.consumer.head(frameSize: format?.bytesPerFrame ?? 1) {
      case .empty:
        return isInputOver ? .end : .dry
      case .pcm(let count):
        if format != nil { return .pcm(count) }
        source.consumer.skip(count)
        skipped += count
      case .marker(let chunk):
        marks += 1
        switch (chunk.kind, chunk.generation == generation) {
        case (.begin, true):
          return .begins(chunk.format, chunk.mediaFrame)
        case (.end, true):
          source.consumer.consumeMarker()
          return .end
        case (.begin, false) where format != nil:
          return chunk.generation == follower || isInputOver ? .end : .elsewhere
        case (.begin, false) where chunk.generation.number > generation.number:
          return isInputOver ? .end : .elsewhere
        default:
          source.consumer.consumeMarker()
        }
      }
    }
    throw RingCorruption("marks without end")
  }

  /// Steps over the mark that `head` showed as `begins`.
  func enter(_ format: AudioFormat) {
    source.consumer.consumeMarker()
    self.format = format
  }
}
