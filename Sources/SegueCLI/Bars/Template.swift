internal import SegueClientKit

/// A line with placeholders in the template language of playerctl(1): `{{ title }} {{ duration(position) }}`.
struct Template: Sendable {
  enum Part: Sendable {
    case literal(String)
    case expression(Expression)
  }

  private let parts: [Part]
  /// Whether the line contains the playback position and therefore changes every second.
  let usesPosition: Bool
  /// Whether the line contains data of the track and is therefore empty without one.
  let usesTrack: Bool

  /// The template that is used without `--format`.
  static let standard = Template(parts: [.expression(.variable(.heading))])

  init(parts: [Part]) {
    self.parts = parts
    var usesPosition = false
    var usesTrack = false
    for case .expression(let expression) in parts {
      expression.visitVariables { variable in
        if variable.name == "position" { usesPosition = true }
        if variable.isOfTrack { usesTrack = true }
      }
    }
    self.usesPosition = usesPosition
    self.usesTrack = usesTrack
  }

  /// Parses a template. Throws a usage error that shows the position of the mistake.
  init(parsing text: String) throws(ClientError) {
    var parser = TemplateParser(text)
    let parts: [Part]
    do throws(TemplateParser.Failure) {
      parts = try parser.parts()
    } catch {
      throw .usage(
        tr("--format, character %1$d: %2$s", error.position + 1, error.reason),
        hints: parser.marker(at: error.position) + error.hints
      )
    }
    self.init(parts: parts)
  }

  /// Returns the line, with untrusted text passed through `escape`. Returns an empty line if the daemon is not running,
  /// or if the template uses the track and there is none.
  func rendered(in context: TemplateContext, escape: (String) -> String) -> String {
    if !context.status.isOnline || usesTrack && context.status.track == nil { return "" }
    var line = ""
    for part in parts {
      switch part {
      case .literal(let text): line += text
      case .expression(let expression):
        if let value = expression.value(in: context) { line += value.escaped(by: escape) }
      }
    }
    // Line breaks in the template become spaces.
    return line.contains(where: \.isNewline) ? String(line.map { $0.isNewline ? " " : $0 }) : line
  }
}
