// Pulse thread only.
internal import SegueSystem

/// What the server was asked: to say when it has played all that it has got. That is when it runs dry, whatever was
/// written since. Of a sink that does not render ahead it says nothing else of running dry for as long as it owes that.
final class Drain {
  enum State {
    /// All is handed over, and nothing follows.
    case awaited
    /// Something has followed: the answer is news of an underrun.
    case calledOff
    case answered
  }

  private(set) var state = State.awaited
  /// What was written when it was asked first; nil once that says nothing of where the server runs dry.
  private(set) var end: Frames?
  private var asked = MonotonicTime.now

  /// The server may count a little of the silence that it fills its last period with.
  private static let margin = MediaTime.milliseconds(50)

  init(at end: Frames) { self.end = end }

  func callOff() { if state == .awaited { state = .calledOff } }

  func answer() { state = .answered }

  /// The server has taken out so much: it will run dry later than that.
  func note(read: Frames, rate: SampleRate) {
    if let end, read - end > rate.frames(in: Self.margin) { self.end = nil }
  }

  /// What came after `frame` was taken back; nil: the server was told to forget all.
  func note(takenBackTo frame: Frames?) { end = end.flatMap { end in frame.map { min(end, $0) } } }

  /// Whether it is to be asked again: libpulse waits for an answer half a minute. False at once after it was asked, for a
  /// server that refuses would refuse for ever.
  func renew() -> Bool {
    defer { asked = .now }
    return MonotonicTime.now - asked > .seconds(1)
  }
}
