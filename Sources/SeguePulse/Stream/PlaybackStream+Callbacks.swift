// Thread: the pulse thread.
internal import CPulse

extension PlaybackStream {
  /// Sets the callbacks. They hold the stream unretained: `deinit` calls `removeCallbacks`.
  func setCallbacks(on stream: OpaquePointer) {
    // Proof: as stated above; libpulse calls them on the pulse thread only, which releases the stream.
    let this = Unmanaged.passUnretained(self).toOpaque()
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

  func removeCallbacks(from stream: OpaquePointer) {
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
    stream.handleTimingResponse()
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
