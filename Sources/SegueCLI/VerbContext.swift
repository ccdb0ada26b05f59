internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The context in which a verb runs: options, output, and the connection to the daemon, which is made on first use.
final class VerbContext {
  let options: Options
  let console: Console
  private var opened: Connection?

  init(options: Options, console: Console) {
    self.options = options
    self.console = console
  }

  var style: Style { console.style }
  /// Whether results are printed as JSON.
  var printsJSON: Bool { options.format == .json }
  var socket: FilePath { options.socket ?? Directories.socket }

  func connection() throws(ClientError) -> Connection {
    if let opened { return opened }
    do throws(ConnectionError) {
      let connection = try Connection(path: socket)
      opened = connection
      return connection
    } catch {
      let reported = ClientError(error)
      // The daemon that systemd starts may listen on another socket than this variable selects.
      guard reported.exit == .noDaemon, options.socket == nil, Directories.environment("SEGUE_SOCKET") != nil else {
        throw reported
      }
      throw reported.with(
        hints: reported.hints + [tr("unset SEGUE_SOCKET   selects the usual socket instead of this one")])
    }
  }

  /// Sends a request and returns its result. If it takes longer than half a second, `progress` is shown on the
  /// terminal. Errors of the kinds in `hints` get these hints.
  func call<Value>(
    _ request: some ProtocolRequest<Value>,
    progress: @escaping @autoclosure () -> String = tr("waiting for the daemon…"),
    hints: [Failure.Kind: [String]] = [:]
  ) throws(ClientError) -> Response<Value> {
    do throws(ClientError) {
      return try waiting(progress) { connection, whenLate throws(ConnectionError) in
        try connection.call(request, whenLate: whenLate)
      }
    } catch {
      guard let specific = error.kind.flatMap(Failure.Kind.init).flatMap({ hints[$0] }) else { throw error }
      throw error.with(hints: specific)
    }
  }

  /// Sends a request and returns its result; nil if there is none within a time, or if the request fails.
  func answer<Value>(to request: some ProtocolRequest<Value>, within time: MediaTime) throws(ClientError) -> Value? {
    let connection = try connection()
    let deadline = MonotonicTime.now + time
    guard let id = connection.sendWithoutBlocking(EncodedRequest(request)) else { return nil }
    while connection.wait(until: deadline) == .readable {
      guard let messages = try? connection.receiveMessages() else { return nil }
      if let answer = messages.first(where: { $0["id"]?.int == id }) { return answer["result"].map { Value($0) } }
    }
    return nil
  }

  /// Sends a request and returns its id.
  func send(
    _ request: EncodedRequest, progress: @escaping @autoclosure () -> String = tr("waiting for the daemon…")
  ) throws(ClientError) -> Int {
    try waiting(progress) { connection, whenLate throws(ConnectionError) in
      try connection.send(request, whenLate: whenLate)
    }
  }

  /// Returns the result of a request that was sent before.
  func response(
    to id: Int, progress: @escaping @autoclosure () -> String = tr("waiting for the daemon…")
  ) throws(ClientError) -> JSON {
    try waiting(progress) { connection, whenLate throws(ConnectionError) in
      try connection.response(to: id, whenLate: whenLate)
    }
  }

  /// Returns the result of `body`, and shows `progress` if it calls the second argument. Prints a warning if the daemon
  /// could not save the change.
  private func waiting<Value>(
    _ progress: @escaping () -> String, _ body: (Connection, () -> Void) throws(ConnectionError) -> Value
  ) throws(ClientError) -> Value {
    var isLate = false
    defer { if isLate { console.clearProgress() } }
    let connection = try connection()
    let value = try reporting { () throws(ConnectionError) in
      try body(connection) {
        if !isLate { console.showProgress(progress()) }
        isLate = true
      }
    }
    if !connection.isLastChangeSaved {
      console.printError(ClientError.changeNotSaved, hints: [tr("segue stats   shows the reason")])
    }
    return value
  }

  /// Subscribes to the player and returns its state; nil if the daemon does not state it.
  func subscribeToPlayer() throws(ClientError) -> Response<Status>? {
    try call(SubscribeRequest(topics: [.player])).json["status"].map { Response($0) }
  }

