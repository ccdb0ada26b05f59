internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The screen on which the rating of a track is typed.
struct RatingScreen: PromptScreen {
  /// The rating that the track has, as far as it is known.
  private enum Former: Equatable {
    case unknown
    case requested
    case known(Int?)
  }

  private let uri: String
  private let title: String
  private var field = TextField()
  private var former = Former.unknown
  /// Whether the text is that of the user.
  private var isEdited = false
  private var submitted = SubmittedCall()

  init(uri: String, title: String) { (self.uri, self.title) = (uri, title) }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    switch key.code {
    case .escape: return [.back]
    case .enter: return submit(state)
    case .character(let character) where key.modifiers.isEmpty && !("0"..."9" ~= character):
      return [.showMessage(.information(RatingMessages.invalid))]
    default:
      // The first digit begins another rating.
      if case .character = key.code, key.modifiers.isEmpty, !isEdited { field = TextField() }
      let before = field.text
      guard field.handle(key) else { return nil }
      if field.text != before { isEdited = true }
      return []
    }
  }

  private mutating func submit(_ state: SharedState) -> [Action] {
    // The rating is kept if the user has not changed it.
    guard isEdited else { return [.back] }
    let rating = Int(field.text)
    guard field.isEmpty || rating.map({ 0...10 ~= $0 }) == true else {
      return [.showMessage(.information(RatingMessages.invalid))]
    }
    return submitted.submit(.rate(uri: uri, rating), state)
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    field.insert(text)
    isEdited = true
    return []
  }

  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] {
    guard former == .unknown else { return [] }
    former = .requested
    return [.rating(uri: uri)]
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    if let actions = submitted.receive(call, result) { return actions }
    guard call == .rating(uri: uri), case .success(let rating as Rating) = result else { return [] }
    receive(rating.rating)
    return []
  }

  private mutating func receive(_ rating: Int?) {
    former = .known(rating)
    guard !isEdited, let rating else { return }
    field = TextField()
    field.insert(String(rating))
  }

  mutating func disconnect() {
    if former == .requested { former = .unknown }
    submitted.disconnect()
  }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    let columns = state.size.columns
    TitleLine.draw(&frame, tr("Rating"), "", state)
    frame.grid.write(title, row: 2, column: 3, width: columns - 4, look: .bold, ellipsis: state.appearance.ellipsis)
    let start = 4 + frame.grid.write(tr("From 0 to 10:"), row: 4, column: 3, width: columns - 8)
    frame.write(field, row: 4, column: start, width: columns - start - 1)
    if case .known(let rating) = former {
      frame.grid.write(
        rating.map(RatingMessages.former) ?? RatingMessages.none, row: 6, column: 3, width: columns - 4, look: .dim,
        ellipsis: state.appearance.ellipsis)
    }
  }

  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    StatusText(RatingMessages.usage, usesLastLine: true, state).draw(&frame, row: row, .dim)
  }
}

/// The messages about ratings.
enum RatingMessages {
  static var usage: String { tr("Enter saves the rating; an empty one is removed. Esc changes nothing.") }
  static var invalid: String { tr("A rating is a whole number from 0 to 10.") }
  static var none: String { tr("The track has no rating yet.") }
  static var removed: String { tr("The rating is removed.") }

  static func former(_ rating: Int) -> String { tr("The rating is %1$d of 10 now.", rating) }

  static func saved(_ rating: Int) -> String { tr("The rating is %1$d of 10.", rating) }
}
