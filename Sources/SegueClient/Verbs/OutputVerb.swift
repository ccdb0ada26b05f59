internal import SegueWire

/// `segue outputs`: the sinks of the sound server, and moving to one.
enum OutputVerb {
  private struct Entry {
    let name: String
    let description: String
    let isDefault: Bool
    let isCurrent: Bool
    let format: String

    init(_ json: JSON) {
      name = json["name"]?.string ?? ""
      description = (json["description"]?.string ?? "").visible
      isDefault = json["default"]?.bool ?? false
      isCurrent = json["current"]?.bool ?? false
      let rate = json["sampleRate"]?.int.map { "\($0) Hz" }
      let channels = json["channels"]?.int.map { "\($0) ch" }
      format = [json["format"]?.string?.visible, channels, rate].compactMap { $0 }.joined(separator: " ")
    }
  }

  @Sendable static func run(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let list = try session.call(Request("output.list"))
    guard let wish = arguments.first?.text else { return show(list, session) }
    let device = try choose(wish, from: entries(list))
    let result = try session.call(
      Request("output.set") { json in
        json.member("device", device)
      })
    show(result["outputs"] == nil ? try session.call(Request("output.list")) : result, session)
  }

  private static func entries(_ list: JSON) -> [Entry] { (list["outputs"]?.elements ?? []).map(Entry.init) }

  /// The name of the output meant by a name, a number of the list or a part of one name or description; nil for the
  /// server's default.
  private static func choose(_ wish: String, from entries: [Entry]) throws(ClientError) -> String? {
    if let exact = entries.first(where: { $0.name == wish }) { return exact.name }
    if wish == "default" { return nil }
    if let number = EntryRange.number(wish), number <= entries.count { return entries[number - 1].name }
    let part = wish.lowercased()
    let matching = entries.filter { entry in
      entry.name.lowercased().holds(part) || entry.description.lowercased().holds(part)
    }
    if matching.count == 1 { return matching[0].name }
    throw ClientError(
      .failed, matching.isEmpty ? "there is no output “\(wish)”" : "“\(wish)” could be more than one output",
      kind: matching.isEmpty ? "not_found" : nil,
      hints: (matching.isEmpty ? entries : matching).map { "segue outputs \($0.name)   \($0.description)" })
  }

  private static func show(_ list: JSON, _ session: Session) {
    if session.options.json { return session.print(json: list) }
    let (entries, style) = (entries(list), session.style)
    guard style.isTerminal else {
      for entry in entries {
        let marks = (entry.isCurrent ? ["current"] : []) + (entry.isDefault ? ["default"] : [])
        session.console.line(
          [entry.name.visible, entry.description, entry.format, marks.joined(separator: ",")].joined(separator: "\t"))
      }
      return
    }
    if entries.isEmpty { session.console.line("the sound server offers no output") }
    for (number, entry) in entries.enumerated() {
      let mark = entry.isCurrent ? (style.unicode ? "▶" : ">") : " "
      let text = "\(mark) \(number + 1)  \(entry.description)\(entry.isDefault ? "  (default)" : "")"
      let line = text.cut(to: style.columns, mark: style.ellipsis)
      session.console.line(entry.isCurrent ? style.paint(line, .bold) : line)
      let detail = "     \(entry.name.visible)  \(entry.format)".cut(to: style.columns, mark: style.ellipsis)
      session.console.line(style.paint(detail, .dim))
    }
  }
}
