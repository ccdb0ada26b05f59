// Decoding thread only.
internal import SegueFFmpeg
internal import SegueLink
internal import SegueRing
internal import SegueSystem

/// One generation on its way into the ring.
final class DecodeJob {
  let generation: Generation
  let source: MediaSource
  let file: SourceFile?
  let start: MediaTime
  var state = State.waiting
  /// Whether its PCM becomes something else on its way, and goes by the line.
  var isRendered: Bool { source.rate != nil || source.fadeOut > .zero }
  /// What came before it, if that was rendered: what it was, and what became of it.
  var before: (generation: Generation, source: AudioFormat, target: AudioFormat)?
  /// What of its beginning is still to be mixed with the end of what came before, which is on the line.
  var fade: Crossfade?
  /// From which moment on its end is kept back, for it may be mixed.
  var keptFrom = MediaTime.zero
  /// The format of its last `begin` mark.
  var format: AudioFormat?
  /// nil if it is played as it is.
  var amplifier: Amplifier?
  /// What the track gave last and the ring had no room for; the track's or the amplifier's memory, valid until the next
  /// piece.
  var unwritten = UnsafeRawBufferPointer(start: nil, count: 0)
  /// Of what was rendered last: what it was made of. nil while nothing is rendered.
  var rendered: AudioFormat?

  enum State {
    case waiting
    case decoding(MediaTrack, since: MonotonicTime)
    /// All of it is rendered, and lasts so long; the end may still be on the line. From `fade` on it is kept for `into`.
    case rendered(MediaTime, fade: (from: MediaTime, into: Generation)?)
    /// It broke off; what there is of it may still be on the line.
    case broken(MediaError)
  }

  init(_ generation: Generation, _ source: MediaSource, _ file: SourceFile?, start: MediaTime) {
    self.generation = generation
    self.source = source
    self.file = file
    self.start = start
  }
}
