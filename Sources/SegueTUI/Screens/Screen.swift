internal import SegueSystem
internal import SegueWire

/// A screen: a value with its own state, its commands and its view. It changes nothing outside itself; `Model` performs
/// the actions that its functions return.
///
/// A new screen is a type with this protocol in a folder of its own, and a command that shows it.
protocol Screen {
  /// The commands that have a function here, in the order of the help.
  var commands: [Command] { get }
  /// The commands that have a function here in some state of the screen.
  var possibleCommands: [Command] { get }
  /// The commands that the last line shows, the most important ones first.
  var hints: [Command] { get }
  /// Whether typed characters enter text instead of performing commands.
  var takesText: Bool { get }

  /// Returns whether the screen displays `SharedState.sound`, which the daemon sends only then.
  func showsSound(_ state: SharedState) -> Bool
  /// Takes over the orders and the layouts of lists in the configuration, because the screen is shown by its command or
  /// from another one. A screen that is displayed keeps its own ones: they do not change under the focus when another
  /// interface with the same file changes them.
  mutating func adopt(_ configuration: InterfaceConfiguration)
  /// Returns a sentence that says why a command cannot be performed now; nil if it can.
  func reasonDisabled(_ command: Command, _ state: SharedState) -> String?
  /// Returns whether a command acts on what the user sees. Otherwise, it waits until the screen shows the result of the
  /// last change.
  func isReady(for command: Command, _ state: SharedState) -> Bool
  mutating func perform(_ command: Command, _ state: SharedState) -> [Action]
  /// Handles a key while the screen takes text. Returns nil if the key has no function in the text.
  mutating func type(_ key: Key, _ state: SharedState) -> [Action]?
  mutating func paste(_ text: String, _ state: SharedState) -> [Action]
  /// Handles a click on a row.
  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action]
  /// Handles a click on a tab.
  mutating func click(tab: Int, _ state: SharedState) -> [Action]
  /// Handles the mouse wheel, by a number of rows.
  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action]
  /// Handles a click or a drag on the scroll bar, from 0 for the start of the list to 1 for its end.
  mutating func scroll(to fraction: Double, _ state: SharedState)
  /// Handles the response to a call that is not shared by all screens.
  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action]
  /// Forgets the requests that are not answered, because the connection to the daemon is lost.
  mutating func disconnect()
  /// Takes over the screen to which the key for going back leads, as it is now; nil if that is the queue.
  mutating func setParent(_ screen: (any Screen)?)
  /// Returns whether the screen displays a part of the one below.
  func showsParent(_ state: SharedState) -> Bool
  /// Adapts the screen to the state of the daemon while the screen above shows a part of it, and returns the calls for
  /// that part.
  mutating func prepareBesideChild(_ state: SharedState) -> [DaemonCall]
  /// Adapts the screen to the state and the size after an event, also while there is no daemon.
  mutating func fit(_ state: SharedState)
  /// Adapts the screen to the state of the daemon after an event, and returns the calls for what it displays.
  mutating func prepare(_ state: inout SharedState) -> [DaemonCall]
  /// Draws the screen above the status line and the line of keys.
  func draw(_ frame: inout TerminalFrame, _ state: SharedState)
  /// Returns the message about a lasting problem of what the screen displays; nil if there is none.
  func problem(_ state: SharedState) -> Message?
  /// Draws the status line while there is no message.
  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState)
  /// Returns the time at which the view changes without an event; nil if it does not.
  func nextChange(_ state: SharedState) -> MonotonicTime?
}

/// Something that a screen asks the model to do.
enum Action {
  case call(DaemonCall)
  /// Makes calls if the user confirms them by a second press.
  case confirm(Confirmation)
  case show(any Screen)
  case back
  /// Leaves this screen and performs a command on the one before.
  case backAndPerform(Command)
  case showMessage(Message)
  /// Opens a page on the web in the browser.
  case openLink(String)
  /// Has the lists of the library, the favorites and the playlists read again.
  case reload
  /// Changes the configuration.
  case configure(ConfigurationChange)
}

extension Screen {
  var takesText: Bool { false }
  var possibleCommands: [Command] { commands }

  func showsSound(_ state: SharedState) -> Bool { false }
  mutating func adopt(_ configuration: InterfaceConfiguration) {}
  func reasonDisabled(_ command: Command, _ state: SharedState) -> String? { nil }
  func isReady(for command: Command, _ state: SharedState) -> Bool { true }
  mutating func type(_ key: Key, _ state: SharedState) -> [Action]? { nil }
  mutating func paste(_ text: String, _ state: SharedState) -> [Action] { [] }
  mutating func click(row: Int, isDouble: Bool, _ state: SharedState) -> [Action] { [] }
  mutating func click(tab: Int, _ state: SharedState) -> [Action] { [] }
  mutating func scroll(by rows: Int, _ state: SharedState) -> [Action] { [] }
  mutating func scroll(to fraction: Double, _ state: SharedState) {}
  mutating func receive(_ call: DaemonCall, _ result: CallResult, _ state: SharedState) -> [Action] {
    []
  }
  mutating func disconnect() {}
  mutating func setParent(_ screen: (any Screen)?) {}
  func showsParent(_ state: SharedState) -> Bool { false }
  mutating func prepareBesideChild(_ state: SharedState) -> [DaemonCall] { [] }
  mutating func fit(_ state: SharedState) {}
  mutating func prepare(_ state: inout SharedState) -> [DaemonCall] { [] }
  func problem(_ state: SharedState) -> Message? { nil }
  func drawStatus(_ frame: inout TerminalFrame, row: Int, _ state: SharedState) {
    PlaybackLine.draw(&frame, row: row, state)
  }
  func nextChange(_ state: SharedState) -> MonotonicTime? { state.nextSecond }
}
