internal import SegueSystem

/// Keys and commands that wait until the screen shows the result of the last change, so that each acts on the row that
/// the user sees.
struct DeferredInput {
  enum Element {
    case key(Key)
    /// A command that was chosen with the mouse or in the help.
    case command(Command)
  }

  /// The time after which the elements are discarded.
  private static let timeout = MediaTime.seconds(2)

  private var elements: [Element] = []
  private var start: MonotonicTime?

  /// The first element; nil if there are none.
  var first: Element? { elements.first }

  var isEmpty: Bool { elements.isEmpty }

  /// The time at which the elements are discarded; nil if there are none.
  var deadline: MonotonicTime? { start.map { $0 + Self.timeout } }

  mutating func append(_ element: Element, at now: MonotonicTime) {
    start = start ?? now
    elements.append(element)
  }

  /// Removes the first element. The others have the whole time again.
  mutating func removeFirst(at now: MonotonicTime) {
    start = elements.count > 1 ? now : nil
    elements.removeFirst()
  }

  mutating func removeAll() {
    elements = []
    start = nil
  }
}
