internal import SegueFrontend
internal import SegueWire

/// The messages about playback and the connection, which every screen shows. Each is a whole sentence or several, so that it
/// can be translated.
enum PlaybackMessages {
  static let noDaemon = "There is no connection to the daemon."
  static let connecting = "Connecting to the daemon…"
  static let emptyQueue = "The queue is empty. To add music, run: segue add ~/Music"
  static let alreadyStopped = "Playback is already stopped."
  static let seekWhileStopped = "Playback is stopped. Start it to seek."
  static let seekInLiveStream = "This is a live stream, in which there is nothing to seek."
  static let loudest = "The volume is already at its maximum."
  static let quietest = "The volume is already zero."

  /// Returns the message while there is no connection.
  static func lost(_ error: ClientError) -> String {
    switch error.exit {
    case .noDaemon: "The daemon is not running. Run: systemctl --user start segued.socket"
    case .done, .failed, .usage: "There is no connection to the daemon: \(error.message)"
    }
  }

  /// Returns the message while no sound can be played.
  static func lost(_ output: Output) -> String {
    switch output.lossKind {
    case .noServer: "There is no sound server. Playback resumes when one is started."
    case .noAnswer: "The sound server does not answer. Playback resumes when it does."
    case .noSink: "The sound server has no output device. Playback resumes when one is connected."
    case .noStream: "The sound server does not open a stream. Playback resumes when it accepts one."
    }
  }

  /// Returns the message about a request that has failed, with what would help.
  static func failure(_ error: ClientError) -> String {
    let message = error.message
    switch error.kind.flatMap(Failure.Kind.init) {
    case .emptyQueue: return emptyQueue
    case .nothingToUndo: return "There is no change of the queue to undo."
    case .nothingToRedo: return "There is no change of the queue to redo."
    case .noSuchTrack: return "The track is no longer in the queue."
    case .notSeekable: return "This track is not seekable. Skip to another one with the key >."
    case .unavailable: return "This is not available now: \(message). To see the log, run: journalctl --user -u segued"
    case .busy, .rateLimited, .timeout: return "The request has failed: \(message). Try again in a moment."
    case .offline: return "The network cannot be reached: \(message). Check the connection."
    case .unplayable, .damaged, .decodingStopped:
      return "The track cannot be played: \(message). Skip to another one with the key >."
    case .denied: return "Access is denied: \(message). Check the permissions of the file."
    case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError:
      return "Interface and daemon do not understand each other: \(message). Restart the daemon after an update."
    case .notFound, .outOfRange, .tooLarge, .tooManyClients, .queryTooShort, .badResponse, .exists, .cancelled,
      .certificate, nil:
      return "The request has failed: \(message)."
    }
  }

  /// Returns the modes for the right side of a title line.
  static func modes(_ status: Status, dot: String) -> String {
    [
      repeatMode(status.repeatMode), shuffle(status.shuffle), status.consume ? "consume" : "",
      status.muted ? "muted" : "volume \(status.volume)%",
    ].filter { !$0.isEmpty }.joined(separator: " \(dot) ")
  }

  private static func repeatMode(_ mode: RepeatMode) -> String {
    switch mode {
    case .off: ""
    case .one: "repeat track"
    case .all: "repeat all"
    }
  }

  private static func shuffle(_ mode: ShuffleMode) -> String {
    switch mode {
    case .off: ""
    case .tracks: "shuffle tracks"
    case .albums: "shuffle albums"
    }
  }
}
