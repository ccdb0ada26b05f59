/// A line with holes, in the language of playerctl(1): `{{ title }} {{ duration(position) }}`.
struct Template: Sendable {
  enum Part: Sendable {
    case words(String)
    case hole(Expression)
  }

  private let parts: [Part]
  /// It changes as time goes on.
  let usesPosition: Bool
  /// There is nothing to say without a track.
  let usesTrack: Bool

  /// What is shown when nobody says what.
  static let standard = Template(parts: [.hole(.variable(.heading))])

  init(parts: [Part]) {
    self.parts = parts
    var usesPosition = false
    var usesTrack = false
    for case .hole(let expression) in parts {
      expression.visitVariables { variable in
        if variable.name == "position" { usesPosition = true }
        if variable.isOfTrack { usesTrack = true }
      }
    }
    self.usesPosition = usesPosition
    self.usesTrack = usesTrack
  }

  /// Reads a template; throws what is wrong with it, and where.
  init(parsing text: String) throws(ClientError) {
    var parser = TemplateParser(text)
    let parts: [Part]
    do throws(TemplateParser.Failure) {
      parts = try parser.parts()
    } catch {
      throw .usage(
        "--format, character \(error.place + 1): \(error.reason)", hints: parser.pointing(at: error.place) + error.hints
      )
    }
    self.init(parts: parts)
  }

  /// The line as it is at a moment, what is foreign made harmless by `escape`; empty without what it is about.
  func filled(in moment: TemplateContext, escape: (String) -> String) -> String {
    if !moment.status.isThere || usesTrack && moment.status.track == nil { return "" }
    var line = ""
    for part in parts {
      switch part {
      case .words(let words): line += words
      case .hole(let expression):
        switch expression.value(in: moment) {
        case nil: break
        case .foreign(let text)?: line += escape(text)
        case let value?: line += value.plain
        }
      }
    }
    // A line is a line.
    return line.contains(where: \.isNewline) ? String(line.map { $0.isNewline ? " " : $0 }) : line
  }
}
