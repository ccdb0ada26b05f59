// Thread: the loop.

internal import SegueLoop
internal import SegueSystem
internal import SegueWire

/// The requests of clients that have no response yet. Each is completed once: with a result, or with the reason why it
/// was cancelled.
@MainActor
final class CatalogRequestTable {
  private struct Entry {
    let cancel: @MainActor (Failure) -> Void
    var timer: Timer?
  }

  private var entries: [Int: Entry] = [:]
  private var lastNumber = 0

  nonisolated init() {}

  /// Adds a request of a group. Returns its number, and a function that completes it; the function does nothing after
  /// the request was cancelled.
  func add<Value>(
    in group: CatalogRequestGroup?, then: @escaping CatalogService.Completion<Value>
  ) -> (number: Int, complete: CatalogService.Completion<Value>) {
    lastNumber += 1
    let number = lastNumber
    let complete: CatalogService.Completion<Value> = { [weak self, weak group] result in
      guard self?.entries.removeValue(forKey: number) != nil else { return }
      group?.remove(number)
      then(result)
    }
    entries[number] = Entry { complete(.failure($0)) }
    return (number, complete)
  }

  func contains(_ number: Int) -> Bool { entries[number] != nil }

  /// Completes a request with a failure.
  func cancel(_ number: Int, _ failure: Failure) { entries[number]?.cancel(failure) }

  /// Calls `action` at a time, unless the request is completed before.
  func wait(_ number: Int, until time: MonotonicTime, on loop: EventLoop, then action: @escaping @MainActor () -> Void)
  {
    guard let timer = try? Timer(on: loop, handler: action) else { return action() }
    timer.arm(at: time)
    entries[number]?.timer = timer
  }
}
