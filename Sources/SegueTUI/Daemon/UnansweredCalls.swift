internal import SegueSystem
internal import SegueWire

/// The requests that the daemon has not answered, in the order in which they were sent.
struct UnansweredCalls {
  private var calls: [(call: DaemonCall, time: MonotonicTime, isAnnounced: Bool)] = []

  /// Returns whether one of the topics may change soon, because the answer to a change is awaited.
  func change(_ topics: Set<Topic>) -> Bool { calls.contains { $0.call.changedTopic.map(topics.contains) ?? false } }

  /// The time at which the first request was sent that a daemon that runs answers at once; nil if there is none.
  var oldest: MonotonicTime? { calls.first { $0.call.isAnsweredAtOnce }?.time }

  mutating func add(_ call: DaemonCall, at time: MonotonicTime) { calls.append((call, time, false)) }

  /// Removes an answered call. Returns whether a change that may be its result was announced before.
  mutating func remove(_ call: DaemonCall) -> Bool {
    calls.firstIndex { $0.call == call }.map { calls.remove(at: $0).isAnnounced } ?? false
  }

  /// Takes over that a topic has changed. That is taken for the result of the first call that changes it.
  mutating func announce(_ topic: Topic) {
    if let index = calls.firstIndex(where: { $0.call.changedTopic == topic && !$0.isAnnounced }) {
      calls[index].isAnnounced = true
    }
  }

  mutating func removeAll() { calls = [] }
}
