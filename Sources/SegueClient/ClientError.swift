/// How `segue` ends.
enum ExitCode: Int32 {
  case done = 0
  /// The daemon answered with an error, or its answer cannot be used.
  case failed = 1
  /// The command line makes no sense.
  case usage = 2
  /// Nobody listens, or nobody any more.
  case noDaemon = 3
}

/// Why a verb could not be carried out, in words for the person who typed it.
struct ClientError: Error {
  let exit: ExitCode
  let message: String
  /// The protocol's stable name, where the daemon refused.
  let kind: String?
  /// Commands that would help, or what to know; each a line.
  let hints: [String]

  init(_ exit: ExitCode, _ message: String, kind: String? = nil, hints: [String] = []) {
    self.exit = exit
    self.message = message
    self.kind = kind
    self.hints = hints
  }

  /// A failure that was reported already: only its exit status is left to be given.
  static let reported = ClientError(.failed, "")

  /// The message as it is printed, with the stable name behind it.
  var text: String { message + (kind.map { " (\($0))" } ?? "") }

  static func usage(_ message: String, hints: [String] = []) -> ClientError {
    ClientError(.usage, message, hints: hints)
  }
}
