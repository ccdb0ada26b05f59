/// The screens: the queue, one of the main screens above it, and above that what was opened from there. Main screens
/// are kept while others are displayed, so that they come back with their focus.
struct ScreenStack {
  private var queue: any Screen = ListScreen()
  /// The main screens that were shown, by their commands.
  private var mains: [Command: any Screen] = [:]
  /// The command of the main screen above the queue; nil if there is none.
  private var main: Command?
  private var opened: [any Screen] = []

  /// The displayed screen.
  var top: any Screen {
    get { opened.last ?? main.flatMap { mains[$0] } ?? queue }
    set {
      if !opened.isEmpty {
        opened[opened.count - 1] = newValue
      } else if let main {
        mains[main] = newValue
      } else {
        queue = newValue
      }
    }
  }

  /// The screen that `pop` displays; nil if that is the queue.
  var below: (any Screen)? {
    get {
      guard let below = opened.dropLast().last else { return opened.isEmpty ? nil : main.flatMap { mains[$0] } }
      return below
    }
    set {
      guard let newValue, !opened.isEmpty else { return }
      if opened.count > 1 {
        opened[opened.count - 2] = newValue
      } else if let main {
        mains[main] = newValue
      }
    }
  }

  /// The screen that is visible behind a prompt; nil unless a prompt is displayed.
  var background: (any Screen)? { opened.last is any PromptScreen ? below ?? queue : nil }

  var isAtQueue: Bool { opened.isEmpty && main == nil }

  /// Whether the main screen of a command is displayed.
  func isShowing(_ command: Command) -> Bool { opened.isEmpty && main == command }

  mutating func push(_ screen: any Screen) { opened.append(screen) }

  /// Removes the displayed screen unless it is the queue.
  mutating func pop() {
    if opened.popLast() == nil { main = nil }
  }

  /// Removes a displayed prompt, which is returned; nil if another screen is displayed.
  mutating func removePrompt() -> (any Screen)? { opened.last is any PromptScreen ? opened.removeLast() : nil }

  mutating func showQueue() { (opened, main) = ([], nil) }

  /// Shows the main screen of a command in place of all screens above the queue.
  mutating func show(_ command: Command, _ make: () -> any Screen) {
    (opened, main) = ([], command)
    if mains[command] == nil { mains[command] = make() }
  }

  /// Applies `body` to all screens, also to those that are not displayed.
  mutating func updateAll(_ body: (inout any Screen) -> Void) {
    body(&queue)
    for index in mains.values.indices { body(&mains.values[index]) }
    for index in opened.indices { body(&opened[index]) }
  }
}
