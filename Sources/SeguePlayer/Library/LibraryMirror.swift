// Thread: the loop.

internal import SegueLibrary
internal import SegueSQLite
internal import SegueWire

/// A part of the library that is kept in memory, because every page of the queue states it. It is read again after
/// each change.
@MainActor
final class LibraryMirror<Value: Equatable & Sendable> {
  /// What was read last; the initial value until then.
  private(set) var value: Value
  private var reading = Reading.none
  private let index: LibraryIndex
  private let read: @Sendable (LibraryReader) throws(StoreError) -> Value
  private let onChange: @MainActor () -> Void

  private typealias Completions = [@MainActor () -> Void]

  /// Whether the part is being read, and the requests that are completed once `value` contains their changes.
  private enum Reading {
    case none
    case running(waiting: Completions)
    /// The part has changed since the reading began: another one follows.
    case outdated(waiting: Completions, next: Completions)
  }

  /// Creates the mirror. `onChange`: called after `value` has changed, and after every change that the library reports:
  /// one may be about something that `value` does not contain, such as a title.
  init(
    _ index: LibraryIndex, initially value: Value,
    read: @escaping @Sendable (LibraryReader) throws(StoreError) -> Value, onChange: @escaping @MainActor () -> Void
  ) {
    self.index = index
    self.value = value
    self.read = read
    self.onChange = onChange
  }

  /// Reads the part when the daemon starts.
  func start() { load(isChanged: false) }

  /// Reads the part again after the library has changed it. Only then is the change announced, so that a client that
  /// reads the queue again sees it there.
  func handleChange() {
    switch reading {
    case .none: load(isChanged: true)
    case .running(let waiting): reading = .outdated(waiting: waiting, next: [])
    case .outdated: break
    }
  }

  /// Calls `then` when `value` contains all changes that the library has reported.
  func whenRead(_ then: @escaping @MainActor () -> Void) {
    switch reading {
    case .none: then()
    case .running(let waiting): reading = .running(waiting: waiting + [then])
    case .outdated(let waiting, let next): reading = .outdated(waiting: waiting, next: next + [then])
    }
  }

  /// Reads the part. It may be very large, so that the other thread compares it with the one before. `isChanged`:
  /// whether something about it has changed. `waiting`: what is called afterwards.
  private func load(isChanged: Bool, waiting: Completions = []) {
    reading = .running(waiting: waiting)
    index.read(
      { [value, read] reader throws(StoreError) -> Result<Value?, Failure> in
        let new = try read(reader)
        return .success(new == value ? nil : new)
      },
      then: { [weak self] result in self?.handleLoaded((try? result.get()) ?? nil, isChanged: isChanged) })
  }

  /// Takes over a value; nil if it is the same, or cannot be read.
  private func handleLoaded(_ new: Value?, isChanged: Bool) {
    if let new { value = new }
    if new != nil || isChanged { onChange() }
    let completions: Completions
    switch reading {
    case .none: completions = []
    case .running(let waiting):
      completions = waiting
      reading = .none
    case .outdated(let waiting, let next):
      completions = waiting
      load(isChanged: true, waiting: next)
    }
    for completion in completions { completion() }
  }
}
