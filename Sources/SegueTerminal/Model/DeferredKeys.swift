internal import SegueSystem

/// Keys that wait until the screen shows the result of the last change, so that each acts on the row that the user sees.
struct DeferredKeys {
  /// The time after which the keys are discarded.
  private static let timeout = MediaTime.seconds(2)

  private var keys: [Key] = []
  private var start: MonotonicTime?

  var isEmpty: Bool { keys.isEmpty }

  /// The time at which the keys are discarded; nil if there are none.
  var deadline: MonotonicTime? { start.map { $0 + Self.timeout } }

  mutating func append(_ key: Key, at now: MonotonicTime) {
    start = start ?? now
    keys.append(key)
  }

  /// Removes and returns the first key. The others have the whole time again.
  mutating func removeFirst(at now: MonotonicTime) -> Key {
    start = keys.count > 1 ? now : nil
    return keys.removeFirst()
  }

  mutating func removeAll() {
    keys = []
    start = nil
  }
}
