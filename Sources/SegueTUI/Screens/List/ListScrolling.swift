/// The focused row of a list and the part of the list that is on the screen.
struct ListScrolling: Equatable {
  /// The number of rows that stay visible above and below the focus.
  private static let margin = 2

  private(set) var focus = 0
  /// The first row on the screen.
  private(set) var top = 0
  private var height = 1
  private var placement = Placement.margin

  /// The place of the focus on the screen.
  private enum Placement {
    /// The margin separates the focus from the rows that are not visible.
    case margin
    /// The focus is anywhere on the screen, so that the list stays under the mouse after a click.
    case anywhere
    /// The focus is in the middle of the screen after the next `fit`.
    case center
  }

  /// Performs a command of navigation in a list of `count` rows. Returns false for any other command.
  mutating func perform(_ command: Command, count: Int) -> Bool {
    switch command {
    case .up: focus -= 1
    case .down: focus += 1
    case .pageUp: move(by: -max(1, height - 1))
    case .pageDown: move(by: max(1, height - 1))
    case .first: focus = 0
    case .last: focus = count - 1
    default: return false
    }
    placement = .margin
    fit(count: count, height: height)
    return true
  }

  private mutating func move(by rows: Int) {
    focus += rows
    top += rows
  }

  /// Focuses a row that is displayed. The list does not scroll.
  mutating func focus(on row: Int) {
    if row != focus { (focus, placement) = (row, .anywhere) }
  }

  /// Focuses a row and has it displayed in the middle.
  mutating func center(on row: Int) {
    (focus, placement) = (row, .center)
  }

  /// Moves the focus to a row, at which the entry is now, and the screen with it.
  mutating func follow(to row: Int) { move(by: row - focus) }

  /// Scrolls as a mouse wheel does: the focus moves only as far as it must to stay on the screen.
  mutating func scroll(by rows: Int, count: Int) {
    top = min(max(0, top + rows), max(0, count - height))
    let margin = min(Self.margin, (height - 1) / 2)
    let low = top == 0 ? 0 : top + margin
    let high = top + height >= count ? count - 1 : top + height - 1 - margin
    focus = min(max(focus, low), max(high, 0))
    placement = .margin
  }

  /// Moves focus and screen into a list of `count` rows, of which `height` fit on the screen.
  mutating func fit(count: Int, height: Int) {
    self.height = max(1, height)
    focus = min(max(0, focus), max(0, count - 1))
    if placement == .center { (top, placement) = (focus - self.height / 2, .margin) }
    let margin = placement == .anywhere ? 0 : min(Self.margin, (self.height - 1) / 2)
    top = min(top, focus - margin)
    top = max(top, focus - self.height + 1 + margin)
    top = min(max(0, top), max(0, count - self.height))
  }
}
