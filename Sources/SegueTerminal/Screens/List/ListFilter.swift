internal import SegueFrontend
internal import SegueSystem
internal import SegueUnicode

/// A filter of a list: the typed text and the elements that match it. It reads the list in pieces while the user types on, and
/// keeps only the matches.
struct ListFilter<Element: ListElement> {
  /// The maximum number of matches. More of them are of no use to a person.
  static var maximumMatches: Int { 2_000 }

  struct Match {
    /// The index in the list.
    let index: Int
    let element: Element
  }

  /// The state of the reading.
  private enum Reading: Equatable {
    /// No request is under way.
    case idle
    /// A request was sent in a version of the list.
    case waiting(version: UInt64?)
    /// The reading has ended before the announced length of the list.
    case stopped
  }

  /// Distinguishes the responses for this filter from those for earlier ones.
  let number: Int
  private(set) var field = TextField()
  /// Whether the text is being edited.
  var isEditing = true
  private(set) var matches: [Match] = []
  /// The matches in the new version of the list so far. They replace `matches` when the whole list was read, so that the list
  /// does not vanish after every change; nil if the matches are displayed as they are found.
  private var newMatches: [Match]?
  /// The number of elements that were read.
  private(set) var read = 0
  private var reading = Reading.idle
  /// The version of the list that is being read.
  private var version: UInt64?

  init(number: Int) { self.number = number }

  /// Returns whether elements are left to be read.
  func isReading(of window: ListWindow<Element>) -> Bool { reading != .stopped && read < window.length }

  var isFull: Bool { matches.count == Self.maximumMatches }

  /// The number of matches in the part of the list that was read.
  private var foundCount: Int { newMatches?.count ?? matches.count }

  /// Changes the text. If the text became longer, the matches are among the previous ones; otherwise, the list is read again.
  mutating func edit(_ change: (inout TextField) -> Bool) -> Bool {
    let before = words
    guard change(&field) else { return false }
    let after = words
    if after == before { return true }
    if zip(before, after).allSatisfy({ $1.containsSubstring($0) }), after.count >= before.count, !isFull,
      foundCount < Self.maximumMatches
    {
      matches = matches.filter { Self.matches($0.element, after) }
      newMatches = newMatches?.filter { Self.matches($0.element, after) }
    } else {
      matches = []
      newMatches = nil
      restart()
    }
    return true
  }

  /// Returns the next request; nil while one is under way or if everything was read.
  mutating func nextRead(of window: ListWindow<Element>) -> ListRead? {
    if let version, version != window.version {
      newMatches = []
      restart()
    }
    version = window.version
    guard isReading(of: window), foundCount < Self.maximumMatches else {
      if let newMatches, reading != .stopped { matches = newMatches }
      newMatches = nil
      return nil
    }
    guard reading == .idle else { return nil }
    reading = .waiting(version: version)
    return .filterPage(offset: read, filter: number)
  }

  /// Takes over elements that were read at an offset. Elements of a reading that was started again are dropped.
  mutating func receive(_ elements: [Element], at offset: Int) {
    let isCurrent = reading == .waiting(version: version)
    reading = .idle
    guard offset == read, isCurrent else { return }
    read += elements.count
    if elements.isEmpty { reading = .stopped }
    let words = words
    let found = elements.indices.lazy.filter { Self.matches(elements[$0], words) }
      .prefix(Self.maximumMatches - foundCount).map { Match(index: offset + $0, element: elements[$0]) }
    if newMatches == nil { matches += found } else { newMatches? += found }
  }

  /// Ends the reading after an error.
  mutating func stop() { reading = .stopped }

  /// Forgets the request that is under way, because the connection to the daemon is lost, and reads the list of the next
  /// daemon from the start.
  mutating func disconnect() {
    reading = .idle
    version = nil
    newMatches = []
    restart()
  }

  private mutating func restart() {
    read = 0
    if reading == .stopped { reading = .idle }
  }

  /// The words of the text, each of which must occur in a match.
  private var words: [String] { Self.folded(field.text).split(separator: " ").map(String.init) }

  private static func matches(_ element: Element, _ words: [String]) -> Bool {
    if words.isEmpty { return true }
    let text = folded(element.filterText)
    return words.allSatisfy(text.containsSubstring)
  }

  /// Returns a text in lower case and in one of the forms that Unicode has for it, with "е" in place of "ё".
  private static func folded(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in UnicodeNormalization.composed(text).lowercased().unicodeScalars {
      result.append(scalar == "ё" ? "е" : scalar)
    }
    return String(result)
  }
}
