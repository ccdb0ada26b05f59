// Pulse thread only. The writing allocates nothing of ours: PCM goes from the ring into memory of libpulse, which sends it.
internal import CPulse
internal import SegueSystem

extension PlaybackStream {
  /// How many bytes the server would take now: what it asked for, and after a flush all of its buffer, for which it asks
  /// only later.
  var room: Int {
    guard isReady else { return 0 }
    let asked = pa_stream_writable_size(stream)
    return max(asked == .max ? 0 : asked, target - written) / format.bytesPerFrame * format.bytesPerFrame
  }

  /// Hands over up to `count` bytes, which `fill` puts into memory it is given, in as many pieces as it takes; to be
  /// heard as `shape` makes each of them.
  func write(
    _ count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void, shape: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    send(count) { memory in
      fill(memory)
      history?.append(memory)
      shape(memory)
    }
  }

  /// Takes back the last `count` bytes that were written, so that they cannot be heard any more unless they are being
  /// heard. `tail` is the frame before them, which is written again to set the position.
  func takeBack(_ count: Int, tail: UnsafeRawBufferPointer) {
    history?.removeLast(count)
    stepBack(count)
    send(count) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    stepBack(count + tail.count)
    send(tail.count) { $0.copyMemory(from: tail) }
  }

  /// Whether the last `count` bytes can be written again.
  func remembers(_ count: Int) -> Bool { history.map { count <= $0.count } ?? false }

  /// Writes the last `count` bytes again, each piece as `shape` makes it, and silence behind them that the next writing
  /// takes the place of. What of it is being heard by now stays as it was. Precondition: it remembers them.
  func rewrite(_ count: Int, silence: Int = 0, shape: (UnsafeMutableRawBufferPointer) -> Void) {
    stepBack(count)
    resend(count, shape)
    send(silence) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
    stepBack(silence)
  }

  /// Forgets what the server has but for the last `count` bytes, each piece of which is as `shape` makes it: they are what
  /// is heard next. Precondition: corked, and it remembers them.
  func startAnew(withLast count: Int, shape: (UnsafeMutableRawBufferPointer) -> Void) {
    forgetAtServer()
    written -= count
    stepBackOwed = 0
    resend(count, shape)
  }

  private func resend(_ count: Int, _ shape: (UnsafeMutableRawBufferPointer) -> Void) {
    var rest = count
    send(count) { memory in
      history?.copy(from: rest, into: memory)
      rest -= memory.count
      shape(memory)
    }
  }

  /// The next writing begins so many bytes before the end of what was written, and takes the place of that.
  private func stepBack(_ count: Int) {
    stepBackOwed += count
    written -= count
  }

  /// Hands over without a copy.
  private func send(_ count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    var rest = count
    while rest > 0 {
      var memory: UnsafeMutableRawPointer?
      var size = rest
      // A connection that just broke gives no memory; its failure is on its way.
      guard pa_stream_begin_write(stream, &memory, &size) == 0, let memory else { return }
      size = min(size, rest)
      fill(UnsafeMutableRawBufferPointer(start: memory, count: size))
      pa_stream_write(stream, memory, size, nil, Int64(-stepBackOwed), PA_SEEK_RELATIVE)
      stepBackOwed = 0
      written += size
      rest -= size
    }
  }

  /// Stops (`true`) or starts the sound. Stopping gives back what the sink has not played.
  func cork(_ on: Bool) {
    isCorked = on
    timingsVoid = timingsAsked
    drop(pa_stream_cork(stream, on ? 1 : 0, nil, nil))
  }

  /// Forgets what the server has. Precondition: corked; a running stream would play on what its sink has taken.
  func flush() {
    forgetAtServer()
    history?.removeAll()
    written = 0
    stepBackOwed = 0
  }

  private func forgetAtServer() {
    drop(pa_stream_flush(stream, nil, nil))
    timingsVoid = timingsAsked
  }

  /// Answers with true once the server has nothing more to play, be it of what was written later, and with false after
  /// half a minute, or if it refuses. A later question takes its place: then it is never answered.
  func drain(_ answered: @escaping (Bool) -> Void) {
    Request.send(
      { pa_stream_drain(self.stream, streamRequestDone, $0) },
      answered: { answer in
        if case .done(let isDry) = answer { answered(isDry) }
      })
  }

  /// The owner is told by `streamTimed`.
  func requestTiming() {
    guard isReady, let operation = pa_stream_update_timing_info(stream, nil, nil) else { return }
    if timingsAnswered == timingsAsked { timingAskedAt = .now }
    timingsAsked += 1
    drop(operation)
  }

  /// Whether an answer is on its way.
  var awaitsTiming: Bool { timingsAnswered < timingsAsked }

  /// What the last answer said; nil if it does not fit what was done meanwhile.
  var timing: StreamTiming? {
    guard let info = indexedInfo, info.read_index_corrupt == 0 else { return nil }
    let base = base(of: info)
    let frame = Int64(format.bytesPerFrame)
    // By the wall clock, which may be set, and runs while the machine sleeps: an answer is no older than its question.
    let now = MonotonicTime.now
    let age = MediaTime(nanoseconds: segue_pa_age(info.timestamp) * 1000)
    return StreamTiming(
      time: now - age.clamped(to: .zero...max(.zero, now - timingAskedAt)),
      read: Frames((info.read_index - base) / frame),
      sinkLatency: MediaTime(nanoseconds: Int64(info.sink_usec) * 1000),
      isPlaying: info.playing != 0,
      sinceChange: info.since_underrun < 0 ? nil : Frames(info.since_underrun / frame))
  }

  /// What the sink takes out of the stream's buffer at most before it is heard, as far as is known.
  var sinkBuffer: MediaTime {
    let microseconds = pa_stream_get_timing_info(stream)?.pointee.configured_sink_usec ?? 0
    return MediaTime(nanoseconds: Int64(clamping: microseconds) * 1000)
  }

  /// The frame after the last one that was there when the server said that it ran dry; nil if that cannot be told.
  var dryFrame: Frames? {
    guard let info = indexedInfo else { return nil }
    let index = pa_stream_get_underflow_index(stream) - base(of: info)
    return index < 0 ? nil : Frames(index / Int64(format.bytesPerFrame))
  }

  /// What the last answer said, if it fits what was done meanwhile, and the write position in it is known.
  private var indexedInfo: pa_timing_info? {
    guard timingsAnswered > timingsVoid, let info = pa_stream_get_timing_info(stream)?.pointee,
      info.write_index_corrupt == 0
    else { return nil }
    return info
  }

  /// Where the stream began, or was flushed: the server counts bytes from its very beginning, and its write position is
  /// where ours is, or where it was before a step back that the next writing takes.
  private func base(of info: pa_timing_info) -> Int64 { info.write_index - Int64(written + stepBackOwed) }

  func describe(_ properties: TrackProperties) {
    let list = properties.list()
    defer { pa_proplist_free(list) }
    drop(pa_stream_proplist_update(stream, PA_UPDATE_REPLACE, list, nil, nil))
  }
}
