internal import SegueSystem

/// A screen on which something is typed. Keys belong to the text; `Model` performs the few commands that there are.
protocol PromptScreen: Screen {}

extension PromptScreen {
  var commands: [Command] { [.back, .redraw, .suspend, .quit] }
  var hints: [Command] { [] }
  var takesText: Bool { true }

  mutating func perform(_ command: Command, _ state: SharedState) -> [Action] { [] }

  func nextChange(_ state: SharedState) -> MonotonicTime? { nil }
}
