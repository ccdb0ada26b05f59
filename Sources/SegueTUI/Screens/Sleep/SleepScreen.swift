internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The prompt of the sleep timer: minutes are typed, and letters choose the end of something.
struct SleepScreen: PromptScreen {
  private var field = TextField()
  private var submitted = SubmittedCall()

  /// The longest timer in minutes: a day.
  private static let maximum = 24 * 60

  /// An end of playback, with the letter that chooses it.
  private enum Choice: Character, CaseIterable {
    case track = "t"
    case album = "a"
    case queue = "e"
    case off = "o"

    var timer: SleepRequest.Timer {
      switch self {
      case .track: .after(.track)
      case .album: .after(.album)
      case .queue: .after(.queue)
      case .off: .off
      }
    }

    /// The command that does the same without the screen; nil if there is none.
    var command: Command? { self == .track ? .stopAfterTrack : nil }

    var label: String {
      switch self {
      case .track: tr("at the end of this track")
      case .album: tr("at the end of this album")
      case .queue: tr("at the end of the queue")
      case .off: tr("off: playback goes on")
      }
    }
  }

  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? {
    switch key.code {
    case .escape: return [.back]
    case .enter: return submit(state)
    case .character(let character) where key.modifiers.isEmpty && !("0"..."9" ~= character):
      let latin = KeyboardLayout.latinKey(for: key)
      guard case .character(let letter) = (latin ?? key).code, let choice = Choice(rawValue: letter) else {
        return [.showMessage(.information(SleepMessages.invalid))]
      }
      return submitted.submit(.sleep(choice.timer), state)
    default: return field.handle(key) ? [] : nil
    }
  }

  private mutating func submit(_ state: SharedState) -> [Action] {
    if field.isEmpty { return [.back] }
    guard let minutes = Int(field.text), 1...Self.maximum ~= minutes else {
      return [.showMessage(.information(SleepMessages.invalid))]
    }
    return submitted.submit(.sleep(.seconds(.seconds(minutes * 60))), state)
  }

  mutating func paste(_ text: String, _ state: SharedState) -> [Action] {
    field.insert(text)
    return []
  }

  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    submitted.receive(call, result) ?? []
  }

  mutating func disconnect() { submitted.disconnect() }

  var title: String { tr("Sleep timer") }
  var usage: String { SleepMessages.usage }

  func rows(_ state: SharedState) -> Int { Choice.allCases.count + (state.size.rows >= 12 ? 2 : 1) }

  func draw(_ frame: inout TerminalFrame, in area: Area, _ state: SharedState) {
    frame.write(tr("Minutes until playback stops:"), field, in: area)
    let first = rows(state) - Choice.allCases.count
    for (index, choice) in Choice.allCases.prefix(area.rows - first).enumerated() {
      let line = area.line(first + index)
      frame.grid.write(
        String(choice.rawValue), row: line.row, column: line.column, look: state.appearance.look(.highlight, .bold))
      let key = choice.command.flatMap(state.configuration.bindings.messageKey)
      frame.grid.write(
        choice.label.withKey(key), row: line.row, column: line.column + 3, width: line.columns - 3,
        ellipsis: state.appearance.ellipsis)
    }
  }
}

/// The messages about the sleep timer.
enum SleepMessages {
  static var usage: String { tr("Type minutes and Enter, or one of the letters. Esc changes nothing.") }
  static var invalid: String { tr("Type a number of minutes from 1 to 1440, or one of the letters.") }

  /// Returns the message about a timer that was set.
  static func changed(_ sleep: Sleep?) -> String {
    switch sleep {
    case nil: tr("The sleep timer is off.")
    case .after(.track): tr("Playback stops at the end of this track.")
    case .after(.album): tr("Playback stops at the end of this album.")
    case .after(.queue): tr("Playback stops at the end of the queue.")
    case .seconds(let left): tr("Playback stops in %1$s.", left.clock)
    }
  }

  /// Returns the label among the modes of playback. Below a minute, it counts seconds.
  static func mode(_ status: Status, at now: MonotonicTime) -> String {
    switch status.sleep {
    case nil: return ""
    case .after(.track): return tr("stops after this track")
    case .after(.album): return tr("stops after this album")
    case .after(.queue): return tr("stops after the queue")
    case .seconds(let left):
      let seconds = Int(status.timeToSleep(left, at: now).seconds.rounded(.up))
      return seconds < 60 ? tr("stops in %1$d s", seconds) : tr("stops in %1$d min", (seconds + 59) / 60)
    }
  }
}
