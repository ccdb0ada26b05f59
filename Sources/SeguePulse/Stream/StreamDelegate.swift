// Thread: the pulse thread.
internal import CPulse
internal import SegueWire

/// A delegate that provides a stream with PCM and receives its events.
protocol StreamDelegate: AnyObject {
  func streamIsReady(_ stream: PlaybackStream)
  func streamFailed(_ stream: PlaybackStream, _ failure: StreamFailure)
  /// The server has room for more PCM.
  func streamNeedsData(_ stream: PlaybackStream)
  func streamStarted(_ stream: PlaybackStream)
  func streamUnderflowed(_ stream: PlaybackStream)
  func streamMoved(_ stream: PlaybackStream)
  func streamSuspended(_ stream: PlaybackStream, _ isSuspended: Bool)
  /// A response with timing arrived; it may be outdated.
  func streamTimingArrived(_ stream: PlaybackStream)
  /// The server has stated how far the sink reads ahead.
  func streamReadAheadArrived(_ stream: PlaybackStream)
  /// The server requests that the stream is corked (`true`) or uncorked, because of another program's sound.
  func streamCorkRequested(_ stream: PlaybackStream, _ cork: Bool)
}

/// The reason why a stream could not be opened, or ended.
struct StreamFailure {
  /// A `pa_error_code_t`.
  let code: Int32

  /// Whether the server does not have the named sink or, if none was named, any sink.
  var isSinkMissing: Bool { UInt32(bitPattern: code) == PA_ERR_NOENTITY.rawValue }

  /// The reason as libpulse words it.
  var reason: LocalizableMessage { LocalizableMessage(pulseError: code) }
}
