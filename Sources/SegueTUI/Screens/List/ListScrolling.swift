/// The focused row of a list and the part of the list that is on the screen.
struct ListScrolling: Equatable {
  /// The number of rows that stay visible above and below the focus.
  private static let margin = 2

  private(set) var focus = 0
  /// The first row on the screen.
  private(set) var top = 0
  /// The number of rows that fit on the screen.
  private(set) var height = 1
  /// The number of rows of the list that stand beside each other on the screen.
  private var stride = 1
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
    case .up: if focus >= stride { focus -= stride }
    // The last line may be shorter than the others.
    case .down: if focus / stride < (count - 1) / stride { focus = min(focus + stride, count - 1) }
    case .left where stride > 1: focus -= 1
    case .right where stride > 1: focus += 1
    case .pageUp: move(by: -max(stride, height - stride))
    case .pageDown: move(by: max(stride, height - stride))
    case .first: focus = 0
    case .last: focus = count - 1
    default: return false
    }
    placement = .margin
    fit(count: count, height: height, stride: stride)
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
    top = min(max(0, top + rows), lastTop(count))
    let margin = stride > 1 ? 0 : min(Self.margin, (height - 1) / 2)
    let low = top == 0 ? 0 : top + margin
    let high = top + height >= count ? count - 1 : top + height - 1 - margin
    focus = min(max(focus, low), max(high, 0))
    placement = .margin
  }

  /// Scrolls to a part of the list, from 0 for its start to 1 for its end, as the handle of a scroll bar does.
  mutating func scroll(to fraction: Double, count: Int) {
    let target = Int((Double(lastTop(count) / stride) * fraction).rounded()) * stride
    scroll(by: target - top, count: count)
    // Rows that are not loaded yet may turn out to need more room.
    if fraction >= 1 { focus = max(0, count - 1) }
  }

  /// Returns the first row on the screen at the end of a list.
  private func lastTop(_ count: Int) -> Int {
    stride * max(0, (count + stride - 1) / stride - height / stride)
  }

  /// Moves focus and screen into a list of `count` rows, of which `height` fit on the screen. If several stand beside
  /// each other, their number is `stride`, and `height` is a multiple of it.
  mutating func fit(count: Int, height: Int, stride: Int = 1) {
    guard stride > 1 else { return fit(count: count, height: height) { _ in max(1, height) } }
    (self.height, self.stride) = (height, stride)
    focus = min(max(0, focus), max(0, count - 1))
    let (line, lines) = (focus / stride, height / stride)
    if placement == .center { (top, placement) = (focus - height / 2, .margin) }
    top = stride * max(min(top / stride, line), line - lines + 1)
    top = min(max(0, top), lastTop(count))
  }

  /// Moves focus and screen into a list of `count` rows, of which at most `height` fit on the screen, and fewer if
  /// other rows stand between them: `capacity` returns their number from a row on.
  mutating func fit(count: Int, height: Int, capacity: (Int) -> Int) {
    (self.height, stride) = (max(1, height), 1)
    focus = min(max(0, focus), max(0, count - 1))
    if placement == .center { (top, placement) = (focus - self.height / 2, .margin) }
    let margin = placement == .anywhere ? 0 : min(Self.margin, (self.height - 1) / 2)
    top = max(0, min(top, focus - margin), focus - self.height + 1 + margin)
    // The last screen is full. Its first row is looked for only near the end of the list. Both loops end after as many
    // rows as there are on a screen.
    var last = max(0, count - self.height)
    if top + self.height >= last { while last + capacity(last) < count { last += 1 } }
    top = min(top, last)
    let below = min(margin, count - 1 - focus)
    var room = capacity(top)
    while top < last, focus + below >= top + room {
      top += 1
      room = capacity(top)
    }
    self.height = max(1, room)
  }
}
