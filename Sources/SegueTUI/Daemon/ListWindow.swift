internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// An element of a list that a screen displays.
protocol ListElement: Identifiable {
  /// The URI by which the daemon knows the element.
  var uri: String { get }
  /// The texts that a filter searches.
  var filterText: String { get }
  /// Whether the identifier of the element contains its place in the list, so that it names another one after a change.
  var isIdentifiedByPlace: Bool { get }
}

extension QueueEntry: ListElement {
  var filterText: String { "\(title) \(artist) \(metadata.album ?? "")" }
  var isIdentifiedByPlace: Bool { false }
}

/// The limits of the lists of the daemon.
enum ListLimits {
  /// The number of elements of a page.
  static let pageLength = 64
  /// The number of elements that a filter reads at once.
  static let filterPageLength = 500
  /// The maximum length of a list. A greater one, which only a faulty daemon announces, is replaced by this one.
  private static let maximumLength = 1 << 31

  /// Returns a length in the range of valid lengths.
  static func limited(_ length: Int) -> Int { min(max(0, length), maximumLength) }
}

/// A part of a list that is requested at once.
enum ListRead: Equatable {
  /// A page for the screen.
  case page(Int)
  /// Elements that a filter searches, beginning at an offset. The number identifies the filter.
  case filterPage(offset: Int, filter: Int)

  var offset: Int {
    switch self {
    case .page(let number): number * ListLimits.pageLength
    case .filterPage(let offset, _): offset
    }
  }

  var limit: Int {
    switch self {
    case .page: ListLimits.pageLength
    case .filterPage: ListLimits.filterPageLength
    }
  }
}

/// The part of a list of the daemon that is displayed. It is read in pages when a screen needs them, and only the last
/// pages are kept, so that a list of a million elements takes no more memory than one of ten.
struct ListWindow<Element: ListElement> {
  /// The maximum number of pages that are kept, unless the screen displays more of them.
  private static var maximumPages: Int { 8 }

  /// A state of the elements: the version of the list, and the number of changes of facts about elements that have left
  /// the version as it was.
  private struct Revision: Equatable {
    var version: UInt64
    var facts: UInt64
  }

  private struct Page {
    var elements: [Element]
    var revision: Revision
  }

  /// The way in which the length of the list becomes known.
  enum LengthSource {
    /// The daemon announces it with every version.
    case announcements
    /// Each page states it. The first page is therefore also requested of an empty list.
    case pages
  }

  private let lengthSource: LengthSource
  private var pages: [Int: Page] = [:]
  /// The numbers of the pages, the last used one at the end.
  private var recent: [Int] = []
  /// The pages whose response has not arrived, with the revision of the list at the time of the request.
  private var requested: [Int: Revision] = [:]
  /// The pages whose request has failed in this version of the list.
  private var failed: Set<Int> = []
  private var retry = RequestRetry()
  private(set) var version: UInt64 = 0
  private var facts: UInt64 = 0
  private(set) var length = 0
  /// The version of the list that had the length.
  private var lengthVersion: UInt64 = 0
  /// Whether the length is known.
  private(set) var isLoaded = false

  init(lengthFrom source: LengthSource) { lengthSource = source }

  /// The time at which the failed pages are requested again; nil if that is not necessary.
  var nextRetry: MonotonicTime? { retry.time }

  private var revision: Revision { Revision(version: version, facts: facts) }

  /// Takes over a new state of the list. Pages of an earlier version are displayed until newer ones arrive.
  mutating func update(version: UInt64, length: Int) {
    update(version: version)
    setLength(length, of: version)
  }

  private mutating func setLength(_ length: Int, of version: UInt64) {
    (self.length, lengthVersion) = (ListLimits.limited(length), version)
    isLoaded = true
  }

  /// Takes over a new version of a list whose pages state its length.
  mutating func update(version: UInt64) {
    if version != self.version { forgetFailures() }
    self.version = version
  }

  /// Has the pages read again because facts about the elements have changed, but not the elements and their order.
  mutating func markFactsOutdated() {
    facts += 1
    forgetFailures()
  }

  /// Returns the element at an index; nil if it is not loaded.
  func element(at index: Int) -> Element? {
    guard 0..<length ~= index, let page = pages[index / ListLimits.pageLength] else { return nil }
    let offset = index % ListLimits.pageLength
    return offset < page.elements.count ? page.elements[offset] : nil
  }

