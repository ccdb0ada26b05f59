internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode

/// A filter of a list: the typed text and the elements that match it. It reads the list in pieces while the user types
/// on, and keeps only the matches.
struct ListFilter<Element: ListElement> {
  /// The maximum number of matches. More of them are of no use to a person.
  static var maximumMatches: Int { 2_000 }

  struct Match {
    /// The index in the list.
    let index: Int
    let element: Element
  }

  /// Distinguishes the responses for this filter from those for earlier ones.
  let number: Int
  private(set) var field = TextField()
  /// Whether the text is being edited.
  var isEditing = true
  private(set) var matches: [Match] = []
  /// The matches in the new version of the list so far. They replace `matches` when the whole list was read, so that
  /// the list does not vanish after every change; nil if the matches are displayed as they are found.
  private var newMatches: [Match]?
  private var reading = ListReading()
  /// The error of the last request; nil if it has succeeded.
  private(set) var failure: ClientError?

  init(number: Int) { self.number = number }

  /// The number of elements that were read.
  var read: Int { reading.read }
  /// The time at which the list is read again; nil if that is not necessary.
  var nextReading: MonotonicTime? { reading.nextRequest }

  /// Returns whether more matches may be found, apart from those of later changes of the list.
  func isReading(of window: ListWindow<Element>) -> Bool {
    newMatches == nil && (reading.hasFailed || !reading.isComplete(window))
  }

  /// Returns whether the matches are those of the current version of the list.
  func isCurrent(_ window: ListWindow<Element>) -> Bool { newMatches == nil && reading.isCurrent(window) }

  var isFull: Bool { matches.count == Self.maximumMatches }

  /// The number of matches in the part of the list that was read.
  private var foundCount: Int { newMatches?.count ?? matches.count }

  /// Changes the text. If the text became longer, the matches are among the previous ones; otherwise, the list is read
  /// again.
  mutating func edit(_ change: (inout TextField) -> Bool) -> Bool {
    let before = words
    guard change(&field) else { return false }
    let after = words
    if after == before { return true }
    if zip(before.words, after.words).allSatisfy({ $1.containsSubstring($0) }),
      after.words.count >= before.words.count, !isFull,
      foundCount < Self.maximumMatches, failure == nil
    {
      matches = matches.filter { Self.matches($0.element, after) }
      newMatches = newMatches?.filter { Self.matches($0.element, after) }
    } else {
      matches = []
      (newMatches, failure) = (nil, nil)
      reading.restart()
    }
    return true
  }

  /// Returns the next request; nil while one is under way or if everything was read.
  mutating func nextRead(of window: ListWindow<Element>, at now: MonotonicTime) -> ListRead? {
    if foundCount == Self.maximumMatches { reading.finish() }
    if reading.isComplete(window) {
      if !reading.hasFailed {
        matches = newMatches ?? matches
        newMatches = nil
      }
      if reading.begin(window, at: now) { newMatches = [] }
    } else {
      _ = reading.begin(window, at: now)
    }
    return reading.nextOffset(window, at: now).map { .filterPage(offset: $0, filter: number) }
  }

  /// Takes over elements that were read at an offset. Elements of a reading that was started again are dropped.
  mutating func receive(_ elements: [Element], at offset: Int) {
    guard reading.receive(elements.count, at: offset) else { return }
    failure = nil
    let words = words
    // Elements that move while the list is read may be read twice.
    let known = Set((newMatches ?? matches).map(\.element.id))
    let found = elements.indices.lazy
      .filter { Self.matches(elements[$0], words) && !known.contains(elements[$0].id) }
      .prefix(Self.maximumMatches - foundCount).map { Match(index: offset + $0, element: elements[$0]) }
    if newMatches == nil { matches += found } else { newMatches? += found }
  }

  /// Removes elements from the matches, which have left the list.
  mutating func remove(where isRemoved: (Element) -> Bool) {
    matches.removeAll { isRemoved($0.element) }
    newMatches?.removeAll { isRemoved($0.element) }
  }

  /// Interrupts the reading after an error. The request is repeated if that may help.
  mutating func fail(_ error: ClientError, at now: MonotonicTime) {
    reading.fail(error, at: now)
    failure = error
  }

  /// Reads the list of the next daemon from the start, because the connection to the daemon is lost.
  mutating func disconnect() {
    reading.disconnect()
    (newMatches, failure) = ([], nil)
  }

  /// The words of the text, each of which must occur in a match.
  private var words: SearchWords { SearchWords(field.text) }

  private static func matches(_ element: Element, _ words: SearchWords) -> Bool { words.occur(in: element.filterText) }
}
