internal import SegueFrontend
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
    case .unavailable where verb.name == "seek": specific = [tr("segue play   starts playback")]
    case .unavailable where verb.category == .library:
      specific = [
        tr("segue library   shows the state of the library"), tr("journalctl --user -u segued   shows the log"),
      ]
    case .notFound where verb.category == .library:
      specific = [tr("segue search WORD   searches the library"), "segue help \(verb.name)"]
    case .parseError, .invalidRequest, .methodNotFound, .internalError, .noSuchTrack, .emptyQueue, .notFound,
      .unplayable, .notSeekable, .outOfRange, .tooLarge, .tooManyClients, .unavailable, .busy, .queryTooShort,
      .rateLimited, .timeout, .offline, .badResponse, .exists, .denied, .cancelled, .damaged, .decodingStopped,
      .certificate, .nothingToUndo, .nothingToRedo:
      return self
    }
    return with(hints: specific)
  }
}
