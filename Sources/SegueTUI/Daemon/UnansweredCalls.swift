internal import SegueSystem
internal import SegueWire

/// The requests that the daemon has not answered, in the order in which they were sent.
struct UnansweredCalls {
  private var calls: [(call: DaemonCall, time: MonotonicTime)] = []

  /// Returns whether one of the topics may change soon, because the answer to a change is awaited.
  func change(_ topics: Set<Topic>) -> Bool { calls.contains { $0.call.changedTopic.map(topics.contains) ?? false } }

  /// The time at which the first request was sent that a daemon that runs answers at once; nil if there is none.
  var oldest: MonotonicTime? { calls.first { $0.call.isAnsweredAtOnce }?.time }

  mutating func add(_ call: DaemonCall, at time: MonotonicTime) { calls.append((call, time)) }

  mutating func remove(_ call: DaemonCall) {
    if let index = calls.firstIndex(where: { $0.call == call }) { calls.remove(at: index) }
  }

  mutating func removeAll() { calls = [] }
}
