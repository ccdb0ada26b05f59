public import SegueRing
public import SegueSystem

/// A frame of a track, on its way through the ear.
public struct TrackPosition: Sendable, Equatable {
  public var generation: Generation
  public var frame: Frames
  public var rate: SampleRate
}

/// Why there is no sound.
public enum OutputLoss: Sendable, Equatable {
  /// No server answers.
  case server
  /// The server has no sink.
  case sink
  /// The server ended the stream, or opens none.
  case stream
}

/// What the sink has to say, on the pulse thread.
public enum SinkEvent: Sendable, Equatable {
  /// A server answered: after the start, and after every `lost`.
  case connected
  /// Something is wanted and cannot be heard. Once per loss; the generations are dropped, and the sink tries again by
  /// itself for as long as something is wanted. `position`: the frame that was at the loudspeaker last, if any was.
  case lost(OutputLoss, reason: String, position: TrackPosition?)
  /// The server hangs: it owes something and gives no sign. The generations stay, and the clock stands.
  case unresponsive(String)
  /// It gives signs again, or nothing is asked of it any more.
  case responsive
  case opened(StreamInfo)
  case closed
  /// The first frame of a generation, `Frames` of its track, will be heard at that time. Again if that moves by more than
  /// 20 ms before it has come.
  case scheduled(Generation, Frames, SampleRate, at: MonotonicTime)
  /// What was heard of a generation, and stood, goes on at that time: after a pause, or where the server ran dry. Again
  /// if that moves before it has come.
  case resumed(Generation, at: MonotonicTime)
  /// A pause fades: the clock shows the frame that is silent first, and stays there.
  case pauseFading
  /// Its last frame was heard, and nothing followed.
  case finished(Generation)
  /// The server ran out of sound in the midst of a generation; so often by now.
  case underrun(total: UInt64)
  /// The stream's volume at the server became this, whoever changed it.
  case volume(percent: Int, muted: Bool)
  /// The stream plays on another sink now.
  case moved(StreamInfo)
  /// PulseAudio's role-cork wants silence, for a call perhaps; and wants it no more.
  case corkRequested
  case uncorkRequested
  /// The ring of this generation holds what no honest worker writes. Nothing more is read from it.
  case ringCorrupted(Generation, String)
  /// The server would not open a stream. The sink has dropped its generations.
  case streamRefused(String)
  /// The sink that was chosen cannot be played on; the sound stays where it is, or goes to the server's default.
  case deviceUnavailable(String)
  case sinks(token: UInt64, [SinkDescription])
  case sinksUnavailable(token: UInt64, reason: String)
}
