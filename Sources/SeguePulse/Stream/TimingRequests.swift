// Thread: the pulse thread.
internal import CPulse
internal import SegueSystem

/// The timing that the server reported for a stream at `time`, in frames since the last flush.
struct StreamTiming: Equatable {
  var time: MonotonicTime
  /// The frames that the sink has read from the stream's buffer.
  var read: Frames
  /// The time from there to the loudspeaker.
  var sinkLatency: MediaTime
  var isPlaying: Bool
  /// The frames since `isPlaying` changed: those played since the last silence, or those of silence since the last
  /// sound; nil if nothing was played.
  var sincePlayingChanged: Frames?
}

/// The requests for a stream's timing. Responses to requests from before the stream was last corked, flushed or moved,
/// or its sink was last suspended or resumed, describe another state and are ignored.
final class TimingRequests {
  private let stream: OpaquePointer
  private var sent = 0
  private var answered = 0
  /// The number of requests that had been sent when the responses were last invalidated.
  private var invalidated = 0
  /// The time of the oldest request that has no response yet.
  private var oldestRequest = MonotonicTime(nanoseconds: 0)
  /// The server's index of the first byte that the sink had not read at the last response.
  private var readIndex: Int64?
  /// Whether the sink had read nothing between the last two responses, as far as is known.
  private var isReadIndexUnchanged = false

  init(_ stream: OpaquePointer) { self.stream = stream }

  func send() {
    guard let operation = pa_stream_update_timing_info(stream, nil, nil) else { return }
    if answered == sent { oldestRequest = .now }
    sent += 1
    release(operation)
  }

  func countResponse() {
    answered += 1
    let index = pa_stream_get_timing_info(stream)?.pointee.read_index
    isReadIndexUnchanged = index == readIndex
    readIndex = index
  }

  /// Whether the sink had PCM to read between the last two responses, and read nothing.
  var isSinkIdle: Bool {
    guard let info = pa_stream_get_timing_info(stream)?.pointee else { return false }
    return isReadIndexUnchanged && info.read_index_corrupt == 0 && info.read_index < info.write_index
  }

  /// Marks the responses to the requests sent so far as outdated.
  func invalidate() { invalidated = sent }

  var isPending: Bool { answered < sent }

  /// The last response, if it is not outdated and contains the write position.
  var info: pa_timing_info? {
    guard answered > invalidated, let info = pa_stream_get_timing_info(stream)?.pointee, info.write_index_corrupt == 0
    else { return nil }
    return info
  }

  /// Returns the time at which the server made the response. The response states it by the wall clock, which may be set
  /// and runs while the machine sleeps. Its age is therefore limited to that of the oldest request.
  func time(of info: pa_timing_info) -> MonotonicTime {
    let now = MonotonicTime.now
    let age = MediaTime(microseconds: segue_pa_age(info.timestamp))
    return now - age.clamped(to: .zero...max(.zero, now - oldestRequest))
  }
}
