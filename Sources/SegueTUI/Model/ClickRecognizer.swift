internal import SegueSystem

/// Tells double clicks from single ones. A double click consists of two presses on the same target in a short time.
struct ClickRecognizer {
  enum Click {
    case single
    case double
  }

  private struct Press {
    let target: Target
    let position: Position
    let time: MonotonicTime
  }

  /// The maximum time between the presses of a double click.
  private static let maximumInterval = MediaTime.milliseconds(400)

  /// The press that may be the first one of a double click.
  private var first: Press?

  /// Handles a press on a target; nil stands for a place without one.
  mutating func recognize(_ target: Target?, at position: Position, _ now: MonotonicTime) -> Click {
    if let target, let first, target == first.target, isNear(first.position, position),
      now - first.time < Self.maximumInterval
    {
      self.first = nil
      return .double
    }
    first = target.map { Press(target: $0, position: position, time: now) }
    return .single
  }

  /// Whether the mouse may have moved between two positions without the intention of the user.
  private func isNear(_ a: Position, _ b: Position) -> Bool { a.row == b.row && abs(a.column - b.column) <= 1 }
}
