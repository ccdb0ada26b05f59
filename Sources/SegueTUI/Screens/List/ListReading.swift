internal import SegueClientKit
internal import SegueSystem

/// A reading of a whole list in pages, while the list may change. It goes to the end of the list whatever changes, so
/// that it also ends in a list that changes all the time. Then the list is read again if it has changed.
struct ListReading {
  private enum Progress {
    case idle
    /// A request is under way.
    case waiting
    /// There are no more elements, or no more are needed.
    case ended
    case failed
  }

  /// The number of elements that were read.
  private(set) var read = 0
  private var progress = Progress.idle
  /// The version of the list and the time at which the reading has begun, and the time at which it was complete.
  private var version: UInt64?
  private var start = MonotonicTime(nanoseconds: 0)
  private var end: MonotonicTime?
  /// The time at which a list that has changed is read again; nil if it has not changed.
  private var nextStart: MonotonicTime?
  private var retry = RequestRetry()

  /// The time at which the list is read again, or a request that has failed is repeated; nil if neither is necessary.
  var nextRequest: MonotonicTime? { nextStart ?? retry.time }

  var hasFailed: Bool { progress == .failed }

  func isComplete(_ window: ListWindow<some ListElement>) -> Bool {
    version != nil && (progress == .ended || progress == .failed || read >= window.length)
  }

  /// Whether the current version of the list was read completely.
  func isCurrent(_ window: ListWindow<some ListElement>) -> Bool {
    version == window.version && !hasFailed && isComplete(window)
  }

  /// Begins to read if nothing was read yet, or if the list has changed since the last reading began and that is
  /// complete. Returns whether a reading was begun. The list is read for at most half of the time.
  mutating func begin(_ window: ListWindow<some ListElement>, at now: MonotonicTime) -> Bool {
    nextStart = nil
    if let version {
      guard isComplete(window) else { return false }
      let end = end ?? now
      self.end = end
      guard version != window.version else { return false }
      let next = end + (end - start)
      guard next <= now else {
        nextStart = next
        return false
      }
    }
    restart()
    (version, start) = (window.version, now)
    return true
  }

  /// Returns the offset of the next page to be requested; nil while one is under way or if everything was read.
  mutating func nextOffset(_ window: ListWindow<some ListElement>, at now: MonotonicTime) -> Int? {
    if progress == .failed, let time = retry.time, time <= now {
      retry.begin()
      (progress, end) = (.idle, nil)
    }
    guard progress == .idle, read < window.length else { return nil }
    progress = .waiting
    return read
  }

  /// Takes over a page of `count` elements. Returns false for one of a reading that was started again.
  mutating func receive(_ count: Int, at offset: Int) -> Bool {
    if progress == .waiting { progress = .idle }
    guard offset == read, progress == .idle else { return false }
    retry.reset()
    read += count
    if count == 0 { progress = .ended }
    return true
  }

  /// Ends the reading, because no more elements are needed.
  mutating func finish() { progress = .ended }

  /// Interrupts the reading after an error.
  mutating func fail(_ error: ClientError, at now: MonotonicTime) {
    progress = .failed
    retry.fail(error, at: now)
  }

  /// Reads the list from the start at the next `begin`. The page of a request that is under way is dropped, unless it
  /// is the first one.
  mutating func restart() {
    if progress != .waiting { progress = .idle }
    (read, version, end, nextStart) = (0, nil, nil, nil)
    retry.reset()
  }

  /// Starts again without the request that is under way, because the connection to the daemon is lost.
  mutating func disconnect() {
    progress = .idle
    restart()
  }
}
