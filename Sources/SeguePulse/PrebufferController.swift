// Runs on the pulse thread only.
internal import SegueSystem

/// A controller that decides when playback starts: a start with too little PCM leads to an underrun, and a start with
/// more PCM than necessary is late.
///
/// - A decoder of a file, and the burst with which most radio streams begin, provide the head start
///   (`PlaybackStream.headStart`) within milliseconds; then playback starts. A track that is shorter than the head
///   start starts once all of it is written (`PlaybackController.awaitEnd`).
/// - If the decoder states that its source is in memory, and the server that the sink reads little at once, a fifth of the head
///   start suffices: the rest follows before the sink needs it.
/// - A source that is hardly faster than playback, such as a radio stream without a burst, never provides a head start.
///   It starts when new PCM arrives, once a minimum is buffered and the wait was half as long as the buffered PCM.
/// - A source that is slower or comes in pieces, such as a slow disk or a congested network, is given time; then
///   playback starts with what is there, and the next piece may take as long as that lasts.
final class PrebufferController {
  /// The minimum length of PCM at the start, which compensates for a late packet.
  private static let minimum = MediaTime.milliseconds(500)
  /// The time after the first PCM at which playback starts with less than the head start. A disk that takes 1 s for
  /// each read has finished another read by then.
  private static let timeout = MediaTime.milliseconds(1_500)
  /// The minimum time that a follower is given from its command to its first PCM, before its absence is an underrun.
  private static let minimumOpeningTime = MediaTime.milliseconds(500)

  /// The source with which a sound begins, as far as it is known.
  private enum Beginning {
    /// PCM may have to wait for a disk or a server.
    case uncached
    /// The source is in memory.
    case cached
    /// The source is in memory, and the server was asked how far the sink reads ahead.
    case cachedAndSinkAsked
  }

  private let connection: ServerConnection
  private let onStart: () -> Void
  /// The time of the first PCM of a sound that has not started; nil before that.
  private var firstPCM: MonotonicTime?
  private var beginning = Beginning.uncached
  /// The longest recent time from a generation's command to its first PCM, which the next one may need as well.
  private var slowestOpening = MediaTime.zero
  /// The timer that starts playback with less than the head start.
  private var timer: PulseTimer?

  /// - Parameter onStart: is called when playback must start.
  init(_ connection: ServerConnection, onStart: @escaping () -> Void) {
    self.connection = connection
    self.onStart = onStart
  }

  /// Prepares for a sound that begins anew.
  func reset() {
    firstPCM = nil
    beginning = .uncached
    timer = nil
  }

  /// Records how `reader`, with which a sound begins, was opened. Must be called when its first marker arrives.
  func recordOpening(of reader: GenerationReader) {
    beginning = reader.isSourceCached ? .cached : .uncached
    slowestOpening = max(
      MonotonicTime.now - reader.enqueueTime, slowestOpening / 8 * 7)
  }

  /// Returns whether `reader` was enqueued so recently that its source may not have provided PCM before the server had
  /// played everything up to `end`; nil if the end is not known. The worker may first have had to finish opening another
  /// generation: hence twice the time.
  func wasEnqueuedTooLate(_ reader: GenerationReader, before end: Frames?) -> Bool {
    // The server's report may come after the first PCM of a generation that begins at the end.
    if let begin = reader.begin, end.map({ begin.position < $0 }) ?? true { return false }
    let opening = (reader.begin?.time ?? .now) - reader.enqueueTime
    return opening <= max(Self.minimumOpeningTime, slowestOpening + slowestOpening)
  }

  /// Starts playback if it is time to do so, and sets the timer otherwise. Must be called when PCM was written.
  /// - Parameter buffered: the length of the PCM that was written.
  func update(_ stream: PlaybackStream, buffered: MediaTime, isPaused: Bool) {
    let now = MonotonicTime.now
    let first = firstPCM ?? now
    firstPCM = first
    guard !isPaused else { return }
    if beginning == .cached {
      beginning = .cachedAndSinkAsked
      stream.requestReadAhead()
    }
    let waited = now - first
    let isRealTime = buffered >= Self.minimum && waited + waited >= buffered
    let rest = Self.timeout - waited
    let headStart = stream.headStart(isSourceFast: beginning != .uncached)
    if stream.writer.written >= headStart || isRealTime || rest <= .zero {
      start()
    } else if let timer {
      timer.restart(after: rest)
    } else {
      timer = connection.timer(after: rest) { [unowned self] in start() }
    }
  }

  /// Starts playback if the server has stated that the sink needs no more than is written. No PCM need have arrived.
  func handleReadAhead(of stream: PlaybackStream, isPaused: Bool) {
    guard beginning == .cachedAndSinkAsked, !isPaused,
      stream.writer.written >= stream.headStart(isSourceFast: true)
    else { return }
    start()
  }

  private func start() {
    timer = nil
    onStart()
  }
}
