internal import SegueSystem
internal import SegueWire

/// The search for selected entries that have left the queue, although the part of the queue with them is not loaded:
/// the daemon is asked about each after a change, at most once a second.
struct SelectionCheck {
  /// The maximum number of requests at the same time.
  private static let maximumRequests = 16
  private static let interval = MediaTime.seconds(1)

  /// The version of the queue in which the last check has begun.
  private var version: UInt64 = 0
  private var rest: [UInt64] = []
  private var requested: Set<UInt64> = []
  /// The time before which no other check begins.
  private var nextStart = MonotonicTime(nanoseconds: 0)

  /// The time at which the selection is checked; nil if that is not necessary.
  func nextCheck(_ selection: ListSelection<QueueEntry>, _ queue: ListWindow<QueueEntry>) -> MonotonicTime? {
    selection.isEmpty || version == queue.version || !isComplete ? nil : nextStart
  }

  private var isComplete: Bool { rest.isEmpty && requested.isEmpty }

  /// Returns the requests about the selected entries that are not loaded.
  mutating func calls(_ selection: ListSelection<QueueEntry>, _ queue: ListWindow<QueueEntry>, at now: MonotonicTime)
    -> [DaemonCall]
  {
    if let next = nextCheck(selection, queue), next <= now {
      version = queue.version
      rest = selection.elements.map(\.id).filter { queue.loadedIndex(of: $0) == nil }
      if !rest.isEmpty { nextStart = now + Self.interval }
    }
    let next = rest.prefix(max(0, Self.maximumRequests - requested.count))
    rest.removeFirst(next.count)
    requested.formUnion(next)
    return next.map { .locate(id: $0) }
  }

  mutating func receive(_ id: UInt64) { requested.remove(id) }

  /// Forgets the requests that are not answered, because the connection to the daemon is lost.
  mutating func disconnect() { self = SelectionCheck() }
}
