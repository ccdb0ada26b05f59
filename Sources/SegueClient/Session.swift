internal import SegueSystem
internal import SegueWire

/// What a verb works with: the daemon, reached when it is first needed, and the place where output goes.
final class Session {
  let options: Options
  let console: Console
  private var opened: Connection?

  init(options: Options, console: Console) {
    self.options = options
    self.console = console
  }

  var style: Style { console.style }
  var socket: FilePath { options.socket ?? Directories.socket }

  func connection() throws(ClientError) -> Connection {
    if let opened { return opened }
    let connection = try Connection(path: socket)
    opened = connection
    return connection
  }

  /// The result of one request. `note` is shown to a person who has waited for half a second.
  func call(_ request: Request, note: String = "waiting for the daemon…") throws(ClientError) -> JSON {
    try answer(to: try connection().send(request), note: note)
  }

  /// The result of a request that was sent.
  func answer(to id: Int, note: String) throws(ClientError) -> JSON {
    let connection = try connection()
    let isLate = !connection.waitForAnswer(milliseconds: 500)
    if isLate { console.note(note) }
    defer { if isLate { console.clearNote() } }
    return try connection.answer(to: id)
  }

  /// The result of one request; if it is refused as `kind`, `hints` say what would help.
  func call(_ request: Request, if kind: Failure.Kind, hints: [String]) throws(ClientError) -> JSON {
    do throws(ClientError) {
      return try call(request)
    } catch {
      throw error.kind == kind.rawValue
        ? ClientError(error.exit, error.message, kind: error.kind, hints: hints) : error
    }
  }

  /// Writes out what was printed so far; false when whoever read has enough.
  func flush() throws(ClientError) -> Bool {
    do throws(Console.WriteFailure) {
      try console.flush()
      return true
    } catch {
      switch error {
      case .readerGone: return false
      case .system(let error): throw ClientError(.failed, "\(error)")
      }
    }
  }

  /// A result as `--json` prints it.
  func print(json: JSON) {
    var line = JSONWriter()
    line.value(json)
    console.line(bytes: line.bytes)
  }

  /// The same for what several answers were joined to.
  func print(encoded value: some JSONEncodable) {
    var line = JSONWriter()
    value.encode(into: &line)
    console.line(bytes: line.bytes)
  }

  /// Prints `result` raw under `--json`, else what `text` makes of it.
  func print(_ result: JSON, _ text: (JSON) -> String) {
    if options.json { print(json: result) } else { console.line(text(result)) }
  }
}
