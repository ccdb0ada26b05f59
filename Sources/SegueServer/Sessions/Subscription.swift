internal import SeguePlayer

/// A client's subscription to topics, with the events that were not sent to it yet.
struct Subscription {
  private(set) var topics: Set<Topic> = []
  /// The number of the last event, sent or pending; 0 before the first event.
  private(set) var sequence: UInt64 = 0
  /// The numbers of the pending events. A newer event of a topic replaces an older one.
  private var pending: [Topic: UInt64] = [:]

  var hasPendingEvents: Bool { !pending.isEmpty }

  mutating func add(_ topics: Set<Topic>) { self.topics.formUnion(topics) }

  mutating func remove(_ topics: Set<Topic>) {
    self.topics.subtract(topics)
    for topic in topics { pending[topic] = nil }
  }

  /// Adds a pending event for `topic` if the client is subscribed to it.
  mutating func markChanged(_ topic: Topic) {
    guard topics.contains(topic) else { return }
    sequence += 1
    pending[topic] = sequence
  }

  /// Removes the pending events and returns them, ordered by number.
  mutating func takePendingEvents() -> [(topic: Topic, sequence: UInt64)] {
    defer { pending = [:] }
    return pending.map { (topic: $0.key, sequence: $0.value) }.sorted { $0.sequence < $1.sequence }
  }
}
