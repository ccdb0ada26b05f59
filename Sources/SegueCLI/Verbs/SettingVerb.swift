internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// The verb `settings`, which shows and changes settings.
enum SettingVerb {
  static let verb = Verb(
    "settings", aliases: ["setting"], .modes, "[list|get NAME|set NAME VALUE|reset NAME]", 0...3,
    values: values,
    tr("show or change settings"),
    details: tr(
      """
      A change takes effect immediately and overrides segue.conf until the setting
      is changed there; reset restores the value of segue.conf. NAME is a name from
      the list or the part after its dot, in upper or lower case.

        segue settings                 list settings and accepted values
        segue settings get preamp      print only the value
        segue settings set restore resume
        segue settings set gracePeriod 30
        segue settings reset restore
      """), isLong: true, run: run)

  private enum Action: String, CaseIterable {
    case list, get, set, reset

    /// The number of arguments after the action.
    var arity: Int {
      switch self {
      case .list: 0
      case .get, .reset: 1
      case .set: 2
      }
    }

    var usage: String {
      switch self {
      case .list: "segue settings list"
      case .get, .reset: "segue settings \(rawValue) NAME"
      case .set: "segue settings set NAME VALUE"
      }
    }
  }

  static let values = ArgumentValues { arguments in
    let action = arguments.first.flatMap(Action.init)
    return switch (action, arguments.count) {
    case (nil, 0): [.words(Action.words)]
    case (.get, 1): [.settings(areChangeable: false)]
    case (.set, 1), (.reset, 1): [.settings(areChangeable: true)]
    case (.set, 2): [.valuesOfSetting(arguments.last ?? "")]
    case (.list, _), (.get, _), (.set, _), (.reset, _), (nil, _): []
    }
  }

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let word = arguments.first?.text ?? Action.list.rawValue
    guard let action = Action(rawValue: word) else {
      throw .usage(
        tr("unknown action “%1$s”: use list, get, set or reset", word),
        hints: EditDistance.nearest(to: word, in: Action.words).map {
          [tr("did you mean   segue %1$s   ?", "settings \($0)")]
        }
          ?? [])
    }
    let rest = arguments.dropFirst().map(\.text)
    guard rest.count == action.arity else {
      throw .usage(
        rest.count < action.arity
          ? tr("%1$s: missing argument", "settings \(word)") : tr("%1$s: too many arguments", "settings \(word)"),
        hints: [
          tr("usage: %1$s", Placeholders.translated(action.usage)), tr("segue help %1$s   shows details", "settings"),
        ])
    }
    let request: any ProtocolRequest<SettingReport>
    switch action {
    case .list: return show(try context.call(SettingsListRequest()), context)
    case .get: request = SettingsGetRequest(name: rest[0])
    case .set: request = SettingsSetRequest(name: rest[0], value: .text(rest[1]))
    case .reset: request = SettingsResetRequest(name: rest[0])
    }
    context.print(try context.call(request, hints: hints(for: rest[0]))) { setting in
      let row = Row(setting)
      return action == .get ? row.value : "\(row.name) \(row.value)\(row.unit) (\(row.sourceLabel))"
    }
  }

  private static func hints(for setting: String) -> [Failure.Kind: [String]] {
    [
      // The setting of the device always exists: an output was not found.
      .notFound: [
        ["device", "output.device"].contains(setting.lowercased())
          ? tr("segue outputs   lists the outputs") : tr("segue settings   lists the settings")
      ],
      .invalidParams: [tr("segue settings   lists the settings and their values")],
      .denied: [tr("systemctl --user reload segued   reloads segue.conf")],
    ]
  }

  fileprivate struct Row {
    let name: String
    /// The value in use. It is empty if there is none.
    let value: String
    /// The unit with a leading space. It is empty if there is none.
    let unit: String
    let source: SettingSource
    /// The accepted values: words separated by `|`, a range, or a kind of value. It is empty if the setting cannot be
    /// changed at run time.
    let acceptedValues: String
    let summary: String

    init(_ setting: SettingReport) {
      name = setting.name.visible
      source = setting.source
      summary = translated(text: setting.summary).visible
      let text = setting.inUse.text.visible
      if case .number = setting.type { value = decimalText(text) } else { value = text }
      let values: String
      (values, unit) =
        switch setting.type {
        case .flag: ("yes|no", "")
        case .choice(let words): (words.map(\.visible).joined(separator: "|"), "")
        case .whole(let range, let unit):
          (Self.range(.whole(range.lowerBound), .whole(range.upperBound)), Self.unit(unit))
        case .number(let range, let unit):
          (Self.range(.number(range.lowerBound), .number(range.upperBound)), Self.unit(unit))
        case .name, .paths: (tr("NAME"), "")
        }
      acceptedValues = setting.isChangeable ? values + unit : ""
    }

    private static func range(_ first: SettingValue, _ last: SettingValue) -> String {
      "\(decimalText(first.text))..\(decimalText(last.text))"
    }

    private static func unit(_ name: String) -> String { name.isEmpty ? "" : " \(translated(text: name).visible)" }
  }

  private static func show(_ list: Response<SettingList>, _ context: VerbContext) {
    if context.printsJSON { return context.print(json: list.json) }
    let rows = list.value.settings.map(Row.init)
    let style = context.style
    guard style.isTerminal else {
      for row in rows {
        context.console.printLine(
          [row.name, row.value, row.source.rawValue, row.acceptedValues, row.summary].joined(separator: "\t"))
      }
      return
    }
    let longest = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
    for row in rows {
      let paint: Style.Paint? = row.source == .standard ? .dim : nil
      for line in row.lines(nameColumns: longest, columns: style.columns) {
        context.console.printLine(paint.map { style.paint(line, $0) } ?? line)
      }
    }
  }
}

extension SettingVerb.Row {
  private static let indent = "    "

  /// The source for people.
  fileprivate var sourceLabel: String {
    switch source {
    case .standard: tr("default")
    case .chosen: tr("chosen")
    case .file: source.rawValue
    }
  }

  /// Returns the name, the value and its source, then the purpose and the accepted values. Long lines are wrapped.
  fileprivate func lines(nameColumns: Int, columns: Int) -> [String] {
    let shown = value.isEmpty ? tr("none") : value + unit
    let state = "\(shown)  (\(sourceLabel))"
    let head = name.padded(to: nameColumns, ellipsis: "") + "  " + state
    let values = acceptedValues.split(separator: "|").joined(separator: ", ")
    let purpose = values.isEmpty ? summary : "\(summary) [\(values)]"
    let available = max(1, columns - Self.indent.utf8.count)
    let isOneLine = DisplayWidth.of(head) <= columns
    return (isOneLine ? [head] : name.wrapped(to: columns))
      + ((isOneLine ? [] : [state]) + [purpose])
      .flatMap { $0.wrapped(to: available) }.map { Self.indent + $0 }
  }
}
