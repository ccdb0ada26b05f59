// Thread: the pulse thread.

internal import CPulse
internal import SegueSystem

/// A stream to the server in one format: a `pa_stream`. It starts corked. Requests are sent at once, and the server
/// carries them out in that order; no function waits for a response.
final class PlaybackStream {
  let format: AudioFormat
  /// The name of the sink on which the stream was opened; nil for the server's default.
  let device: String?
  let writer: StreamWriter
  private let map: pa_channel_map
  private let stream: OpaquePointer
  /// The number of requests for a review.
  private var reviews = 0
  fileprivate let timingRequests: TimingRequests
  private let readAhead: SinkReadAhead
  private(set) weak var delegate: (any StreamDelegate)?

  private(set) var isReady = false
  private(set) var isCorked = true
  /// Whether PCM that has been written can be written again.
  var keepsHistory = false { didSet { updateHistory() } }
  /// The size of the server's buffer in bytes.
  private var target = 0
  /// The number of bytes that the server requires before it starts.
  private(set) var prebuffer = 0
  /// A little more than the number of bytes that a sink that renders ahead reads at once when playback starts. With
  /// less, the sink fills up with silence and plays the rest by rewinding again and again.
  private var longHeadStart = 0
  /// The number of bytes that the server certainly accepts after it has run dry: it does not request less than a
  /// request yet.
  private var maximumHeadStart = 0

  /// The length of the server's buffer. The server requests more PCM when half a second is missing, and lets the sink
  /// read a whole second ahead.
  static let bufferLength = MediaTime.seconds(2)
  private static let requestLength = MediaTime.milliseconds(500)
  private static let prebufferLength = MediaTime.milliseconds(100)
  /// The head start if the sink reads at most `maximumShortReadAhead` at once. PipeWire's sinks read 186 ms. A sink
  /// that reads more would get silence, and PulseAudio 16 loses what it gets while it corrects that.
  private static let shortHeadStart = MediaTime.milliseconds(260)
  private static let maximumShortReadAhead = MediaTime.milliseconds(200)
  /// The largest buffer in bytes (`MAX_MEMBLOCKQ_LENGTH`). The server reduces a larger one, and its sink then gets no
  /// part of the buffer as its latency.
  private static let maximumBuffer = 4 << 20

