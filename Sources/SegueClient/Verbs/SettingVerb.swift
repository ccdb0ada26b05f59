internal import SegueSystem
internal import SegueWire

/// `segue settings`: what segue.conf can say, and choosing in its place.
enum SettingVerb {
  private enum Action: String, CaseIterable {
    case list, get, set, reset

    /// How many arguments belong to it.
    var count: Int {
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

  @Sendable static func run(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let word = arguments.first?.text ?? Action.list.rawValue
    let actions = Action.allCases.map(\.rawValue)
    guard let action = Action(rawValue: word) else {
      throw .usage(
        "settings can \(actions.dropLast().joined(separator: ", ")) or \(actions.last ?? ""), not “\(word)”",
        hints: Suggestion.nearest(to: word, among: actions).map { ["did you mean   segue settings \($0)   ?"] } ?? [])
    }
    let rest = arguments.dropFirst().map(\.text)
    guard rest.count == action.count else {
      throw .usage("that is used so:  \(action.usage)", hints: ["segue help settings"])
    }
    guard action != .list else { return show(try session.call(Request("settings.list")), session) }
    let request = Request("settings.\(action)") { json in
      json.member("name", rest[0])
      if action == .set { json.member("value", rest[1]) }
    }
    session.print(try answer(to: request, session)) { json in
      let row = Row(json)
      return action == .get ? row.value : "\(row.name) \(row.value)\(row.unit) (\(row.source))"
    }
  }

  private static func answer(to request: Request, _ session: Session) throws(ClientError) -> JSON {
    do throws(ClientError) {
      return try session.call(request)
    } catch {
      let hints: [String]
      switch error.kind.flatMap(Failure.Kind.init) {
      case .notFound: hints = ["segue settings   lists them", "segue outputs   lists the outputs"]
      case .denied: hints = ["systemctl --user reload segued   has segue.conf read again"]
      default: throw error
      }
      throw ClientError(error.exit, error.message, kind: error.kind, hints: hints)
    }
  }

  fileprivate struct Row {
    let name: String
    /// The value in use. It is empty if there is none.
    let value: String
    /// With a space before it; empty for none.
    let unit: String
    let source: String
    /// What it may be set to while the daemon runs: words with | between, bounds, or what kind of thing; empty for nothing.
    let takes: String
    let summary: String

    init(_ json: JSON) {
      name = (json["name"]?.string ?? "").visible
      source = (json["source"]?.string ?? "").visible
      summary = (json["summary"]?.string ?? "").visible
      unit = json["unit"]?.string.map { " \($0.visible)" } ?? ""
      value = (json["inUse"] ?? json["value"]).map(Self.text) ?? ""
      takes = json["changeable"]?.bool == true ? Self.takes(json) + unit : ""
    }

    private static func takes(_ json: JSON) -> String {
      switch json["type"]?.string {
      case "boolean": "yes|no"
      case "choice": (json["words"]?.elements ?? []).compactMap { $0.string?.visible }.joined(separator: "|")
      case "integer", "number": [json["minimum"], json["maximum"]].map { $0.map(text) ?? "" }.joined(separator: "..")
      default: "NAME"
      }
    }

    /// As segue.conf has it.
    private static func text(_ value: JSON) -> String {
      switch value.kind {
      case .null, .object: ""
      case .bool: value.bool == true ? "yes" : "no"
      case .integer: value.integer.map { String($0) } ?? ""
      case .real: value.double.map { String($0) } ?? ""
      case .string: (value.string ?? "").visible
      case .array:
        (value.elements ?? []).map { element in
          let uri = element.string ?? ""
          return (FileURI.decode(uri)?.description ?? uri).visible
        }.joined(separator: ", ")
      }
    }
  }

  private static func show(_ list: JSON, _ session: Session) {
    if session.options.json { return session.print(json: list) }
    let rows = (list["settings"]?.elements ?? []).map(Row.init)
    let style = session.style
    guard style.isTerminal else {
      for row in rows {
        session.console.line([row.name, row.value, row.source, row.takes, row.summary].joined(separator: "\t"))
      }
      return
    }
    let longest = rows.map { Columns.of($0.name) }.max() ?? 0
    for row in rows {
      let paint: Style.Paint? = row.source == SettingSource.standard.rawValue ? .dim : nil
      for line in row.lines(nameColumns: longest, columns: style.columns) {
        session.console.line(paint.map { style.paint(line, $0) } ?? line)
      }
    }
  }
}

extension SettingVerb.Row {
  private static let indent = "    "

  /// Returns the name, the value and its source, then the purpose and the possible values. Nothing is cut.
  fileprivate func lines(nameColumns: Int, columns: Int) -> [String] {
    let holds = "\(value.isEmpty ? "none" : value + unit)  (\(source))"
    let head = name.padded(to: nameColumns, mark: "") + "  " + holds
    let takes = takes.split(separator: "|").joined(separator: ", ")
    let about = takes.isEmpty ? summary : "\(summary) [\(takes)]"
    let room = max(1, columns - Self.indent.utf8.count)
    let isOneLine = Columns.of(head) <= columns
    return (isOneLine ? [head] : name.wrapped(to: columns))
      + ((isOneLine ? [] : [holds]) + [about])
      .flatMap { $0.wrapped(to: room) }.map { Self.indent + $0 }
  }
}
