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
  /// The number of times for which a question without an answer is repeated: on a busy machine, the first ones may take
  /// too long.
  private static let maximumRepetitions = 5

  /// Nil if the terminal is not tmux.
  private var tmux: Tmux?
  /// Whether the next question follows the focus.
  private var isAfterFocus = false
  /// The number of times for which a question without an answer may still be repeated.
  private var repetitions = TmuxWatch.maximumRepetitions
  /// The time of the next question; nil if there is none.
  private(set) var deadline: MonotonicTime?

  /// Begins when tmux has stated its name and its own capabilities. Returns the terminal that displays pictures, as
  /// `Tmux.ask` does.
  mutating func start(own: GraphicsTerminal?) -> GraphicsTerminal? {
    var tmux = Tmux(own: own)
    let terminal = tmux.ask(0).terminal
    self.tmux = tmux
    repeatIfSilent()
    return terminal
  }

  mutating func noteFocus() {
    guard tmux != nil else { return }
    (deadline, isAfterFocus, repetitions) = (.now, true, Self.maximumRepetitions)
  }

  /// Notes that the screen has changed, and that its pictures, if any, are displayed by `terminal`.
  mutating func noteFrame(_ terminal: GraphicsTerminal?) {
    if deadline == nil, terminal?.graphicsProtocol == .placeholders { deadline = .now + Self.interval }
  }

  /// Asks tmux. Returns nil if the terminal is not tmux.
  mutating func ask() -> (terminal: GraphicsTerminal?, hasChanged: Bool)? {
    (deadline, isAfterFocus) = (isAfterFocus ? .now + Self.answerDelay : nil, false)
    let answer = tmux?.ask(0)
    repeatIfSilent()
    return answer
  }

  /// Has the question repeated if it had no answer.
  private mutating func repeatIfSilent() {
    guard tmux?.isSilent == true, repetitions > 0 else { return }
    repetitions -= 1
    deadline = .now + Self.answerDelay
  }
}