  /// Returns nil if libpulse does not support the format, or if the connection is gone.
  init?(_ connection: PulseContext, format: AudioFormat, options: StreamOptions, delegate: any StreamDelegate) {
    guard var spec = format.sampleSpec else { return nil }
    var map = format.channels.channelMap
    let properties = options.properties.list()
    defer { pa_proplist_free(properties) }
    pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "music")
    guard let stream = pa_stream_new_with_proplist(connection.context, nil, &spec, &map, properties) else { return nil }
    self.format = format
    self.map = map
    device = options.device
    self.stream = stream
    writer = StreamWriter(stream)
    timingRequests = TimingRequests(stream)
    readAhead = SinkReadAhead(stream)
    self.delegate = delegate
    Self.setCallbacks(on: stream, for: self)
    guard connect(options) else { return nil }
  }

  private func connect(_ options: StreamOptions) -> Bool {
    let frame = format.bytesPerFrame
    let length = min(format.bytes(in: Self.bufferLength), Self.maximumBuffer / frame * frame)
    let request = min(format.bytes(in: Self.requestLength), length / 4 / frame * frame)
    var attributes = pa_buffer_attr(
      maxlength: .max, tlength: UInt32(length), prebuf: UInt32(format.bytes(in: Self.prebufferLength)),
      minreq: UInt32(request), fragsize: .max)
    let flags =
      PA_STREAM_START_CORKED.rawValue
      | (options.muted ? PA_STREAM_START_MUTED.rawValue : PA_STREAM_START_UNMUTED.rawValue)
    guard var volume = options.volume?.volumes(on: map) else {
      return pa_stream_connect_playback(stream, options.device, &attributes, pa_stream_flags_t(flags), nil, nil) == 0
    }
    return pa_stream_connect_playback(stream, options.device, &attributes, pa_stream_flags_t(flags), &volume, nil) == 0
  }

  deinit {
    // From here on no callback may reach this object. A stream that is still being created would stay at the server for
    // as long as the connection: it is closed as soon as it is ready.
    Self.setCallbacks(on: stream, for: nil)
    if pa_stream_get_state(stream) == PA_STREAM_CREATING {
      pa_stream_set_state_callback(stream, disconnectWhenReady, nil)
    } else {
      pa_stream_disconnect(stream)
    }
    pa_stream_unref(stream)
  }

  /// The server's number of the stream.
  var sinkInput: UInt32 { pa_stream_get_index(stream) }

  /// The server's number of the stream's sink.
  var sinkIndex: UInt32 { pa_stream_get_device_index(stream) }

  /// Whether the sink is suspended: then nothing is played, and the server requests no PCM.
  var isSuspended: Bool { isReady && pa_stream_is_suspended(stream) > 0 }

  func stateChanged() {
    switch pa_stream_get_state(stream) {
    case PA_STREAM_READY:
      isReady = true
      bufferChanged()
      delegate?.streamIsReady(self)
    case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
      isReady = false
      delegate?.streamFailed(self, StreamFailure(code: pa_context_errno(pa_stream_get_context(stream))))
    default: break
    }
  }

  // MARK: The server's buffer

  func bufferChanged() {
    guard let attributes = pa_stream_get_buffer_attr(stream)?.pointee else { return }
    target = Int(attributes.tlength)
    prebuffer = Int(attributes.prebuf)
    // The sink gets what remains of the buffer after two requests; the head start is half a request more.
    longHeadStart = max(prebuffer, target - Int(attributes.minreq) * 3 / 2)
    maximumHeadStart = max(longHeadStart, target - Int(attributes.minreq))
    updateHistory()
  }

  /// Returns the number of bytes that should be written before playback starts or continues.
  /// - Parameters:
  ///   - isSourceFast: whether what follows comes without delay.
  ///   - piece: the length of the pieces in which it comes. The sink may read just before the next one.
  func headStart(isSourceFast: Bool, piece: MediaTime = .zero) -> Int {
    min(headStart(isSourceFast) + format.bytes(in: piece), maximumHeadStart)
  }

  private func headStart(_ isSourceFast: Bool) -> Int {
    guard isSourceFast, !isSuspended, let length = sinkReadAhead, length <= Self.maximumShortReadAhead else {
      return longHeadStart
    }
    return max(prebuffer, min(format.bytes(in: Self.shortHeadStart), longHeadStart))
  }

  /// The length of PCM that the sink reads at once; nil if the server has not stated it since the stream was last
  /// flushed, moved, suspended or resumed. The stream has a limit, which the server states with timing, and the sink
  /// may have a lower one.
  private var sinkReadAhead: MediaTime? {
    let limit = timingRequests.info.map { MediaTime(microseconds: Int64(clamping: $0.configured_sink_usec)) }
    return [limit, readAhead.length].compactMap { $0 }.filter { $0 > .zero }.min()
  }

  /// Requests the latency of the sink, on which `headStart` depends. The delegate is notified by
  /// `streamReadAheadArrived` and `streamTimingArrived`.
  func requestReadAhead() {
    guard isReady, !isSuspended else { return }
    readAhead.send { [unowned self] in delegate?.streamReadAheadArrived(self) }
    requestTiming()
  }

  /// Discards the responses of the server about the timing of the stream and the latency of its sink.
  func invalidateResponses() {
    readAhead.invalidate()
    timingRequests.invalidate()
  }

  /// The history is twice as long as the server's buffer, because the sink may hold as much as the buffer.
  private func updateHistory() {
    if !keepsHistory {
      writer.keepHistory(0)
    } else if target > 0 {
      writer.keepHistory(2 * target)
    }
  }

  /// The number of bytes that the server accepts now: the number it requested and, after a flush, its whole buffer,
  /// which it requests only later.
  var writableSize: Int {
    guard isReady else { return 0 }
    let requested = pa_stream_writable_size(stream)
    return max(requested == .max ? 0 : requested, target - writer.written) / format.bytesPerFrame * format.bytesPerFrame
  }

  // MARK: Playing

  /// Stops (`true`) or starts the sound. PCM that the sink has read and not played goes back to the buffer on a stop.
  func cork(_ on: Bool) {
    isCorked = on
    invalidateResponses()
    release(pa_stream_cork(stream, on ? 1 : 0, nil, nil))
  }

  /// Discards everything that the server has. Precondition: corked; a running stream would continue to play what
  /// its sink holds.
  func flush() {
    flushServer()
    writer.reset()
  }

  /// Discards everything that the server has except for the last `count` bytes, each piece of which is changed by
  /// `shape`: they are played next. Precondition: corked, and `writer.canRewrite(count)`.
  func flush(keepingLast count: Int, shape: (UnsafeMutableRawBufferPointer) -> Void) {
    flushServer()
    writer.rewriteAfterFlush(count, shape: shape)
  }

  private func flushServer() {
    release(pa_stream_flush(stream, nil, nil))
    invalidateResponses()
  }

  /// Requests a drain. The response is true once the sink has read everything, including what is written after the
  /// request, and false after half a minute or if the server refuses. A later request replaces this one, which then
  /// gets no response.
  func drain(completion: @escaping (Bool) -> Void) {
    PulseOperation.start(
      { pa_stream_drain(self.stream, streamOperationDone, $0) },
      onResponse: { response in
        if case .done(let isDrained) = response { completion(isDrained) }
      })
  }

  // MARK: Timing

  /// Requests timing. The delegate is notified by `streamTimingArrived`.
  func requestTiming() { if isReady { timingRequests.send() } }

  /// Whether the sink had PCM to read between the last two responses with timing, and read nothing.
  var isSinkIdle: Bool { timingRequests.isSinkIdle }

  /// Whether a response with timing is on the way.
  var isTimingPending: Bool { timingRequests.isPending }

  /// The timing of the last response; nil if the stream was corked, flushed or moved, or its sink suspended or
  /// resumed since its request, or if the response lacks a position.
  var timing: StreamTiming? {
    guard let info = timingRequests.info, info.read_index_corrupt == 0 else { return nil }
    let origin = origin(of: info)
    let frameSize = Int64(format.bytesPerFrame)
    return StreamTiming(
      time: timingRequests.time(of: info),
      read: Frames((info.read_index - origin) / frameSize),
      sinkLatency: MediaTime(microseconds: Int64(clamping: info.sink_usec)),
      isPlaying: info.playing != 0,
      sincePlayingChanged: info.since_underrun < 0 ? nil : Frames(info.since_underrun / frameSize))
  }

  /// The longest time from the moment the sink reads a frame to the moment the frame is played, as far as it is known.
  var sinkBuffer: MediaTime {
    let microseconds = pa_stream_get_timing_info(stream)?.pointee.configured_sink_usec ?? 0
    return MediaTime(microseconds: Int64(clamping: microseconds))
  }

  /// The end of the PCM that the server had when it reported the last underflow; nil if it is not known.
  var underflowFrame: Frames? {
    guard let info = timingRequests.info else { return nil }
    let index = pa_stream_get_underflow_index(stream) - origin(of: info)
    return index < 0 ? nil : Frames(index / Int64(format.bytesPerFrame))
  }

  /// The server's index of the first byte after the last flush. The server counts bytes from the beginning of the
  /// stream.
  private func origin(of info: pa_timing_info) -> Int64 { info.write_index - Int64(writer.serverWritePosition) }

  // MARK: Properties and volume

  func setProperties(_ properties: TrackProperties) {
    let list = properties.list()
    defer { pa_proplist_free(list) }
    release(pa_stream_proplist_update(stream, PA_UPDATE_REPLACE, list, nil, nil))
  }

  /// Changes a property, so that modules of the server that act on streams with certain properties look at this one
  /// again.
  func requestReview() {
    guard isReady else { return }
    reviews += 1
    let list = pa_proplist_new()
    defer { pa_proplist_free(list) }
    pa_proplist_sets(list, "segue.review", "\(reviews)")
    release(pa_stream_proplist_update(stream, PA_UPDATE_REPLACE, list, nil, nil))
  }

  /// Requests the server's volume and mute of the stream. The response is nil if the server does not have the stream
  /// any more. There is none if the connection is gone.
  func readVolume(completion: @escaping (ReportedVolume?) -> Void) {
    guard isReady else { return }
    PulseOperation.start(
      {
        pa_context_get_sink_input_info(pa_stream_get_context(self.stream), self.sinkInput, sinkInputInfoArrived, $0)
      },
      onResponse: { response in
        switch response {
        case .sinkInput(let info):
          completion(ReportedVolume(volumes: info.volume, map: info.channel_map, isMuted: info.mute != 0))
        case .endOfList(false): completion(nil)
        case .endOfList(true), .done, .server, .sink: break
        }
      })
  }

  func setVolume(_ volume: Volume) {
    guard isReady else { return }
    var volumes = volume.volumes(on: map)
    release(pa_context_set_sink_input_volume(pa_stream_get_context(stream), sinkInput, &volumes, nil, nil))
  }

  func setMute(_ muted: Bool) {
    guard isReady else { return }
    release(pa_context_set_sink_input_mute(pa_stream_get_context(stream), sinkInput, muted ? 1 : 0, nil, nil))
  }
}

