// Pulse thread only.
internal import SegueSystem

/// When the sound starts. To begin with a crumb would be to stop again; to wait where that gains nothing is to be late.
///
/// - A decoder of a file, and the burst that most radios begin with, give the head start within milliseconds, and it
///   starts. So it does at the end of what is shorter, which is `end`'s matter.
/// - What comes hardly faster than it is heard, a radio without a burst, gets no head start: with the next of it that
///   comes it starts, once it has a cushion and has been waited for half as long as that lasts which is there.
/// - What comes in lumps, from a slow disk or a network that hesitates, or slower than it is heard, is waited for; then it
///   starts with what there is, and the next lump may take as long as that lasts.
extension Sink {
  /// What makes up for a late packet.
  private static let cushion = MediaTime.milliseconds(500)
  /// From the first PCM to the start with less than a head start: a disk that answers after a second has answered twice.
  private static let patience = MediaTime.milliseconds(1500)

  /// From the order to its first PCM; at least so long is what follows given without a word.
  private static let shortNotice = MediaTime.milliseconds(500)

  /// A sound begins with `feed`, of which there is PCM now.
  func noteOpening(of feed: GenerationReader) {
    opening = max(MonotonicTime.now - feed.told, MediaTime(nanoseconds: opening.nanoseconds / 8 * 7))
  }

  /// Whether the sound has come to an end before anything could follow it, wherever that lies. It may be behind another
  /// that was to follow a moment ago and that the worker, once it has begun with it, opens to the end: twice the time.
  var endsAtShortNotice: Bool {
    guard let next = feeds.first, next.format == nil else { return false }
    return MonotonicTime.now - next.told <= max(Self.shortNotice, opening + opening)
  }

  /// What is poured from here on is for a sound that begins anew.
  func awaitStart() {
    phase = .starting
    firstPour = nil
    startTimer = nil
  }

  /// Starts the sound if it is time to, and otherwise sees to it that it will be. To be called when PCM has come.
  func startIfReady() {
    guard phase == .starting, let stream, stream.isReady, stream.written > 0 else { return }
    let now = MonotonicTime.now
    let first = firstPour ?? now
    firstPour = first
    guard !isPaused else { return }
    let held = timeline.rate.time(of: timeline.written)
    let waited = now - first
    let isRealTime = held >= Self.cushion && waited + waited >= held
    let rest = Self.patience - waited
    if stream.written >= stream.headStart || isRealTime || rest <= .zero {
      start()
    } else if let startTimer {
      startTimer.restart(after: rest)
    } else {
      startTimer = connection?.timer(after: rest) { [unowned self] in start() }
    }
  }

  private func start() {
    startTimer = nil
    guard phase == .starting, !isPaused, let stream, stream.isReady, stream.written >= stream.prebuffer else { return }
    phase = .playing
    uncork()
  }
}
