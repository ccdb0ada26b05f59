internal import SeguePlayer

/// Which topics a client hears of, and which of them it is owed.
struct Subscription {
  private(set) var topics: Set<Topic> = []
  /// Of the last event, sent or owed; 0 before the first.
  private(set) var sequence: UInt64 = 0
  /// Events that could not be sent yet: the newest of each topic, the older ones are merged into it.
  private var owed: [Topic: UInt64] = [:]

  var owesNothing: Bool { owed.isEmpty }

  mutating func add(_ more: Set<Topic>) { topics.formUnion(more) }

  mutating func remove(_ some: Set<Topic>) {
    topics.subtract(some)
    for topic in some { owed[topic] = nil }
  }

  /// Owes an event of `topic`, if that is subscribed.
  mutating func note(_ topic: Topic) {
    guard topics.contains(topic) else { return }
    sequence += 1
    owed[topic] = sequence
  }

  /// What is owed, in the order of its numbers, and is owed no longer.
  mutating func settle() -> [(topic: Topic, sequence: UInt64)] {
    defer { owed = [:] }
    return owed.map { (topic: $0.key, sequence: $0.value) }.sorted { $0.sequence < $1.sequence }
  }
}
