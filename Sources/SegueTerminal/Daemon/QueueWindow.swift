internal import SegueSystem
internal import SegueWire

/// The part of the queue that is displayed. It is read in pages when a screen needs them, and only the last pages are kept, so
/// that a queue of a million entries takes no more memory than one of ten.
struct QueueWindow {
  /// The number of entries of a page.
  static let pageLength = 64
  /// The maximum length of a queue. A greater one, which only a faulty daemon announces, is replaced by this one.
  private static let maximumLength = 1 << 31
  /// The maximum number of pages that are kept: those of a very high screen.
  private static let maximumPages = 8

  private struct Page {
    var tracks: [Track]
    var version: UInt64
  }

  private var pages: [Int: Page] = [:]
  /// The numbers of the pages, the last used one at the end.
  private var recent: [Int] = []
  /// The pages whose response has not arrived, with the version of the queue at the time of the request.
  private var requested: [Int: UInt64] = [:]
  /// The pages whose request has failed in this version of the queue.
  private var failed: Set<Int> = []
  /// The time at which the failed pages are requested again; nil if there are none.
  private(set) var nextRetry: MonotonicTime?
  private(set) var version: UInt64 = 0
  private(set) var length = 0

  /// Takes over a new state of the queue. Pages of an earlier version are displayed until newer ones arrive.
  mutating func update(version: UInt64, length: Int) {
    if version != self.version { forgetFailures() }
    self.version = version
    self.length = Self.limited(length)
  }

  /// Returns a length in the range of valid lengths.
  static func limited(_ length: Int) -> Int { min(max(0, length), maximumLength) }

  /// Returns the entry at an index; nil if it is not loaded.
  func track(at index: Int) -> Track? {
    guard 0..<length ~= index, let page = pages[index / Self.pageLength] else { return nil }
    let offset = index % Self.pageLength
    return offset < page.tracks.count ? page.tracks[offset] : nil
  }

  /// Returns the index of an entry among those that are loaded in their current version.
  func loadedIndex(of id: UInt64) -> Int? {
    for (number, page) in pages where page.version == version {
      if let offset = page.tracks.firstIndex(where: { $0.id == id }) { return number * Self.pageLength + offset }
    }
    return nil
  }

  /// Whether the entries of a range are loaded in their current version.
  func isCurrent(_ range: Range<Int>) -> Bool {
    Self.pageNumbers(range.clamped(to: 0..<length)).allSatisfy { pages[$0]?.version == version }
  }

  /// Returns the requests for the pages of a range that are missing or outdated, and keeps the others.
  mutating func callsToLoad(_ range: Range<Int>) -> [DaemonCall] {
    var calls: [DaemonCall] = []
    for number in Self.pageNumbers(range.clamped(to: 0..<length)) {
      recent.removeAll { $0 == number }
      recent.append(number)
      guard pages[number]?.version != version, requested[number] == nil, !failed.contains(number) else { continue }
      requested[number] = version
      calls.append(.page(number))
    }
    while recent.count > Self.maximumPages { pages[recent.removeFirst()] = nil }
    return calls
  }

  /// Takes over a page. Pages that are not needed any more are dropped.
  mutating func receive(page number: Int, _ tracks: [Track], version: UInt64, total: Int) {
    let isCurrent = requested.removeValue(forKey: number) == self.version
    if version >= self.version { update(version: version, length: total) }
    // The response to a request that was sent after the last change is current, whatever its version is.
    let version = isCurrent ? self.version : version
    if recent.contains(number) { pages[number] = Page(tracks: tracks, version: version) }
  }

  /// Remembers that the request for a page has failed. It is repeated after a second, or when the queue has changed.
  mutating func fail(page number: Int, at now: MonotonicTime) {
    guard requested.removeValue(forKey: number) == version else { return }
    failed.insert(number)
    nextRetry = nextRetry ?? now + .seconds(1)
  }

  /// Permits requests for failed pages again if it is time to do so.
  mutating func permitRetries(at now: MonotonicTime) {
    if let nextRetry, nextRetry <= now { forgetFailures() }
  }

  private mutating func forgetFailures() {
    failed = []
    nextRetry = nil
  }

  /// Keeps the loaded entries only until newer ones arrive, because the connection to the daemon is lost. The next daemon may
  /// use the same numbers for its versions.
  mutating func markOutdated() {
    requested = [:]
    forgetFailures()
    version = 0
    for number in pages.keys { pages[number]?.version = .max }
  }

  private static func pageNumbers(_ range: Range<Int>) -> Range<Int> {
    range.isEmpty ? 0..<0 : range.lowerBound / pageLength..<(range.upperBound - 1) / pageLength + 1
  }
}
