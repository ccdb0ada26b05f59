internal import SegueClientKit
internal import SegueSystem

/// The times at which tmux is asked which terminals display the pane of the interface.
///
/// tmux reports the focus, which a terminal that is attached and a window that is shown again give to the active pane.
/// It reports nothing for the other panes of the window, and nothing if the last terminal was lost with the focus.
/// Therefore it is also asked at intervals as long as something changes on the screen.
struct TmuxWatch {
  /// The time after the focus in which a terminal at the other end of a slow connection states its name.
  private static let answerDelay = MediaTime.seconds(1)
  /// The interval at which tmux is asked without the focus.
  private static let interval = MediaTime.seconds(4)

  /// Nil if the terminal is not tmux.
  private var tmux: Tmux?
  /// Whether the next question follows the focus.
  private var isAfterFocus = false
  /// The time of the next question; nil if there is none.
  private(set) var deadline: MonotonicTime?

  /// Begins when tmux has stated its name and its own capabilities. Returns the terminal that displays pictures, as
  /// `Tmux.ask` does.
  mutating func start(own: GraphicsTerminal?) -> GraphicsTerminal? {
    var tmux = Tmux(own: own)
    defer { self.tmux = tmux }
    return tmux.ask(0).terminal
  }

  mutating func noteFocus() {
    guard tmux != nil else { return }
    (deadline, isAfterFocus) = (.now, true)
  }

  /// Notes that the screen has changed, and that its pictures, if any, are displayed by `terminal`.
  mutating func noteFrame(_ terminal: GraphicsTerminal?) {
    if deadline == nil, terminal?.graphicsProtocol == .placeholders { deadline = .now + Self.interval }
  }

  /// Asks tmux. Returns nil if the terminal is not tmux.
  mutating func ask() -> (terminal: GraphicsTerminal?, hasChanged: Bool)? {
    (deadline, isAfterFocus) = (isAfterFocus ? .now + Self.answerDelay : nil, false)
    return tmux?.ask(0)
  }
}