  /// Returns the state of a topic in the next event; nil if the event is about another topic. Responses are skipped.
  func nextState<State>(of topic: Topic) throws(ClientError) -> Response<State>? {
    let event = try nextEvent()
    return event["topic"]?.string == topic.rawValue ? event["data"].map { Response($0) } : nil
  }

  /// Returns the parameters of the next event. Responses are skipped.
  func nextEvent() throws(ClientError) -> JSON {
    let connection = try connection()
    return try reporting { () throws(ConnectionError) in try connection.nextEvent() }
  }

  /// Returns the result of `body`. Throws its error in the language of the user.
  func reporting<Value>(_ body: () throws(ConnectionError) -> Value) throws(ClientError) -> Value {
    do throws(ConnectionError) { return try body() } catch { throw ClientError(error) }
  }

  /// Returns the current track. Throws if there is none.
  func currentTrack() throws(ClientError) -> QueueEntry {
    if let track = try call(StatusRequest()).value.track { return track }
    throw ClientError(
      .failed, tr("there is no current track"), kind: Failure.Kind.noSuchTrack.rawValue,
      hints: [Self.noTrackHint])
  }

  /// The hint for a verb that needs the current track or another item.
  static var noTrackHint: String { tr("segue play   starts one; or name one: a path, a URL, segue:album/12") }

  /// Writes the buffered output. Returns false if the reader closed standard output.
  func flush() throws(ClientError) -> Bool {
    do throws(Console.WriteFailure) {
      try console.flush()
      return true
    } catch {
      switch error {
      case .outputClosed: return false
      case .system(let error): throw ClientError(.failed, error.translated)
      }
    }
  }

  /// Prints a result as one line of JSON.
  func print(json: JSON) {
    var line = JSONWriter()
    line.value(json)
    console.printLine(json: line.bytes)
  }

  /// Prints the pages of a list as one line of JSON, in the form of a single response: the first page, whose arrays
  /// `lists` contain the elements of all pages. The length of a response is limited, that of this line is not.
  func print(pages: [JSON], joining lists: [String]) {
    guard let first = pages.first else { return }
    var line = JSONWriter()
    line.beginObject()
    for name in first.names {
      line.key(named: name)
      guard lists.contains(name) else {
        if let member = first[name] { line.value(member) } else { line.null() }
        continue
      }
      line.beginArray()
      for page in pages { for element in page[name]?.elements ?? [] { line.value(element) } }
      line.endArray()
    }
    line.endObject()
    console.printLine(json: line.bytes)
  }

  /// Prints a combined result of several responses as one line of JSON.
  func print(encoded value: some JSONEncodable) {
    var line = JSONWriter()
    value.encode(into: &line)
    console.printLine(json: line.bytes)
  }

  /// Prints a result as JSON under `--json`, else the line that `text` returns for it.
  func print<Value>(_ answer: Response<Value>, _ text: (Value) -> String) {
    if printsJSON { print(json: answer.json) } else { console.printLine(text(answer.value)) }
  }

  /// The number of failures that are printed on a terminal if there are more. The entries of a playlist may all be
  /// missing.
  private static let maximumFailuresOnTerminal = 5

  /// Prints an error for each failure, or on a terminal for the first of many.
  func printErrors(_ failures: URIFailureList, defaultReason: String = tr("rejected")) {
    let limit = Terminal.isTerminal(2) ? Self.maximumFailuresOnTerminal : failures.listed.count
    // A line about a single further failure would be as long as that of the failure.
    let printed = failures.total == limit + 1 ? failures.listed[...] : failures.listed.prefix(limit)
    for failure in printed {
      console.printError(
        failure.sentence(defaultReason: defaultReason), kind: failure.kind.isEmpty ? nil : failure.kind)
    }
    let rest = failures.total - printed.count
    if rest > 0 { console.printError(tr("%1$d more: %2$s", rest, defaultReason)) }
  }

  /// Prints a notice to standard error unless `--quiet` is given.
  func printNotice(_ text: String) {
    if !options.quiet { console.printError(text) }
  }
}
