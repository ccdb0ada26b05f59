internal import Glibc
internal import SegueSystem
internal import SegueWire

extension ClientError {
  /// Nobody listens: why, and how that is changed.
  static func noDaemon(at path: FilePath, because error: SystemError) -> ClientError {
    let start = ["systemctl --user start segued.socket", "segued &   (without systemd)"]
    switch error.code {
    case ENOENT, ECONNREFUSED:
      return ClientError(.noDaemon, "no daemon is running (nobody listens at \(path))", hints: start)
    case EACCES, EPERM:
      return ClientError(
        .noDaemon, "the daemon at \(path) belongs to somebody else (\(error.reason))",
        hints: ["segue --socket PATH   or   SEGUE_SOCKET=PATH   for another one"])
    default:
      return ClientError(.noDaemon, "no daemon can be reached at \(path): \(error.reason)", hints: start)
    }
  }

  /// It hung up instead of answering.
  static func gone(midway: Bool) -> ClientError {
    ClientError(
      .noDaemon,
      midway
        ? "the daemon went away in the middle of its answer" : "the daemon closed the connection without an answer",
      hints: ["systemctl --user status segued", "segue status   to see whether it is back"])
  }

  /// What came cannot be understood.
  static func unusable(_ what: String) -> ClientError {
    ClientError(
      .failed, "the daemon sent \(what)",
      hints: ["segue version   shows whether client and daemon belong together"])
  }

  /// The daemon's own refusal.
  static func answered(_ error: JSON) -> ClientError {
    let kind = error["data"]?["kind"]?.string
    let message = error["message"]?.string ?? "the daemon refused, and did not say why"
    return ClientError(.failed, message, kind: kind, hints: kind.flatMap(Failure.Kind.init).map(hints(for:)) ?? [])
  }

  /// The daemon's refusal of the only thing that was to be added and played.
  static func refused(_ refused: URIFailure) -> ClientError {
    ClientError(
      .failed, refused.sentence(without: "cannot be played"), kind: refused.kind.isEmpty ? nil : refused.kind,
      hints: ["segue help add   tells what can be added"])
  }

  /// The same with what helps `verb`, where the daemon's refusal was answered with what helps everywhere.
  func advised(for verb: Verb) -> ClientError {
    guard let kind = kind.flatMap(Failure.Kind.init), hints == Self.hints(for: kind) else { return self }
    let advice: [String]
    switch (kind, verb.family) {
    case (.invalidParams, _): advice = ["segue help \(verb.name)   shows what it takes"]
    case (.unavailable, .playback) where verb.name == "seek": advice = ["segue play   starts it"]
    case (.unavailable, .library):
      advice = [
        "segue library   shows whether the library can be read", "journalctl --user -u segued   shows what failed",
      ]
    case (.notFound, .library): advice = ["segue search WORD   finds what there is", "segue help \(verb.name)"]
    default: return self
    }
    return ClientError(exit, message, kind: self.kind, hints: advice)
  }

  /// Commands that help against a refusal of this kind.
  static func hints(for kind: Failure.Kind) -> [String] {
    switch kind {
    case .noSuchTrack: ["segue list   shows the numbers"]
    case .emptyQueue: ["segue add ~/Music   and then   segue play"]
    case .notFound: ["segue help add   tells what can be added"]
    case .unplayable: ["segue next   goes on with the next track"]
    case .notSeekable: ["segue next   goes on with the next track"]
    case .outOfRange: ["segue status   shows how long it is"]
    case .unavailable:
      ["pactl info   shows whether a sound server runs", "journalctl --user -u segued   shows what failed"]
    case .methodNotFound: ["segue version   shows whether client and daemon belong together"]
    case .invalidParams: ["segue help VERB   shows what it takes"]
    case .tooManyClients, .busy, .rateLimited, .timeout: ["try again in a moment"]
    case .denied: ["ls -l   shows who may read it"]
    default: []
    }
  }
}
