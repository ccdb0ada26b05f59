internal import SegueFrontend
internal import SegueSystem

/// The screen on which the rating of a track is typed.
struct RatingScreen: Screen {
  private let uri: String
  private let title: String
  private var field = TextField()

  /// Creates the screen for a track whose rating is `rating`; nil if it has none, or if it is not known.
  init(uri: String, title: String, rating: Int? = nil) {
    (self.uri, self.title) = (uri, title)
    if let rating { field.insert(String(rating)) }
  }

  let commands: [Command] = [.back]
  let hints: [Command] = []
  let takesText = true

  /// `Model` performs the only command, which leads back.
  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] { [] }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    switch key.code {
    case .escape: return [.back]
    case .enter:
      if field.isEmpty { return [.call(.rate(uri: uri, nil)), .back] }
      guard let rating = Int(field.text), 0...10 ~= rating else {
        return [.showMessage(.information(RatingMessages.invalid))]
      }
      return [.call(.rate(uri: uri, rating)), .back]
    default: return field.handle(key) ? [] : nil
    }
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    field.insert(text)
    return []
  }

  func draw(_ frame: inout Frame, _ state: SharedState) {
    let columns = state.size.columns
    TitleLine.draw(&frame, RatingMessages.title, "", state)
    frame.grid.write(title, row: 2, column: 3, width: columns - 4, look: .bold, ellipsis: state.appearance.ellipsis)
    let start = 4 + frame.grid.write(RatingMessages.prompt, row: 4, column: 3, width: columns - 8)
    frame.write(field, row: 4, column: start, width: columns - start - 1)
  }

  func drawStatus(_ frame: inout Frame, row: Int, _ state: SharedState) {
    frame.grid.write(
      RatingMessages.usage, row: row, column: 1, width: state.size.columns - 2, look: .dim,
      ellipsis: state.appearance.ellipsis)
  }
}

/// The messages about ratings.
enum RatingMessages {
  static var title: String { tr("Rating") }
  static var prompt: String { tr("From 0 to 10:") }
  static var usage: String { tr("Enter saves the rating; an empty one is removed. Esc changes nothing.") }
  static var invalid: String { tr("A rating is a whole number from 0 to 10.") }
  static var onlyTracks: String { tr("Only tracks can be rated.") }
  static var removed: String { tr("The rating is removed.") }

  static func saved(_ rating: Int) -> String { tr("The rating is %1$d of 10.", rating) }
}
