internal import SegueSystem
internal import SegueWire

/// `segue chapters`.
enum ChapterVerb {
  @Sendable static func run(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    var uri: String?
    if let argument = arguments.first { uri = try Resource.uri(argument) }
    let result = try session.call(
      uri == nil ? Request("chapters") : Request("chapters") { $0.member("uri", uri) }, note: "looking into the file…")
    if session.options.json { return session.print(json: result) }
    let list = ChapterList(result)
    if list.chapters.isEmpty, session.style.isTerminal { session.console.line("It has no chapters.") }
    for (index, chapter) in list.chapters.enumerated() {
      let time = durationText(chapter.start, .exact)
      let title = chapter.title.visible
      let isCurrent = index == list.current
      if session.style.isTerminal {
        let mark = isCurrent ? PlayState.playing.symbol(session.style) : " "
        let line = "\(mark) \(String(index + 1).rightAligned(to: 3))  \(time.rightAligned(to: 8))  \(title)"
        session.console.line(line.cut(to: session.style.columns, mark: session.style.ellipsis))
      } else {
        session.console.line([String(index + 1), time, title, isCurrent ? "current" : ""].joined(separator: "\t"))
      }
    }
  }
}
