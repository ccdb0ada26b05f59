public import SegueWire

extension StreamStatus.State {
  /// The state of a stream for which playback waits; nil while it plays.
  public var waiting: String? {
    switch self {
    case .connecting: tr("connecting")
    case .buffering: tr("buffering")
    case .live: nil
    }
  }
}

extension Output {
  /// The kind of error while the state is `lost`. It is `noServer` if the daemon reports none.
  public var lossKind: ErrorKind { errorKind ?? .noServer }
}

extension Output.ErrorKind {
  /// A short statement of what is missing.
  public var summary: String {
    switch self {
    case .noServer: tr("no sound server")
    case .noAnswer: tr("the sound server does not answer")
    case .noSink: tr("no output device")
    case .sinkStalled: tr("the output device does not play")
    case .noStream: tr("the sound server does not open a stream")
    }
  }

  /// A statement of what is missing, and of the condition under which playback resumes. It is nil for kinds whose error
  /// message is complete by itself.
  public var recovery: String? {
    switch self {
    case .noServer: tr("no sound server: playback resumes automatically when one is available")
    case .noStream:
      tr("the sound server does not open a stream: playback resumes automatically when it accepts one")
    case .noAnswer, .noSink, .sinkStalled: nil
    }
  }
}
