internal import SegueClientKit
internal import SegueRPC
internal import SegueUnicode
internal import SegueWire

/// The verbs `library` and `scan`.
enum ScanVerbs {
  static let library = Verb(
    "library", aliases: ["lib"], .library, "", 0...0, tr("show library statistics, folders and errors"),
    details: tr(
      """
      In a pipe, the output consists of “key: value” lines: tracks, albums, artists,
      scanning, done, total, failed, error, then “folder: STATE URI” for each folder
      and “failure: URI KIND REASON” for each unreadable file, with tabs.

        segue library
        segue library | grep ^failure
      """), isLong: true, run: library)

  static let scan = Verb(
    "scan", aliases: ["update"], .library, "[PATH…] [--watch] [--loudness] | --cancel", 0...Verb.unlimited,
    options: [.watch, .loudness, .cancel], values: .all(.files),
    tr("scan the music folders for changes"),
    details: tr(
      """
      Scans all music folders, or the given paths in them. Changes are also detected
      automatically. --watch shows the progress until the scan ends; interrupting it
      does not stop the scan. --loudness also measures tracks without loudness tags,
      in the background after the scan;   segue gain   uses the results. --cancel
      ends that measurement; what was measured is kept.

        segue scan --watch
        segue scan --loudness --watch  shows the estimated time
        segue scan --cancel
        segue scan ~/Music/New
      """), run: scan)

  @Sendable static func library(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let result = try context.call(LibraryStatusRequest())
    if context.printsJSON { return context.print(json: result.json) }
    let (status, style) = (result.value, context.style)
    for line in style.isTerminal
      ? LibraryStatusScreen(status: status, style: style).lines : LibraryStatusScreen.fields(status)
    {
      context.console.printLine(line)
    }
    try ListReader<URIFailure>(
      context: context, request: LibraryFailuresRequest(), limit: style.isTerminal ? 10 : .max,
      heading: tr("Unreadable files"),
      moreHint: "segue library | grep ^failure", linePrefix: "failure: "
    ).show()
  }

  @Sendable static func scan(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    if context.options.isGiven(.cancel) { return try cancel(context, arguments) }
    let uris = try Resource.uris(arguments)
    let isWatching = context.options.isGiven(.watch)
    // The client subscribes before the scan starts, so that it receives every event.
    if isWatching { _ = try context.call(SubscribeRequest(topics: [.library])) }
    let request = LibraryScanRequest(
      paths: uris.isEmpty ? nil : uris, loudness: context.options.isGiven(.loudness) ? true : nil)
    let response = try context.call(request, hints: [.notFound: [tr("segue library   shows the music folders")]])
    if isWatching { return try watch(response, context) }
    if !context.printsJSON { try check(response.value) }
    context.print(response) { status in
      status.isBusy ? tr("scanning; segue scan --watch   shows the progress") : LibraryStatusScreen.counts(status)
    }
  }

  /// Ends the measurement of loudness.
  private static func cancel(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    guard arguments.isEmpty, context.options.verbOptions.count == 1 else {
      throw .usage(tr("%1$s takes neither arguments nor other options", "--cancel"), hints: ["segue help scan"])
    }
    let isMeasuring = try context.call(LibraryStatusRequest()).value.measuring != nil
    context.print(try context.call(LibraryScanRequest(cancel: true))) { _ in
      isMeasuring ? tr("cancelled the measurement of loudness") : tr("no measurement of loudness is running")
    }
  }

  /// Throws the library's error if it has one and no scan or measurement is running.
  private static func check(_ status: LibraryStatus) throws(ClientError) {
    guard !status.isBusy, let error = status.error else { return }
    throw ClientError(
      .failed, error.translated, kind: Failure.Kind.unavailable.rawValue,
      hints: [tr("journalctl --user -u segued   shows the log")])
  }

  /// Prints the progress until the scan ends or the reader closes standard output.
  private static func watch(
    _ first: Response<LibraryStatus>, _ context: VerbContext
  ) throws(ClientError) {
    let connection = try context.connection()
    var state = first
    var lastText: String?
    var measuring: LibraryStatus.Measuring?
    while true {
      let status = state.value
      measuring = status.measuring ?? measuring
      if context.printsJSON {
        context.print(json: state.json)
      } else {
        printProgress(status, context, &lastText)
        if !status.isBusy, let measuring { context.console.printLine(LibraryStatusScreen.summary(ofEnded: measuring)) }
      }
      if !status.isBusy { return try check(status) }
      repeat {
        guard try context.flush(), connection.waitForMessage() else { return }
        guard let next: Response<LibraryStatus> = try context.nextState(of: .library) else { continue }
        state = next
        break
      } while true
    }
  }

  /// Prints the progress as a bar on a terminal, or as a line if it differs from the last one.
  private static func printProgress(_ status: LibraryStatus, _ context: VerbContext, _ lastText: inout String?) {
    let style = context.style
    let text = status.isBusy ? LibraryStatusScreen.progress(status) : LibraryStatusScreen.counts(status)
    guard style.isTerminal else {
      if text != lastText { context.console.printLine(text) }
      lastText = text
      return
    }
    let line = status.isBusy ? bar(status, text, style) : style.fitted(text)
    context.console.write(Array("\r\u{1B}[K\(line)".utf8))
    if !status.isBusy { context.console.printLine("") }
  }

  /// Returns `scanned 120 of 340 (35%)` and a bar that fills the line. The last column stays empty, because a cursor
  /// after it would wrap to the next line.
  private static func bar(_ status: LibraryStatus, _ text: String, _ style: Style) -> String {
    let (done, total) =
      status.scanning ? (status.done, status.total) : (status.measuring?.done ?? 0, status.measuring?.total ?? 0)
    guard total > 0 else { return "\(text)\(style.ellipsis)".truncated(to: style.columns - 1, ellipsis: "") }
    let fraction = min(1, max(0, Double(done) / Double(total)))
    let label = "\(text) (\(Int(fraction * 100))%)"
    let available = style.columns - 1 - DisplayWidth.of(label) - 2
    return available < 8
      ? label.truncated(to: style.columns - 1, ellipsis: style.ellipsis)
      : label + "  " + style.progressBar(fraction, columns: min(available, 60))
  }
}
