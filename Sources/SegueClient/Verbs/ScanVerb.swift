internal import SegueSystem
internal import SegueWire

/// `segue scan`: has the music folders looked through, and with `--watch` shows how far that is.
enum ScanVerb {
  @Sendable static func run(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let uris = try PlaybackVerbs.uris(arguments)
    let isWatching = session.options.flags.contains("--watch")
    // First, so that no news is missed.
    if isWatching { _ = try session.call(Request("subscribe") { $0.member("topics", ["library"]) }) }
    let measures = session.options.flags.contains("--loudness")
    let request =
      uris.isEmpty && !measures
      ? Request("library.scan")
      : Request("library.scan") {
        if !uris.isEmpty { $0.member("paths", uris) }
        if measures { $0.member("loudness", true) }
      }
    let answer = try session.call(request, if: .notFound, hints: ["segue library   shows the music folders"])
    if isWatching { return try watch(answer, session) }
    if !session.options.json { try check(LibraryStatus(answer)) }
    session.print(answer) { result in
      LibraryStatus(result).isBusy
        ? "scanning; segue scan --watch   shows how far it is" : LibraryScreen.counts(LibraryStatus(result))
    }
  }

  /// What does not scan has a reason.
  private static func check(_ status: LibraryStatus) throws(ClientError) {
    guard !status.isBusy, let error = status.error else { return }
    throw ClientError(
      .failed, error, kind: Failure.Kind.unavailable.rawValue,
      hints: ["journalctl --user -u segued   shows what failed"])
  }

  /// Until the scan has come to its end, or whoever reads has enough.
  private static func watch(_ first: JSON, _ session: Session) throws(ClientError) {
    let connection = try session.connection()
    var news = first
    var shown: String?
    while true {
      let status = LibraryStatus(news)
      if session.options.json {
        session.print(json: news)
      } else {
        show(status, session, &shown)
      }
      if !status.isBusy { return try check(status) }
      repeat {
        guard try session.flush(), WatchVerb.waits(connection) else { return }
        let event = try connection.event()
        guard event["topic"]?.string == "library", let data = event["data"] else { continue }
        news = data
        break
      } while true
    }
  }

  private static func show(_ status: LibraryStatus, _ session: Session, _ shown: inout String?) {
    let style = session.style
    let text = status.isBusy ? LibraryScreen.progress(status) : LibraryScreen.counts(status)
    guard style.isTerminal else {
      if text != shown { session.console.line(text) }
      shown = text
      return
    }
    let line = status.isBusy ? bar(status, text, style) : text.cut(to: style.columns, mark: style.ellipsis)
    session.console.part(bytes: Array("\r\u{1B}[K\(line)".utf8))
    if !status.isBusy { session.console.line("") }
  }

  /// `scanned 120 of 340 (35%)` and a bar over what is left of the line. The last column stays free: a cursor beyond it
  /// would begin another line.
  private static func bar(_ status: LibraryStatus, _ text: String, _ style: Style) -> String {
    let (done, total) =
      status.scanning ? (status.done, status.total) : (status.measuring?.done ?? 0, status.measuring?.total ?? 0)
    guard total > 0 else { return "\(text)\(style.ellipsis)".cut(to: style.columns - 1, mark: "") }
    let share = min(1, max(0, Double(done) / Double(total)))
    let words = "\(text) (\(Int(share * 100))%)"
    let room = style.columns - 1 - Columns.of(words) - 2
    return room < 8
      ? words.cut(to: style.columns - 1, mark: style.ellipsis)
      : words + "  " + style.bar(share, columns: min(room, 60))
  }
}