private func disconnectWhenReady(stream: OpaquePointer?, _: UnsafeMutableRawPointer?) {
  if let stream, pa_stream_get_state(stream) == PA_STREAM_READY { pa_stream_disconnect(stream) }
}

extension PlaybackStream {
  /// Sets the callbacks, which hold `owner` unretained. Without an owner they do nothing: `deinit` sets them to that.
  fileprivate static func setCallbacks(on stream: OpaquePointer, for owner: PlaybackStream?) {
    // Proof: as stated above; libpulse calls them on the pulse thread only, which releases the stream.
    let this = owner.map { Unmanaged.passUnretained($0).toOpaque() }
    pa_stream_set_state_callback(stream, streamStateChanged, this)
    pa_stream_set_write_callback(stream, streamNeedsData, this)
    pa_stream_set_started_callback(stream, streamStarted, this)
    pa_stream_set_underflow_callback(stream, streamUnderflowed, this)
    pa_stream_set_moved_callback(stream, streamMoved, this)
    pa_stream_set_suspended_callback(stream, streamSuspended, this)
    pa_stream_set_latency_update_callback(stream, streamTimingArrived, this)
    pa_stream_set_buffer_attr_callback(stream, streamBufferChanged, this)
    pa_stream_set_event_callback(stream, streamEventArrived, this)
  }
}

