internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The screen of the visualizer: the spectrum of what is audible, and its levels.
struct VisualizerScreen: Screen {
  let commands: [Command] = [.back] + Command.playback + Command.everywhere
  let hints: [Command] = [.back, .toggle, .previous, .next, .louder, .quieter, .help]

  func showsSound(_ state: SharedState) -> Bool { true }

  /// `Model` performs all commands.
  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] { [] }

  /// The mouse wheel changes the volume.
  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] { [.call(.changeVolume(rows < 0 ? 2 : -2))] }

  func draw(_ frame: inout TerminalFrame, _ state: SharedState) {
    TitleLine.draw(&frame, VisualizerMessages.title, "", state)
    // The two last rows are the status line and the line of keys; a blank row is above and below the view.
    let margin = state.size.rows >= 12 ? 1 : 0
    Visualizer.draw(
      &frame,
      Area(row: 1 + margin, column: 2, rows: state.size.rows - 3 - 2 * margin, columns: state.size.columns - 4), state)
  }
}

/// The messages about the visualizer.
enum VisualizerMessages {
  static var title: String { tr("Visualizer") }

  /// Returns why there is no sound to display.
  static func silent(_ state: SharedState) -> String {
    if state.sound.isRefused { return tr("The daemon does not send the sound.") }
    return switch state.status?.state {
    case .playing: tr("Waiting for the sound…")
    case .paused: tr("Playback is paused.")
    case .stopped, nil: tr("Nothing is playing.")
    }
  }

  /// Returns why the visualizer is not displayed.
  static func disabled(_ state: SharedState) -> String {
    if state.appearance.isPlain { return tr("The visualizer is off with --plain.") }
    let settings = state.named(.showSettings)
    return state.configuration.visualizer == .no
      ? tr("The visualizer is off. The screen %1$s turns it on.", settings)
      : tr("Over SSH, the visualizer is off. The screen %1$s turns it on.", settings)
  }
}

extension SharedState {
  /// Whether the visualizer may be displayed.
  var allowsVisualizer: Bool {
    guard !appearance.isPlain else { return false }
    return switch configuration.visualizer {
    case .auto: !appearance.isRemote
    case .yes: true
    case .no: false
    }
  }
}
