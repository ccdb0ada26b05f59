// Decoding thread only.
internal import SegueLink
internal import SegueRing
internal import SegueSystem

/// One generation on its way into the ring.
final class Deck {
  let generation: Generation
  let source: MediaSource
  let file: SourceFile?
  let start: MediaTime
  var state = State.waiting
  /// The format of its last `begin` mark.
  var format: AudioFormat?
  /// nil if it is played as it is.
  var amplifier: Amplifier?
  /// What the track gave last and the ring had no room for; the track's or the amplifier's memory, valid until the next
  /// piece.
  var unwritten = UnsafeRawBufferPointer(start: nil, count: 0)

  enum State {
    case waiting
    case decoding(MediaTrack)
  }

  init(_ generation: Generation, _ source: MediaSource, _ file: SourceFile?, start: MediaTime) {
    self.generation = generation
    self.source = source
    self.file = file
    self.start = start
  }
}
