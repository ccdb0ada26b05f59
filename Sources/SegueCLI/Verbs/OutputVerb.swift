internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The verb `outputs`, which lists the sinks of the sound server and selects one.
enum OutputVerb {
  static let verb = Verb(
    "outputs", aliases: ["output"], .modes, "[N|NAME|default]", 0...1,
    values: .first(.outputs, .words(["default"])), tr("list the outputs, or switch to one"),
    details: tr(
      """
      A part of a name or description suffices if only one output matches.

        segue outputs
        segue outputs 2
        segue outputs hdmi
        segue outputs default          the default output of the sound server
      """), run: run)

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let list = try context.call(OutputListRequest())
    guard let selector = arguments.first?.text else { return show(list, context) }
    let device = try sinkName(for: selector, in: list.value.outputs)
    show(try context.call(OutputSetRequest(device: device)), context)
  }

  /// Returns the name of the output that is selected by its name, its number, or a part of its name or description.
  /// Returns nil for the server's default. Throws if no output or more than one matches.
  private static func sinkName(for selector: String, in entries: [OutputDevice]) throws(ClientError) -> String? {
    if let exact = entries.first(where: { $0.name == selector }) { return exact.name }
    if selector == "default" { return nil }
    if let number = EntryRange.positiveInteger(selector), number <= entries.count { return entries[number - 1].name }
    let part = selector.lowercased()
    let matching = entries.filter { entry in
      entry.name.lowercased().containsSubstring(part) || entry.description.lowercased().containsSubstring(part)
    }
    if matching.count == 1 { return matching[0].name }
    throw ClientError(
      .failed,
      matching.isEmpty
        ? tr("output “%1$s” not found", selector) : tr("“%1$s” matches more than one output", selector),
      kind: matching.isEmpty ? "not_found" : nil,
      hints: (matching.isEmpty ? entries : matching).map { "segue outputs \($0.name)   \($0.description.visible)" })
  }

  private static func show(_ list: Response<OutputList>, _ context: VerbContext) {
    if context.printsJSON { return context.print(json: list.json) }
    let (entries, style) = (list.value.outputs, context.style)
    let chosen = list.value.chosen
    let missing = chosen.flatMap { name in entries.contains { $0.name == name } ? nil : name.visible }
    guard style.isTerminal else {
      for entry in entries {
        let marks =
          (entry.isCurrent ? ["current"] : []) + (entry.isDefault ? ["default"] : [])
          + (entry.name == chosen ? ["chosen"] : [])
        context.console.printLine(
          [entry.name.visible, entry.description.visible, entry.formatField, marks.joined(separator: ",")].joined(
            separator: "\t"))
      }
      if let missing { context.console.printLine([missing, "", "", "chosen,missing"].joined(separator: "\t")) }
      return
    }
    context.supersedeResults()
    if entries.isEmpty { context.console.printLine(tr("the sound server has no outputs")) }
    for (number, entry) in entries.enumerated() {
      let mark = entry.isCurrent ? (style.unicode ? "▶" : ">") : " "
      let marks =
        (entry.isDefault ? ["  " + tr("(default)")] : []) + (entry.name == chosen ? ["  " + tr("(chosen)")] : [])
      let text = "\(mark) \(number + 1)  \(entry.description.visible)\(marks.joined())"
      let line = style.fitted(text)
      context.console.printLine(entry.isCurrent ? style.paint(line, .bold) : line)
      let detail = style.fitted("     \(entry.name.visible)  \(entry.formatText)")
      context.console.printLine(style.paint(detail, .dim))
    }
    if let missing { context.console.printLine(style.fitted("  –  \(missing)  " + tr("(chosen, not connected)"))) }
  }
}

extension OutputDevice {
  /// The format for programs, such as `s16le 2 ch 44100 Hz`. A number that is unknown is 0.
  fileprivate var formatField: String {
    let numbers =
      (channels > 0 ? [String(channels), "ch"] : []) + (sampleRate > 0 ? [String(sampleRate), "Hz"] : [])
    return ([format.visible] + numbers).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The format for people, such as `44100 Hz, 2 channels, s16le`.
  fileprivate var formatText: String {
    let numbers =
      channels > 0 && sampleRate > 0
      ? trn("%2$s Hz, 1 channel", "%2$s Hz, %1$d channels", channels, String(sampleRate)) : ""
    return [numbers, format.visible].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
