public import SegueRing
public import SegueSystem
public import SegueWire

/// A playback position: a frame of a track.
public struct TrackPosition: Sendable, Equatable {
  public var generation: Generation
  public var frame: Frames
  public var rate: SampleRate

  public init(generation: Generation, frame: Frames, rate: SampleRate) {
    (self.generation, self.frame, self.rate) = (generation, frame, rate)
  }
}

/// A reason why there is no sound.
public enum OutputLoss: Sendable, Equatable {
  /// The server does not respond.
  case server
  /// The server has no sink.
  case sink
  /// The server ended the stream, or opens none.
  case stream
}

/// The part of the output that does not act although sound is to be played.
public enum OutputHang: Sendable, Equatable {
  /// The server does not respond.
  case server
  /// The server responds, but its sink reads nothing.
  case sink
}

/// An event of an output, delivered on a thread of the output.
public enum SinkEvent: Sendable, Equatable {
  /// The server responded: at the start, and after every `lost`.
  case connected
  /// Sound is wanted and cannot be played. The event comes once per loss; the stream and the generations are dropped,
  /// and the sink retries for as long as sound is wanted. `position` is the last playback position, if there was one.
  case lost(OutputLoss, reason: LocalizableMessage, position: TrackPosition?)
  /// The server or its sink hangs: it is expected to act and does not. The generations stay, and the clock stands
  /// still.
  case unresponsive(OutputHang, reason: LocalizableMessage)
  /// The server or sink that hung acts again, or is not expected to act any more.
  case responsive
  case opened(StreamSink)
  case closed
  /// The generation, which is on the clock, starts to play at that time. The event is repeated if the time changes by
  /// more than 20 ms before it has come.
  case scheduled(Generation, at: MonotonicTime)
  /// The generation stood still and continues at that time: after a pause, or after an underrun. The event is repeated
  /// if the time changes before it has come.
  case resumed(Generation, at: MonotonicTime)
  /// A pause fades out: the clock stands at the first silent frame. The event is repeated if the sound stopped
  /// elsewhere.
  case pauseFading
  /// The last frame of the generation was played, and nothing followed.
  case finished(Generation)
  /// The server has no more PCM, and more is to come. The position stands still as soon as the rest has been played,
  /// and until `resumed`.
  case ranDry
  /// The server ran out of PCM within a generation. `total` counts these events.
  case underrun(total: UInt64)
  /// The volume changed to this, by a command or by another program. `after` is the number of the last command that was
  /// carried out. A mute of the server during a call is not reported. `balance` is nil if all channels are equal.
  case volume(percent: Int, muted: Bool, balance: String? = nil, after: UInt64 = 0)
  /// The stream plays on another sink now.
  case moved(StreamSink)
  /// The server requests a pause, for example for a call.
  case corkRequested
  /// The server ends its request.
  case uncorkRequested
  /// The ring of this generation has content that no correct worker writes. Nothing more is read from the ring.
  case ringCorrupted(Generation, String)
  /// The server does not open a stream. The sink has dropped its generations.
  case streamRefused(LocalizableMessage)
  /// The chosen sink is not available. The stream stays on its sink, or opens on the server's default.
  case deviceUnavailable(LocalizableMessage)
  case sinks(token: UInt64, [SinkDescription])
  case sinksUnavailable(token: UInt64, reason: LocalizableMessage)
}