private func with(_ context: UnsafeMutableRawPointer?, _ body: (PlaybackStream, (any StreamDelegate)?) -> Void) {
  guard let context else { return }
  let stream = Unmanaged<PlaybackStream>.fromOpaque(context).takeUnretainedValue()
  body(stream, stream.delegate)
}

private func streamStateChanged(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, _ in stream.stateChanged() }
}

private func streamNeedsData(_: OpaquePointer?, _: Int, context: UnsafeMutableRawPointer?) {
  with(context) { stream, delegate in delegate?.streamNeedsData(stream) }
}

private func streamStarted(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, delegate in delegate?.streamStarted(stream) }
}

private func streamUnderflowed(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, delegate in delegate?.streamUnderflowed(stream) }
}

private func streamMoved(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, delegate in
    stream.invalidateResponses()
    stream.bufferChanged()
    delegate?.streamMoved(stream)
  }
}

private func streamSuspended(stream handle: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  guard let handle else { return }
  with(context) { stream, delegate in
    stream.invalidateResponses()
    delegate?.streamSuspended(stream, pa_stream_is_suspended(handle) > 0)
  }
}

private func streamTimingArrived(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, delegate in
    stream.timingRequests.countResponse()
    delegate?.streamTimingArrived(stream)
  }
}

private func streamBufferChanged(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, _ in stream.bufferChanged() }
}

private func streamEventArrived(
  _: OpaquePointer?, name: UnsafePointer<CChar>?, _: OpaquePointer?, context: UnsafeMutableRawPointer?
) {
  guard let name else { return }
  with(context) { stream, delegate in
    switch String(cString: name) {
    case PA_STREAM_EVENT_REQUEST_CORK: delegate?.streamCorkRequested(stream, true)
    case PA_STREAM_EVENT_REQUEST_UNCORK: delegate?.streamCorkRequested(stream, false)
    default: break
    }
  }
}
