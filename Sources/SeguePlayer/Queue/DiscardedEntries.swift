// Threads: made on the loop; freed on the thread that calls `free`.

internal import Synchronization

/// Entries that left the queue, on their way to a thread that has the time to free them: a hundred thousand take the
/// allocator tens of milliseconds.
public final class DiscardedEntries: Sendable {
  private let entries: Mutex<[QueueEntry]>

  init(_ entries: [QueueEntry]) { self.entries = Mutex(entries) }

  /// Frees the entries on the calling thread, unless somebody else still uses them.
  func free() {
    let freed = entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
    _ = consume freed
  }
}
