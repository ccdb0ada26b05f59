internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The messages about playback and the connection, which every screen shows. Each is a whole sentence or several, so
/// that it can be translated.
enum PlaybackMessages {
  static var noDaemon: String { tr("There is no connection to the daemon.") }
  static var noAnswer: String {
    tr("The daemon has not answered for some seconds. To restart it, run: systemctl --user restart segued")
  }
  static func emptyQueue(_ state: SharedState) -> String {
    tr(
      "The queue is empty. Add music with %1$s or %2$s.", state.named(.showLibrary), state.named(.showSearch))
  }
  static var alreadyStopped: String { tr("Playback is already stopped.") }
  static var seekInLiveStream: String { tr("This is a live stream, in which there is nothing to seek.") }

  /// Returns the message about a speed that was set. Narrow screens do not show it.
  static func speed(_ status: Status) -> String {
    if status.speed == .normal { return tr("The speed is the original one.") }
    return status.durationKind == .unbounded
      ? tr("The speed is %1$s, but a live stream is played at its own.", decimalText(status.speed.description))
      : tr("The speed is %1$s.", decimalText(status.speed.description))
  }

  /// Returns the message while there is no connection.
  static func lost(_ error: ClientError) -> String {
    switch error.exit {
    case .noDaemon: tr("The daemon is not running. Run: systemctl --user start segued.socket")
    case .done, .failed, .usage: tr("There is no connection to the daemon: %1$s", error.message)
    }
  }

  /// The text of an empty queue while the daemon does not run.
  static var startHints: [String] {
    [
      tr("The queue appears here when the daemon starts."),
      tr("Run: systemctl --user start segued.socket"), tr("Without systemd: segued &"),
    ]
  }

  /// Returns the message while no sound can be played.
  static func lost(_ output: Output) -> String {
    switch output.lossKind {
    case .noServer: tr("There is no sound server. Playback resumes when one is started.")
    case .noAnswer: tr("The sound server does not answer. Playback resumes when it does.")
    case .noSink: tr("The sound server has no output device. Playback resumes when one is connected.")
    case .sinkStalled: tr("The output device does not play. Playback resumes when it does.")
    case .noStream: tr("The sound server does not open a stream. Playback resumes when it accepts one.")
    }
  }

  /// Returns the message about a request that has failed, with what would help.
  static func failure(_ error: ClientError, _ state: SharedState) -> String {
    let message = error.message
    switch error.kind.flatMap(Failure.Kind.init) {
    case .emptyQueue: return emptyQueue(state)
    case .nothingToUndo: return tr("There is no change of the queue to undo.")
    case .nothingToRedo: return tr("There is no change of the queue to redo.")
    case .noSuchTrack: return tr("The track is no longer in the queue.")
    case .notSeekable: return tr("This track is not seekable. %1$s skips to another one.", state.named(.next))
    case .unavailable:
      return tr("This is not available now: %1$s. To see the log, run: journalctl --user -u segued", message)
    case .busy, .rateLimited, .timeout: return tr("The request has failed: %1$s. Try again in a moment.", message)
    case .offline: return tr("The network cannot be reached: %1$s. Check the connection.", message)
    case .unplayable, .damaged, .decodingStopped:
      return tr("The track cannot be played: %1$s. %2$s skips to another one.", message, state.named(.next))
    case .denied: return tr("Access is denied: %1$s. Check the permissions of the file.", message)
    case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError:
      return tr("Interface and daemon do not understand each other: %1$s. Restart the daemon after an update.", message)
    case .notFound, .outOfRange, .tooLarge, .tooManyClients, .queryTooShort, .badResponse, .exists, .cancelled,
      .certificate, nil:
      return tr("The request has failed: %1$s.", message)
    }
  }

  /// Returns the modes for the right side of a title line.
  static func modes(_ status: Status, at now: MonotonicTime, dot: String) -> String {
    [
      SleepMessages.mode(status, at: now), repeatMode(status.repeatMode), shuffle(status.shuffle),
      status.consume ? tr("consume") : "",
      status.speed == .normal ? "" : tr("speed %1$s", decimalText(status.speed.description)),
      status.muted ? tr("muted") : tr("volume %1$d%%", status.volume),
    ].filter { !$0.isEmpty }.joined(separator: " \(dot) ")
  }

  private static func repeatMode(_ mode: RepeatMode) -> String {
    switch mode {
    case .off: ""
    case .one: tr("repeat track")
    case .all: tr("repeat all")
    }
  }

  private static func shuffle(_ mode: ShuffleMode) -> String {
    switch mode {
    case .off: ""
    case .tracks: tr("shuffle tracks")
    case .albums: tr("shuffle albums")
    }
  }
}
