// Thread: the pulse thread.
internal import CPulse
internal import SegueSystem

/// The requests for the length of PCM that the sink of a stream reads at once, and keeps before the loudspeaker. A sink
/// that is shared reads no more than the program with the lowest latency wants, such as a recorder of what the sink
/// plays.
///
/// The timing of a stream (`sink_usec`) states how much the sink keeps at the moment, which changes all the time. The
/// server's configuration of the sink does not depend on the moment.
final class SinkReadAhead {
  /// The length at the last response; nil if the stream was corked, flushed, moved, suspended or resumed since the
  /// request, if the sink is suspended, and if the server does not state the length.
  private(set) var length: MediaTime?
  private let stream: OpaquePointer
  /// The number of the request whose response counts.
  private var request: UInt64 = 0

  init(_ stream: OpaquePointer) { self.stream = stream }

  /// Requests the length. `onResponse` is called when it is known, unless `invalidate` is called before.
  func send(onResponse: @escaping () -> Void) {
    invalidate()
    let (request, sink) = (request, pa_stream_get_device_index(stream))
    PulseOperation.start(
      { pa_context_get_sink_info_by_index(pa_stream_get_context(self.stream), sink, sinkInfoArrived, $0) },
      onResponse: { [weak self] response in
        guard let self, self.request == request, case .sink(let info) = response else { return }
        // PulseAudio states 0 for a suspended sink, and PipeWire for every sink.
        guard info.index == sink, PA_SINK_IS_OPENED(info.state) != 0, info.configured_latency > 0 else { return }
        self.length = MediaTime(microseconds: Int64(clamping: info.configured_latency))
        onResponse()
      })
  }

  /// Discards the length, and the response that is on the way.
  func invalidate() {
    request += 1
    length = nil
  }
}
