// Pulse thread only.
internal import CPulse

extension PlaybackStream {
  /// Unretained: `deinit` calls `deafen`.
  func listen() {
    let this = Unmanaged.passUnretained(self).toOpaque()
    pa_stream_set_state_callback(stream, streamStateChanged, this)
    pa_stream_set_write_callback(stream, streamWantsMore, this)
    pa_stream_set_started_callback(stream, streamStarted, this)
    pa_stream_set_underflow_callback(stream, streamUnderflowed, this)
    pa_stream_set_moved_callback(stream, streamMoved, this)
    pa_stream_set_suspended_callback(stream, streamSuspended, this)
    pa_stream_set_latency_update_callback(stream, streamTimed, this)
    pa_stream_set_buffer_attr_callback(stream, streamBufferChanged, this)
    pa_stream_set_event_callback(stream, streamEventCame, this)
  }

  func deafen() {
    pa_stream_set_state_callback(stream, nil, nil)
    pa_stream_set_write_callback(stream, nil, nil)
    pa_stream_set_started_callback(stream, nil, nil)
    pa_stream_set_underflow_callback(stream, nil, nil)
    pa_stream_set_moved_callback(stream, nil, nil)
    pa_stream_set_suspended_callback(stream, nil, nil)
    pa_stream_set_latency_update_callback(stream, nil, nil)
    pa_stream_set_buffer_attr_callback(stream, nil, nil)
    pa_stream_set_event_callback(stream, nil, nil)
  }
}

private func with(_ context: UnsafeMutableRawPointer?, _ body: (PlaybackStream, (any StreamDelegate)?) -> Void) {
  guard let context else { return }
  let stream = Unmanaged<PlaybackStream>.fromOpaque(context).takeUnretainedValue()
  body(stream, stream.owner)
}

private func streamStateChanged(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, _ in stream.stateChanged() }
}

private func streamWantsMore(_: OpaquePointer?, _: Int, context: UnsafeMutableRawPointer?) {
  with(context) { stream, owner in owner?.streamWants(stream) }
}

private func streamStarted(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, owner in owner?.streamStarted(stream) }
}

private func streamUnderflowed(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, owner in owner?.streamUnderflowed(stream) }
}

private func streamMoved(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, owner in
    stream.bufferChanged()
    owner?.streamMoved(stream)
  }
}

private func streamSuspended(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, owner in owner?.streamSuspended(stream, pa_stream_is_suspended(stream.stream) > 0) }
}

private func streamTimed(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, owner in
    stream.timingsAnswered += 1
    owner?.streamTimed(stream)
  }
}

private func streamBufferChanged(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
  with(context) { stream, _ in stream.bufferChanged() }
}

private func streamEventCame(
  _: OpaquePointer?, name: UnsafePointer<CChar>?, _: OpaquePointer?, context: UnsafeMutableRawPointer?
) {
  guard let name else { return }
  with(context) { stream, owner in
    switch String(cString: name) {
    case PA_STREAM_EVENT_REQUEST_CORK: owner?.streamCorkRequested(stream, true)
    case PA_STREAM_EVENT_REQUEST_UNCORK: owner?.streamCorkRequested(stream, false)
    default: break
    }
  }
}
