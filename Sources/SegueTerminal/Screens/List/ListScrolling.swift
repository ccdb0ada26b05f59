/// The focused row of a list and the part of the list that is on the screen.
struct ListScrolling: Equatable {
  /// The number of rows that stay visible above and below the focus.
  private static let margin = 2

  private(set) var focus = 0
  /// The first row on the screen.
  private(set) var top = 0
  private var height = 1
  /// Whether the focus is to be in the middle of the screen at the next `fit`.
  private var isCentering = false

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
    fit(count: count, height: height)
    return true
  }

  private mutating func move(by rows: Int) {
    focus += rows
    top += rows
  }

  mutating func focus(on row: Int) { focus = row }

  /// Focuses a row and has it displayed in the middle.
  mutating func center(on row: Int) {
    focus = row
    isCentering = true
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
  }

  /// Moves focus and screen into a list of `count` rows, of which `height` fit on the screen.
  mutating func fit(count: Int, height: Int) {
    self.height = max(1, height)
    focus = min(max(0, focus), max(0, count - 1))
    if isCentering {
      top = focus - self.height / 2
      isCentering = false
    }
    let margin = min(Self.margin, (self.height - 1) / 2)
    top = min(top, focus - margin)
    top = max(top, focus - self.height + 1 + margin)
    top = min(max(0, top), max(0, count - self.height))
  }
}
