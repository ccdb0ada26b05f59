// Thread: the pulse thread.
internal import SegueSystem

/// A controller of the recovery after the server has run dry within a sound.
///
/// A sink that renders ahead takes all of the PCM that arrives after that, and silence behind it. PulseAudio 16 then
/// replaces the silence each time that more arrives, and loses sound: `handle_seek` in protocol-native.c requests a
/// rewind of the whole silence again for every block, until the sink has rendered. Therefore PCM waits in the ring
/// until the rest of the sound has been played. Then the stream is corked until there is a head start, as at the
/// beginning of a sound.
///
/// A source in real time provides no more than that head start. If that does not suffice, because its PCM arrives in
/// large pieces, the next recovery takes longer.
final class RebufferController {
  /// The time by which the clock may be ahead of the loudspeaker.
  private static let clockMargin = MediaTime.milliseconds(20)
  /// The time for which the second recovery waits after the head start is there. Each further one waits twice as long.
  private static let firstExtension = MediaTime.seconds(1)
  private static let maximumExtension = MediaTime.seconds(4)
  /// The time after which an earlier recovery does not matter.
  private static let memory = MediaTime.seconds(300)

  private let connection: ServerConnection
  private let onSilence: () -> Void
  private let onEnd: () -> Void
  /// The timer until the rest of the sound has been played or, during a recovery, until its extension is over.
  private var timer: PulseTimer?
  private var lastRecovery: MonotonicTime?
  private var pieces = ArrivingPieces()
  /// The time for which the present recovery waits after the head start is there.
  private var waitingTime = MediaTime.zero

  /// - Parameters:
  ///   - onSilence: is called when the rest of the sound has been played.
  ///   - onEnd: is called when playback must continue.
  init(_ connection: ServerConnection, onSilence: @escaping () -> Void, onEnd: @escaping () -> Void) {
    self.connection = connection
    self.onSilence = onSilence
    self.onEnd = onEnd
  }

  /// Prepares for a sound that begins anew.
  func reset() {
    timer = nil
    lastRecovery = nil
    waitingTime = .zero
  }

  /// Waits for the silence after the rest of the sound, which the server has taken. May be called again if the rest is
  /// longer.
  func awaitSilence(after rest: MediaTime) {
    timer = connection.timer(after: rest + Self.clockMargin, onSilence)
  }

  /// Begins a recovery. Must be called when the stream is corked.
  func begin() {
    timer = nil
    pieces = ArrivingPieces()
    let now = MonotonicTime.now
    if let lastRecovery, now - lastRecovery < Self.memory {
      waitingTime = min(max(Self.firstExtension, waitingTime + waitingTime), Self.maximumExtension)
    } else {
      waitingTime = .zero
    }
    lastRecovery = now
  }

  /// Ends the recovery if enough was written. Must be called when PCM was written.
  /// - Parameters:
  ///   - unplayed: The frames that were written and not played.
  ///   - isRingFull: Whether the worker waits for room in the ring: its source is faster than playback.
  /// - Returns: whether there is enough.
  func update(_ stream: PlaybackStream, unplayed: Frames, isRingFull: Bool) -> Bool {
    pieces.record(stream.format.rate.time(of: unplayed), at: .now)
    guard
      Int(unplayed.count) * stream.format.bytesPerFrame
        >= stream.headStart(isSourceFast: false, piece: pieces.longest)
    else { return false }
    if waitingTime == .zero || isRingFull {
      timer = nil
      onEnd()
    } else if timer == nil {
      timer = connection.timer(after: waitingTime) { [unowned self] in
        timer = nil
        onEnd()
      }
    }
    return true
  }
}
