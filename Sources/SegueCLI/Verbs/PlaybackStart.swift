internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// A wait for the start of playback of a queue entry, which the daemon reports with events.
struct PlaybackStart {
  /// The maximum time to wait. A stream may take longer to start.
  private static let timeout = MediaTime.seconds(2)
  /// The time after which a progress message is shown.
  private static let progressDelay = MediaTime.milliseconds(500)

  let context: VerbContext
  /// The id of the entry. It is nil if the queue has no playable entry.
  let entry: UInt64?

  /// Waits until playback of the entry starts or fails, beginning with the state that the daemon returned, and prints
  /// the last state. Throws the reason if playback did not start.
  func waitAndPrint(_ initial: Response<Status>) throws(ClientError) {
    let state = try wait(initial)
    context.print(state) { StatusLine.of($0, context.style, isStarting: !isResolved($0)) }
    if let error = try error(state.value) { throw error }
  }

  private func wait(_ initial: Response<Status>) throws(ClientError) -> Response<Status> {
    if isResolved(initial.value) { return initial }
    var state = try context.subscribeToPlayer() ?? initial
    let connection = try context.connection()
    let start = MonotonicTime.now
    var isProgressShown = false
    defer { if isProgressShown { context.console.clearProgress() } }
    while !isResolved(state.value) {
      let deadline = start + (isProgressShown ? Self.timeout : Self.progressDelay)
      switch connection.wait(until: deadline) {
      case .readable: state = try context.nextState(of: .player) ?? state
      case .deadline where !isProgressShown:
        context.console.showProgress(tr("waiting for playback to start…"))
        isProgressShown = true
      case .deadline, .outputClosed: return state
      }
    }
    return state
  }

  /// Returns whether the state shows that playback of the entry started or failed.
  private func isResolved(_ status: Status) -> Bool {
    guard status.state == .playing, status.track?.id == entry else { return true }
    return status.rate > 0 || status.output.state == .lost
  }

  /// Returns the reason for which the entry is not played. Returns nil if it is or was played, or may still start.
  private func error(_ status: Status) throws(ClientError) -> ClientError? {
    if status.state == .playing, status.output.state == .lost {
      return ClientError(
        .failed, Self.description(ofLost: status.output), kind: Failure.Kind.unavailable.rawValue,
        hints: ClientError.soundServerHints)
    }
    guard let track = status.track, track.id == entry else { return try skippedTrack().flatMap(Self.unplayableError) }
    switch status.state {
    case .playing: return nil
    case .paused:
      return status.output.error.map {
        ClientError(
          .failed, tr("nothing can be played: %1$s", $0.translated), kind: Failure.Kind.unavailable.rawValue,
          hints: ClientError.soundServerHints)
      }
    case .stopped: return Self.unplayableError(track)
    }
  }

  /// Returns a sentence that says why `output` is lost, and when playback will start.
  private static func description(ofLost output: Output) -> String {
    switch output.lossKind {
    case .noServer:
      output.error.map { tr("no sound server (%1$s): playback starts when one is available", $0.translated) }
        ?? tr("no sound server: playback starts when one is available")
    case .noStream:
      output.error.map {
        tr("the sound server does not open a stream (%1$s): playback starts when it accepts one", $0.translated)
      } ?? tr("the sound server does not open a stream: playback starts when it accepts one")
    case .noAnswer, .noSink, .sinkStalled: output.error?.translated ?? output.lossKind.summary
    }
  }

  /// Returns the entry after it ceased to be the current one, or nil if it was removed from the queue.
  private func skippedTrack() throws(ClientError) -> QueueEntry? {
    guard let entry else { return nil }
    do throws(ClientError) {
      return try context.call(QueueListRequest(limit: 1, id: entry)).value.tracks.first
    } catch {
      if error.kind == Failure.Kind.noSuchTrack.rawValue { return nil }
      throw error
    }
  }

  /// Returns the error of the track, or nil if it has none.
  private static func unplayableError(_ track: QueueEntry) -> ClientError? {
    track.error.map { error in
      ClientError(
        .failed, "\(track.title): \(error.translated)", kind: (track.errorKind ?? .unplayable).rawValue)
    }
  }
}
