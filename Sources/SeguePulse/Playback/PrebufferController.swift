// Thread: the pulse thread.
internal import SegueSystem

/// A controller that decides when playback starts: a start with too little PCM leads to an underrun, and a start with
/// more PCM than necessary is late.
///
/// - A decoder of a file, and the burst with which most radio streams begin, provide the head start
///   (`PlaybackStream.headStart`) within milliseconds; then playback starts. A sound that is shorter than the head
///   start starts once all of it is written, and no other track has been enqueued for a moment (`awaitFollower`).
///   Otherwise a sink that reads ahead would run dry between short tracks.
/// - The server is asked how much the sink reads at once. If that is little, and the decoder states that its source is
///   in memory, a fifth of the head start suffices: the rest follows before the sink needs it.
/// - A source that is hardly faster than playback, such as a radio stream without a burst, is late with the head start.
///   It starts when new PCM arrives, once a minimum is buffered that exceeds what the sink reads before the next piece
///   comes, and the wait was half as long as the buffered PCM.
/// - A source that is slower or comes in pieces, such as a slow disk or a congested network, is given time; then
///   playback starts with what is there, and the next piece may take as long as that lasts.
final class PrebufferController {
  /// The minimum length of PCM at the start, which compensates for a late packet.
  private static let minimum = MediaTime.milliseconds(500)
  /// The time after the first PCM at which playback starts with less than the head start. A disk that takes 1 s for
  /// each read has finished another read by then.
  private static let timeout = MediaTime.milliseconds(1_500)
  /// The time in which the follower of a short track is enqueued, which happens when the track has been opened.
  private static let followerTime = MediaTime.milliseconds(100)
  /// The minimum time that a follower is given from its command to its first PCM, before its absence is an underrun.
  private static let minimumOpeningTime = MediaTime.milliseconds(500)

  private let connection: ServerConnection
  private let onStart: () -> Void
  /// The time of the first PCM of a sound that has not started; nil before that.
  private var firstPCM: MonotonicTime?
  private var pieces = ArrivingPieces()
  /// Whether the source with which the sound begins is in memory. PCM of others may have to wait for a disk or a
  /// server.
  private var isSourceCached = false
  /// Whether the server was asked how far the sink reads ahead.
  private var isSinkAsked = false
  /// The longest recent time from a generation's command to its first PCM, which the next one may need as well.
  private var slowestOpening = MediaTime.zero
  /// The timer that starts playback with less than the head start.
  private var timer: PulseTimer?

  private var followerTimer: PulseTimer?
  private let onNoFollower: () -> Void

  /// - Parameters:
  ///   - onStart: is called when playback must start.
  ///   - onNoFollower: is called when no track was enqueued after `awaitFollower`.
  init(_ connection: ServerConnection, onStart: @escaping () -> Void, onNoFollower: @escaping () -> Void) {
    self.connection = connection
    self.onStart = onStart
    self.onNoFollower = onNoFollower
  }

  /// Prepares for a sound that begins anew.
  func reset() {
    firstPCM = nil
    pieces = ArrivingPieces()
    isSourceCached = false
    isSinkAsked = false
    timer = nil
    followerTimer = nil
  }

  /// Waits for a moment for the follower of a sound that is written and shorter than the head start. Returns false if
  /// the sound is not so short.
  func awaitFollower(_ stream: PlaybackStream) -> Bool {
    guard stream.writer.written < stream.headStart(isSourceFast: false) else { return false }
    followerTimer = connection.timer(after: Self.followerTime) { [unowned self] in
      followerTimer = nil
      onNoFollower()
    }
    return followerTimer != nil
  }

  /// Records how `reader`, with which a sound begins, was opened. Must be called when its first marker arrives.
  func recordOpening(of reader: GenerationReader) {
    isSourceCached = reader.isSourceCached
    slowestOpening = max(
      MonotonicTime.now - reader.enqueueTime, slowestOpening / 8 * 7)
  }

  /// Returns whether `reader` was enqueued so recently that its source may not have provided PCM before the server had
  /// played everything up to `end`; nil if the end is not known. The worker may first have had to finish opening
  /// another generation: hence twice the time.
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
    pieces.record(buffered, at: now)
    guard !isPaused else { return }
    if !isSinkAsked {
      isSinkAsked = true
      stream.requestReadAhead()
    }
    let waited = now - first
    let isRealTime =
      buffered >= Self.minimum && waited + waited >= buffered
      && stream.writer.written >= stream.headStart(isSourceFast: true, piece: pieces.longest)
    let rest = Self.timeout - waited
    let headStart = stream.headStart(isSourceFast: isSourceCached, piece: pieces.longest)
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
    guard isSourceCached, isSinkAsked, !isPaused,
      stream.writer.written >= stream.headStart(isSourceFast: true)
    else { return }
    start()
  }

  private func start() {
    timer = nil
    onStart()
  }
}
