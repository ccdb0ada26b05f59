// Pulse thread only.
internal import CPulse
internal import SegueSystem

/// Who is told what a stream needs and what becomes of it.
protocol StreamDelegate: AnyObject {
  func streamIsReady(_ stream: PlaybackStream)
  func streamFailed(_ stream: PlaybackStream, _ failure: StreamFailure)
  /// The server has room for more.
  func streamWants(_ stream: PlaybackStream)
  func streamStarted(_ stream: PlaybackStream)
  func streamUnderflowed(_ stream: PlaybackStream)
  func streamMoved(_ stream: PlaybackStream)
  func streamSuspended(_ stream: PlaybackStream, _ suspended: Bool)
  /// New timing came; it may be of no use.
  func streamTimed(_ stream: PlaybackStream)
  /// Another program's sound is (`true`), or is no longer, more urgent than ours.
  func streamCorkRequested(_ stream: PlaybackStream, _ cork: Bool)
}

/// Why a stream was not opened, or ended.
struct StreamFailure {
  /// A `pa_error_code_t`.
  let code: Int32

  /// Whether the server has no such sink or, if none was named, no sink at all.
  var isSinkMissing: Bool { UInt32(bitPattern: code) == PA_ERR_NOENTITY.rawValue }

  /// The reason in libpulse's words.
  var reason: String { String(cString: pa_strerror(code)) }
}

/// What a new stream is asked to be.
struct StreamOptions {
  var device: String?
  /// nil: what the server remembers of us.
  var volume: Volume?
  var muted: Bool?
  var properties: TrackProperties
}

/// A stream to the server, in one format: a `pa_stream`. It starts corked. Orders to it are sent at once and carried out
/// by the server in that order; nothing here waits for an answer.
final class PlaybackStream {
  let format: AudioFormat
  /// The sink it was to be on; nil: the server's default.
  let device: String?
  let stream: OpaquePointer
  weak var owner: (any StreamDelegate)?

  private(set) var isReady = false
  var isCorked = true
  /// Bytes written since the last flush, less those taken back.
  var written = 0
  /// Bytes the next write starts before the server's write position.
  var stepBackOwed = 0
  /// What was written last, if that is to be kept: as much as may not have been heard.
  private(set) var history: History?
  /// Whether what was written can be written again.
  var keepsHistory = false { didSet { keepHistory() } }
  /// As the server last said.
  var channelVolumes: pa_cvolume?
  /// Timing requests sent and answered; answers to those sent before the last cork or flush are about another state.
  var timingsAsked = 0
  var timingsAnswered = 0
  var timingsVoid = 0
  /// When the oldest of those not yet answered was sent.
  var timingAskedAt = MonotonicTime(nanoseconds: 0)
  /// What the server holds at most, and what it wants before it starts; bytes.
  private(set) var target = 0
  private(set) var prebuffer = 0
  /// What a sink that renders ahead takes at once when the sound starts, and a little more. With less it fills up with
  /// silence, and plays the rest by rewinding over and over.
  private(set) var headStart = 0

  /// Two seconds at the server; it asks for more when half a second is missing, and lets the sink take a whole one.
  static let buffered = MediaTime.seconds(2)
  static let request = MediaTime.milliseconds(500)
  static let start = MediaTime.milliseconds(100)
  /// A server cuts down what is asked for beyond this, in bytes, and leaves its sink no share of it
  /// (`MAX_MEMBLOCKQ_LENGTH`).
  private static let most = 4 << 20

  /// Nil if libpulse takes no such format, or the connection is no more.
  init?(_ connection: Connection, format: AudioFormat, wish: StreamOptions, owner: any StreamDelegate) {
    guard var spec = format.sampleSpec else { return nil }
    var map = format.channels.channelMap
    let properties = wish.properties.list()
    defer { pa_proplist_free(properties) }
    pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music")
    guard let stream = pa_stream_new_with_proplist(connection.context, nil, &spec, &map, properties) else { return nil }
    self.format = format
    device = wish.device
    self.stream = stream
    self.owner = owner
    listen()
    guard connect(wish) else { return nil }
  }

  private func connect(_ wish: StreamOptions) -> Bool {
    let frame = format.bytesPerFrame
    let length = min(format.bytes(in: Self.buffered), Self.most / frame * frame)
    let request = min(format.bytes(in: Self.request), length / 4 / frame * frame)
    var attributes = pa_buffer_attr(
      maxlength: .max, tlength: UInt32(length), prebuf: UInt32(format.bytes(in: Self.start)), minreq: UInt32(request),
      fragsize: .max)
    var flags = PA_STREAM_START_CORKED.rawValue
    switch wish.muted {
    case true: flags |= PA_STREAM_START_MUTED.rawValue
    case false: flags |= PA_STREAM_START_UNMUTED.rawValue
    default: break
    }
    guard var volume = wish.volume?.spread(over: format.channels.count) else {
      return pa_stream_connect_playback(stream, wish.device, &attributes, pa_stream_flags_t(flags), nil, nil) == 0
    }
    return pa_stream_connect_playback(stream, wish.device, &attributes, pa_stream_flags_t(flags), &volume, nil) == 0
  }

  deinit {
    // No callback may reach this object from here on. A stream that is still being made would stay at the server for as
    // long as the connection: it is closed as soon as it is there.
    deafen()
    if pa_stream_get_state(stream) == PA_STREAM_CREATING {
      pa_stream_set_state_callback(stream, closeWhenReady, nil)
    } else {
      pa_stream_disconnect(stream)
    }
    pa_stream_unref(stream)
  }

  /// The stream's number at the server, and its sink's.
  var sinkInput: UInt32 { pa_stream_get_index(stream) }
  var sinkIndex: UInt32 { pa_stream_get_device_index(stream) }

  /// Whether its sink is: then nothing is played, and the server asks for nothing.
  var isSuspended: Bool { isReady && pa_stream_is_suspended(stream) > 0 }

  func stateChanged() {
    switch pa_stream_get_state(stream) {
    case PA_STREAM_READY:
      isReady = true
      bufferChanged()
      owner?.streamIsReady(self)
    case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
      isReady = false
      owner?.streamFailed(self, StreamFailure(code: pa_context_errno(pa_stream_get_context(stream))))
    default: break
    }
  }

  func bufferChanged() {
    guard let attributes = pa_stream_get_buffer_attr(stream)?.pointee else { return }
    target = Int(attributes.tlength)
    prebuffer = Int(attributes.prebuf)
    // The server leaves its sink what two requests leave of the buffer.
    headStart = max(prebuffer, target - Int(attributes.minreq) * 3 / 2)
    keepHistory()
  }

  /// The sink holds no more than the buffer does.
  private func keepHistory() {
    if !keepsHistory {
      history = nil
    } else if target > 0, history.map({ $0.capacity < 2 * target }) ?? true {
      history = History(capacity: 2 * target, keeping: history)
    }
  }
}

private func closeWhenReady(stream: OpaquePointer?, _: UnsafeMutableRawPointer?) {
  if let stream, pa_stream_get_state(stream) == PA_STREAM_READY { pa_stream_disconnect(stream) }
}
