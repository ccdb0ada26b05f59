// Pulse thread only.
internal import SegueSystem

/// A server may hang without dying: the socket stays, and nothing comes any more. While it owes something it is given two
/// periods: after the first, a playing one is asked for a sign, and after the second it counts as silent. The stream stays
/// as it is, and goes on as soon as the server does.
extension Sink {
  /// Longer than any server lets a playing stream wait: it asks for more twice a second.
  private static let period = MediaTime.milliseconds(1250)

  /// The server did something.
  func noteSign() {
    lastSign = .now
    isOverdue = false
    if isSilent {
      isSilent = false
      emit(.responsive)
      askTiming()
    }
    keepVigil()
  }

  /// To be called whenever that what the server owes has changed. Puts the vigil off, or ends it.
  func keepVigil() {
    guard isOwedSomething, let connection else { return endVigil() }
    if let vigil {
      vigil.restart(after: Self.period)
    } else {
      lastSign = .now
      vigil = connection.timer(after: Self.period) { [unowned self] in lookForSign() }
    }
  }

  func endVigil() {
    vigil = nil
    isOverdue = false
    guard isSilent else { return }
    isSilent = false
    // Nothing is asked of it now.
    emit(.responsive)
  }

  /// A connection, a stream, or the sound of one.
  private var isOwedSomething: Bool {
    guard let connection, retry == nil else { return false }
    guard connection.isReady else { return isWanted }
    guard let stream else { return false }
    return !stream.isReady || !(stream.isCorked || stream.isSuspended)
  }

  private func lookForSign() {
    guard isOwedSomething else { return endVigil() }
    if isOverdue {
      guard !isSilent else { return }
      guard fade == nil else { return settle() }
      isSilent = true
      // What was heard since the last sign nobody knows: rather a second twice than one never.
      timeline.freeze(at: lastSign)
      publish()
      emit(.unresponsive("the sound server does not answer"))
    } else {
      isOverdue = true
      askTiming()
      vigil?.restart(after: Self.period)
    }
  }
}
