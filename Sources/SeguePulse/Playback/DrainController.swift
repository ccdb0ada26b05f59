// Thread: the pulse thread.
internal import SegueSystem

/// A delegate that is notified when a stream has run dry or has been played to its end.
protocol DrainControllerDelegate: AnyObject {
  /// The server responded to a drain that was cancelled: it ran dry at `end`; nil if the end is not known.
  func streamRanDryAfterCancelledDrain(at end: Frames?)
  /// The server took everything up to `end`, and nothing follows; nil if the end is not known.
  func streamDrained(at end: Frames?)
  /// The last frame has been played.
  func streamEnded()
}

/// A controller of the end of a stream: everything is written, and the last frame is to be played.
///
/// It requests a drain: the server responds when its sink has read everything that the server has got. At that moment
/// the server runs dry, even if more PCM is on the way to it. While a drain is pending, a sink that does not render
/// ahead reports no underflow.
final class DrainController {
  private final class Request {
    enum State {
      /// The response is awaited: everything is written, and nothing follows.
      case pending
      /// The end is no longer to be played, because something follows or playback was paused. If the server responds
      /// nevertheless, it has run dry.
      case cancelled
      /// The server has taken everything. The last frame may not have been played.
      case answered
    }

    var state = State.pending
    /// The end of what was written when the drain was requested; nil if the server will run dry at another frame, which
    /// is unknown.
    var end: Frames?
    var requestTime = MonotonicTime.now

    init(at end: Frames) { self.end = end }
  }

  /// The time by which the clock may be ahead of the loudspeaker.
  private static let clockMargin = MediaTime.milliseconds(20)
  /// The length of the silence that the server may count as read, because it fills its last period with silence.
  private static let silenceMargin = MediaTime.milliseconds(50)
  /// The minimum time between two requests of a drain. A request that fails sooner was refused, and would be refused
  /// again.
  private static let minimumRequestInterval = MediaTime.seconds(1)

  private let connection: ServerConnection
  weak var delegate: (any DrainControllerDelegate)?
  /// The last request on this stream.
  private var request: Request?
  /// The timer that ends the stream when the last frame has been played, or when the server fails to respond.
  private var timer: PulseTimer?

  init(_ connection: ServerConnection) { self.connection = connection }

  /// Requests a drain of what was written up to `end`. The server may fail to respond: the stream then ends by a
  /// timeout.
  func start(on stream: PlaybackStream, at end: Frames, latency: MediaTime) {
    let request = Request(at: end)
    self.request = request
    send(request, on: stream)
    let timeout = latency + PlaybackStream.bufferLength + PlaybackStream.bufferLength
    timer = connection.timer(after: timeout) { [unowned self] in endStream() }
  }

  func cancel() {
    switch request?.state {
    case .pending: request?.state = .cancelled
    case .answered: request = nil
    case .cancelled, nil: break
    }
    timer = nil
  }

  /// Ignores the response to the last request, because its stream is closed.
  func reset() { request = nil }

  /// Requests the drain again after libpulse has stopped waiting for the response. A drain of a corked stream is not
  /// requested: the stream does not run dry, and every timeout of libpulse would wake this process.
  func renew(on stream: PlaybackStream?) {
    guard let request, request.state != .answered, let stream, !stream.isCorked else { return }
    defer { request.requestTime = .now }
    if MonotonicTime.now - request.requestTime > Self.minimumRequestInterval { send(request, on: stream) }
  }

  /// Updates the end after everything beyond `frame` was discarded; nil: all that was written.
  func handleDiscard(after frame: Frames?) {
    guard let request else { return }
    request.end = request.end.flatMap { end in frame.map { min(end, $0) } }
  }

  /// Updates the end after the sink has read up to `read`. If that is beyond the end of the request, the server did not
  /// run dry there, and will at an unknown later frame.
  func handleRead(_ read: Frames, rate: SampleRate) {
    if let end = request?.end, read - end > rate.frames(in: Self.silenceMargin) { request?.end = nil }
  }

  /// Ends the stream once the rest has been played, if the drain is complete. PulseAudio reports that as soon as the
  /// sink has read the last frame. The sink may hold a second of sound, which corking would cut off: the clock decides.
  func endIfDrained(rest: MediaTime) {
    guard request?.state == .answered else { return }
    if rest > .zero {
      timer = connection.timer(after: rest + Self.clockMargin) { [unowned self] in endStream() }
    } else {
      endStream()
    }
  }

  private func send(_ request: Request, on stream: PlaybackStream) {
    stream.drain { [unowned self, weak stream] isDrained in
      guard request === self.request else { return }
      if isDrained { finish(request) } else { renew(on: stream) }
    }
  }

  private func finish(_ request: Request) {
    switch request.state {
    case .cancelled:
      self.request = nil
      delegate?.streamRanDryAfterCancelledDrain(at: request.end)
    case .pending, .answered:
      request.state = .answered
      delegate?.streamDrained(at: request.end)
    }
  }

  private func endStream() {
    cancel()
    delegate?.streamEnded()
  }
}
