internal import SegueSystem
internal import SegueWire

/// The time between the order to play an entry of the queue and its first sound, as the daemon's events tell of it.
struct PlaybackStart {
  /// The longest time for which the client waits for the first sound. A stream may take longer.
  private static let longestWait = MediaTime.seconds(2)
  /// When a person is told what is waited for.
  private static let shortestNote = MediaTime.milliseconds(500)

  let session: Session
  /// The id of the entry; nil if the queue has none that can be played.
  let entry: UInt64?

  /// Waits until the entry is heard or cannot be, beginning with the state that the daemon answered, and prints the state
  /// by then. Throws why nothing is heard.
  func finish(_ answer: JSON) throws(ClientError) {
    let state = try wait(answer)
    session.print(state) { state in
      let status = Status(state)
      return StatusLine.of(status, session.style, isAwaited: !isDecided(status))
    }
    if let error = try error(Status(state)) { throw error }
  }

  private func wait(_ answer: JSON) throws(ClientError) -> JSON {
    if isDecided(Status(answer)) { return answer }
    var state = try session.call(Request("subscribe") { $0.member("topics", ["player"]) })["status"] ?? answer
    let connection = try session.connection()
    let start = MonotonicTime.now
    var hasNote = false
    defer { if hasNote { session.console.clearNote() } }
    while !isDecided(Status(state)) {
      let deadline = start + (hasNote ? Self.longestWait : Self.shortestNote)
      switch connection.hasBufferedLine ? .readable : WakeReason(waitingFor: connection.raw, until: deadline) {
      case .readable:
        let event = try connection.event()
        if event["topic"]?.string == "player", let data = event["data"] { state = data }
      case .deadline where !hasNote:
        session.console.note("waiting for the first sound…")
        hasNote = true
      case .deadline, .readerGone: return state
      }
    }
    return state
  }

  private func isDecided(_ status: Status) -> Bool {
    guard status.state == .playing, status.track?.id == entry else { return true }
    return status.rate > 0 || status.output.state == .lost
  }

  /// Why nothing of the entry is heard; nil if it is, or was, or may still be.
  private func error(_ status: Status) throws(ClientError) -> ClientError? {
    if status.state == .playing, status.output.state == .lost {
      return ClientError(
        .failed, Self.missing(status.output), kind: Failure.Kind.unavailable.rawValue,
        hints: ClientError.hints(for: .unavailable))
    }
    guard let track = status.track, track.id == entry else { return try passedOver().flatMap(Self.unplayable) }
    switch status.state {
    case .playing: return nil
    case .paused:
      return status.output.error.map {
        ClientError(
          .failed, "nothing can be played: \($0)", kind: Failure.Kind.unavailable.rawValue,
          hints: ClientError.hints(for: .unavailable))
      }
    case .stopped: return Self.unplayable(track)
    }
  }

  /// Returns a sentence that says why `output` is lost, and when playback begins.
  private static func missing(_ output: Output) -> String {
    let summary = output.missing.summary
    guard let remedy = output.missing.remedy else { return output.error ?? summary }
    return summary + (output.error.map { " (\($0))" } ?? "") + ": playback begins \(remedy)"
  }

  /// The entry, which is not the current one any more; nil if it was taken out of the queue.
  private func passedOver() throws(ClientError) -> Track? {
    guard let entry else { return nil }
    do throws(ClientError) {
      let page = try session.call(
        Request("list") {
          $0.member("limit", 1)
          $0.member("id", entry)
        })
      return page["tracks"]?.elements?.first.map { Track($0) }
    } catch {
      if error.kind == Failure.Kind.noSuchTrack.rawValue { return nil }
      throw error
    }
  }

  /// Why the track cannot be played, as far as that is known.
  private static func unplayable(_ track: Track) -> ClientError? {
    track.error.map { ClientError(.failed, "\(track.title): \($0)", kind: (track.errorKind ?? .unplayable).rawValue) }
  }
}
