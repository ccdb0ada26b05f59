internal import SegueSystem
internal import SegueWire

/// `segue library` and `segue lyrics`.
enum LookVerbs {
  @Sendable static func library(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let result = try session.call(Request("library.status"))
    if session.options.json { return session.print(json: result) }
    let (status, style) = (LibraryStatus(result), session.style)
    for line in style.isTerminal ? LibraryScreen(status: status, style: style).lines : LibraryScreen.fields(status) {
      session.console.line(line)
    }
    var failures = ListReader<URIFailure>(session: session, method: "library.failures", label: "failure: ")
    failures.heading = "Could not be read"
    if style.isTerminal { failures.limit = 10 }
    failures.more = "segue library | grep ^failure"
    try failures.show()
  }

  @Sendable static func lyrics(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let uri = if let argument = arguments.first { try Resource.uri(argument) } else { try session.currentTrack().uri }
    let result = try session.call(
      Request("lyrics") { $0.member("uri", uri) }, if: .notFound,
      hints: ["a file of the track's name that ends in .lrc, beside it, would have them"])
    if session.options.json { return session.print(json: result) }
    for line in Lyrics(result).text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      session.console.line(String(line).visible)
    }
  }
}
