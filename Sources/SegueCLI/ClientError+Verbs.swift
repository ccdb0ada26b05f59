internal import SegueClientKit
internal import SegueWire

extension ClientError {
  /// Creates the error for a single URI that was to be played and could not be added.
  static func cannotPlay(_ failure: URIFailure) -> ClientError {
    ClientError(
      .failed, failure.sentence(defaultReason: tr("cannot be played")), kind: failure.kind.isEmpty ? nil : failure.kind,
      hints: [tr("segue help add   lists what can be added")])
  }

  /// Returns the error with hints that are specific to `verb` if it has only the general hints of its kind.
  func addingHints(for verb: Verb) -> ClientError {
    guard let kind = kind.flatMap(Failure.Kind.init), hints == Self.hints(for: kind) else { return self }
    let specific: [String]
    switch kind {
    case .invalidParams where verb.name == "rpc": specific = [tr("man segue-ipc   describes the methods")]
    case .invalidParams: specific = [tr("segue help %1$s   shows the arguments", verb.name)]
    // The method of a request that the user wrote is not that of a verb.
    case _ where verb.name == "rpc": return self
    case .unavailable where verb.name == "seek": specific = [tr("segue play   starts playback")]
    case .outOfRange where verb.name == "seek": specific = [tr("segue status   shows the duration")]
    case .unavailable:
      switch verb.category {
      case .library:
        specific = [
          tr("segue library   shows the state of the library"), tr("journalctl --user -u segued   shows the log"),
        ]
      case .playback, .modes: specific = Self.soundServerHints
      case .queue, .catalog, .other: return self
      }
    case .notFound:
      switch verb.category {
      case .library: specific = [tr("segue search WORD   searches the library"), "segue help \(verb.name)"]
      case .queue: specific = [tr("segue help add   lists what can be added")]
      case .playback, .modes, .catalog, .other: specific = ["segue help \(verb.name)"]
      }
    case .notSeekable where verb.category == .playback:
      specific = [tr("segue next   skips to the next track")]
    case .denied where verb.category == .library || verb.category == .queue:
      specific = [tr("ls -l   shows the permissions")]
    case .parseError, .invalidRequest, .methodNotFound, .internalError, .noSuchTrack, .emptyQueue,
      .unplayable, .notSeekable, .outOfRange, .tooLarge, .tooManyClients, .busy, .queryTooShort,
      .rateLimited, .timeout, .offline, .badResponse, .exists, .denied, .cancelled, .damaged, .decodingStopped,
      .certificate, .nothingToUndo, .nothingToRedo:
      return self
    }
    return with(hints: specific)
  }
}