  /// Returns what `read` finds in the element at an index; nil if the element is not loaded. The element, which has
  /// many members, is not copied.
  func member<Value>(at index: Int, _ read: (Element) -> Value?) -> Value? {
    guard 0..<length ~= index, let page = pages[index / ListLimits.pageLength] else { return nil }
    return page.elements.withUnsafeBufferPointer { elements in
      let offset = index % ListLimits.pageLength
      return offset < elements.count ? read(elements[offset]) : nil
    }
  }

  /// The elements that are loaded.
  var loadedElements: [Element.ID: Element] {
    Dictionary(pages.values.flatMap(\.elements).map { ($0.id, $0) }) { first, _ in first }
  }

  /// Returns the index of an element among those that are loaded in their current version.
  func loadedIndex(of id: Element.ID) -> Int? {
    for (number, page) in pages where page.revision.version == version {
      if let offset = page.elements.firstIndex(where: { $0.id == id }) {
        return number * ListLimits.pageLength + offset
      }
    }
    return nil
  }

  /// Whether the elements of a range are loaded in their current version. Facts about them may be outdated.
  func isCurrent(_ range: Range<Int>) -> Bool {
    pageNumbers(range).allSatisfy { pages[$0]?.revision.version == version }
  }

  /// Returns the numbers of the pages of a range that have to be requested because they are missing or outdated, and
  /// keeps the others.
  mutating func pagesToLoad(_ range: Range<Int>, at now: MonotonicTime) -> [Int] {
    if let nextRetry, nextRetry <= now {
      failed = []
      retry.begin()
    }
    var missing: [Int] = []
    let displayed = pageNumbers(range)
    for number in displayed {
      recent.removeAll { $0 == number }
      recent.append(number)
      guard pages[number]?.revision != revision, requested[number] == nil, !failed.contains(number) else { continue }
      requested[number] = revision
      missing.append(number)
    }
    while recent.count > max(Self.maximumPages, displayed.count) { pages[recent.removeFirst()] = nil }
    return missing
  }

  /// Takes over a page of the list in a version; nil stands for the version at the time of the request. Pages that are
  /// not needed any more are dropped.
  mutating func receive(page number: Int, _ elements: [Element], version: UInt64?, total: Int) {
    guard let requested = requested.removeValue(forKey: number) else { return }
    if failed.isEmpty { retry.reset() }
    // The response to a request that was sent after the last change is current, whatever its version is.
    let isCurrent = requested.version == self.version
    let received = version ?? requested.version
    if received >= self.version {
      update(version: received, length: total)
    } else if lengthSource == .pages, received >= lengthVersion {
      // A list that changes faster than its pages arrive is displayed, too.
      setLength(total, of: received)
    }
    if recent.contains(number) {
      let revision = Revision(version: isCurrent ? self.version : received, facts: requested.facts)
      pages[number] = Page(elements: elements, revision: revision)
    }
  }

  /// Takes over the length that a part of the list states which is no page.
  mutating func receive(total: Int) { setLength(total, of: lengthVersion) }

  /// Remembers that the request for a page has failed. It is repeated after some time if that may help, or when the
  /// list has changed.
  mutating func fail(page number: Int, _ error: ClientError, at now: MonotonicTime) {
    guard requested.removeValue(forKey: number) == revision else { return }
    failed.insert(number)
    retry.fail(error, at: now)
  }

  private mutating func forgetFailures() {
    failed = []
    retry.reset()
  }

  /// Keeps the loaded elements only until newer ones arrive, because the connection to the daemon is lost. The next
  /// daemon may use the same numbers for its versions.
  mutating func markOutdated() {
    requested = [:]
    forgetFailures()
    (version, lengthVersion) = (0, 0)
    for number in pages.keys { pages[number]?.revision.version = .max }
  }

  /// Returns the numbers of the pages of a range, as far as the list is known to have them.
  private func pageNumbers(_ range: Range<Int>) -> Range<Int> {
    let known =
      switch lengthSource {
      case .announcements: length
      case .pages: max(1, length)
      }
    let range = range.clamped(to: 0..<known)
    let length = ListLimits.pageLength
    return range.isEmpty ? 0..<0 : range.lowerBound / length..<(range.upperBound - 1) / length + 1
  }
}
