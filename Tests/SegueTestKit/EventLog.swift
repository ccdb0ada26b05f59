// Thread: any; the thread of the test waits. The lock is held during an append, a search or a wait.
internal import Glibc
public import SegueSystem

/// A log of events that a test can wait for without polling.
public final class EventLog<Entry: Sendable>: @unchecked Sendable {
  // Proof: `entries` is accessed only while `lock` is held.
  private var entries: [Entry] = []
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  public init() {
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  public func append(_ entry: Entry) {
    pthread_mutex_lock(lock)
    entries.append(entry)
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(lock)
  }

  public var all: [Entry] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return entries
  }

  public var count: Int {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return entries.count
  }

  /// Waits for the first entry from `index` on for which `pick` returns a value. Returns the value and the index after
  /// the entry; nil after the timeout.
  public func wait<Found>(
    from index: Int = 0, within timeout: MediaTime = .seconds(20), _ pick: (Entry) -> Found?
  ) -> (Found, next: Int)? {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = Int(timeout.nanoseconds) + deadline.tv_nsec
    deadline.tv_sec += nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    var index = index
    while true {
      while index < entries.count {
        index += 1
        if let found = pick(entries[index - 1]) { return (found, index) }
      }
      if pthread_cond_timedwait(changed, lock, &deadline) == ETIMEDOUT { return nil }
    }
  }
}
