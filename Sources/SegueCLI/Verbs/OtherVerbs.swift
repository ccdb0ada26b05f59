internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verbs `rpc`, `stats`, `shutdown`, `version` and `help`.
enum OtherVerbs {
  static let rpc = Verb(
    "rpc", .other, "METHOD [JSON]", 1...2, values: .first(.methods), tr("call a method and print its result"),
    details: tr(
      """
      The result is one line of JSON; rpc.discover describes every method.

        segue rpc queue.list '{"offset": 0, "limit": 5}'
        segue rpc queue.replace '{"uris": ["file:///music/a.flac"]}'
        segue rpc rpc.discover | jq -r '.methods[].name'
      """), run: rpc)

  static let stats = Verb(
    "stats", .other, "", 0...0, tr("show counters of the daemon"),
    details: tr(
      """
        segue stats | grep underruns
      """), run: stats)

  static let shutdown = Verb(
    "shutdown", .other, "", 0...0, tr("stop the daemon"),
    details: tr(
      """
      systemd starts it again when the next command needs it.

        segue shutdown
      """), run: shutdown)

  static let version = Verb(
    "version", .other, "", 0...0, tr("show the versions of client and daemon"),
    details: tr(
      """
        segue version
      """), run: version)

  static let help = Verb(
    "help", .other, "[VERB]", 0...1, values: .first(.verbs), tr("show this help, or the help for a verb"),
    details: tr(
      """
        segue help
        segue help search
      """), isLong: true, run: help)

  @Sendable static func rpc(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var parameters: [UInt8]?
    if arguments.count == 2 { parameters = try parseParameters(arguments[1]) }
    let id = try context.send(EncodedRequest(arguments[0].text, parameters: parameters))
    context.print(json: try context.response(to: id))
  }

  /// Parses the parameters and returns them encoded without line breaks.
  private static func parseParameters(_ argument: Argument) throws(ClientError) -> [UInt8] {
    let value: JSON
    do throws(JSONSyntaxError) {
      value = try JSON(parsing: argument.bytes)
    } catch {
      throw .usage(
        tr("the parameters are not JSON: %1$s", "\(error)"),
        hints: [tr("quote them for the shell: %1$s", #"'{"offset": 0}'"#)])
    }
    guard value.kind == .object || value.kind == .array else {
      throw .usage(tr("the parameters must be a JSON object or array, like %1$s", #"'{"offset": 0}'"#))
    }
    var json = JSONWriter()
    json.value(value)
    return json.bytes
  }

  @Sendable static func stats(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let result = try context.call(DaemonStatsRequest()).json
    if context.printsJSON { return context.print(json: result) }
    for name in result.names {
      guard let value = result[name] else { continue }
      var text = JSONWriter()
      text.value(value)
      context.console.printLine(
        "\(name.visible): \((value.string ?? String(decoding: text.bytes, as: UTF8.self)).visible)")
    }
  }

  @Sendable static func shutdown(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    // A missing daemon is an error here. A daemon that closes the connection before its response has shut down as
    // requested.
    _ = try context.connection()
    do throws(ClientError) {
      let result = try context.call(DaemonShutdownRequest(), progress: tr("shutting down the daemon…"))
      context.print(result) { _ in tr("the daemon is shutting down") }
    } catch {
      guard error.exit == .noDaemon else { throw error }
      if context.printsJSON { return context.console.printLine(json: Array("null".utf8)) }
      context.console.printLine(tr("the daemon is shutting down"))
    }
  }

  @Sendable static func version(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if !context.printsJSON { context.console.printLine("segue \(Version.program)") }
    context.print(try context.call(RPCVersionRequest())) { versions in
      tr(
        "segued %1$s, protocol %2$d", versions.version.isEmpty ? tr("of unknown version") : versions.version,
        versions.protocol)
    }
  }

  @Sendable static func help(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let text = if let word = arguments.first { Help.text(for: try Verb.named(word.text)) } else { Help.overview }
    context.console.printLine(context.style.withASCIIFallback(text))
  }
}
