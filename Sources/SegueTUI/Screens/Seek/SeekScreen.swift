internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The prompt in which a position in the track is typed.
struct SeekScreen: PromptScreen {
  private var field = TextField()
  private var submitted = SubmittedCall()

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    switch key.code {
    case .escape: return [.back]
    case .enter: return submit(state)
    default: return field.handle(key) ? [] : nil
    }
  }

  private mutating func submit(_ state: SharedState) -> [Action] {
    if field.isEmpty { return [.back] }
    guard let call = Self.call(for: field.text) else { return [.showMessage(.information(SeekMessages.invalid))] }
    return submitted.submit(call, state)
  }

  /// Returns the call for a text such as `12:30`, `+30`, `-1:00` or `50%`; nil for any other text.
  private static func call(for text: String) -> DaemonCall? {
    if let fraction = TimeText.fraction(text) { return .seekTo(fraction: fraction) }
    let adjustment = Adjustment(text)
    guard let time = TimeText.parse(adjustment.magnitude) else { return nil }
    return switch adjustment.direction {
    case .to: .seek(to: time)
    case .up: .seekBy(time)
    case .down: .seekBy(.zero - time)
    }
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    field.insert(text)
    return []
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    submitted.receive(call, result) ?? []
  }

  mutating func disconnect() { submitted.disconnect() }

  /// The prompt shows the position.
  func nextChange(_ state: SharedState) -> MonotonicTime? { state.nextSecond }

  var title: String { tr("Go to a time") }
  var usage: String { SeekMessages.usage }

  func rows(_ state: SharedState) -> Int { state.size.rows >= 12 ? 5 : 3 }

  func draw(_ frame: inout TerminalFrame, in area: Area, _ state: SharedState) {
    let step = rows(state) == 5 ? 2 : 1
    if let track = state.status?.track {
      frame.grid.write(
        track.title, row: area.row, column: area.column, width: area.columns, look: .bold,
        ellipsis: state.appearance.ellipsis)
    }
    frame.write(tr("Position:"), field, in: area.line(step))
    frame.grid.write(
      PlaybackLine.clock(state), row: area.row + 2 * step, column: area.column, width: area.columns, look: .dim)
  }
}

/// The messages about positions that are typed.
enum SeekMessages {
  static var usage: String {
    tr("Type a time such as 12:30, or +30 for 30 seconds more, and Enter. Esc changes nothing.")
  }
  static var invalid: String { tr("This is no position. Type a time such as 12:30, +30 or -1:00.") }
}
