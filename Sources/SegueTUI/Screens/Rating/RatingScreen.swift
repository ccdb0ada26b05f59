internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The prompt in which the rating of a track is typed.
struct RatingScreen: PromptScreen {
  /// The rating that the track has, as far as it is known.
  private enum Former: Equatable {
    case unknown
    case requested
    case known(Int?)
  }

  private let uri: String
  /// The title of the track.
  private let track: String
  private var field = TextField()
  private var former = Former.unknown
  /// Whether the text is that of the user.
  private var isEdited = false
  private var submitted = SubmittedCall()

  init(uri: String, title: String) { (self.uri, track) = (uri, title) }

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

  var title: String { tr("Rating") }
  var usage: String { RatingMessages.usage }

  func rows(_ state: SharedState) -> Int { state.size.rows >= 12 ? 5 : 3 }

  func draw(_ frame: inout TerminalFrame, in area: Area, _ state: SharedState) {
    let ellipsis = state.appearance.ellipsis
    let step = rows(state) == 5 ? 2 : 1
    frame.grid.write(
      track, row: area.row, column: area.column, width: area.columns, look: .bold, ellipsis: ellipsis)
    let line = area.line(step)
    // The number has two digits and the cursor after them.
    let end = frame.write(tr("From 0 to 10:"), field, in: line) + 3
    if let rating = Int(field.text), 0...10 ~= rating, !state.appearance.isPlain {
      let stars = Stars.text(rating, isUnicode: state.appearance.isUnicode)
      frame.grid.write(
        stars, row: line.row, column: end + 2, width: line.column + line.columns - end - 2,
        look: state.appearance.look(.mark))
    }
    if case .known(let rating) = former {
      frame.grid.write(
        rating.map(RatingMessages.former) ?? RatingMessages.none, row: area.row + 2 * step, column: area.column,
        width: area.columns, look: .dim, ellipsis: ellipsis)
    }
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
