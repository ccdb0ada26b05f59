internal import SegueFrontend
internal import SegueSystem
internal import SegueUnicode
internal import SegueWire

/// A filter of the queue: the typed text and the entries that match it. It reads the queue in pieces while the user types on,
/// and keeps only the matches.
struct QueueFilter {
  /// The maximum number of matches. More of them are of no use to a person.
  static let maximumMatches = 2_000

  /// The state of the reading.
  private enum Reading: Equatable {
    /// No request is under way.
    case idle
    /// A request was sent in a version of the queue.
    case waiting(version: UInt64?)
    /// The reading has ended before the announced length of the queue.
    case stopped
  }

  /// Distinguishes the responses for this filter from those for earlier ones.
  let number: Int
  private(set) var field = TextField()
  /// Whether the text is being edited.
  var isEditing = true
  private(set) var matches: [Track] = []
  /// The matches in the new version of the queue so far. They replace `matches` when the whole queue was read, so that the list
  /// does not vanish after every change; nil if the matches are displayed as they are found.
  private var newMatches: [Track]?
  /// The number of entries that were read.
  private(set) var read = 0
  private var reading = Reading.idle
  /// The version of the queue that is being read.
  private var version: UInt64?

  init(number: Int) { self.number = number }

  /// Returns whether entries are left to be read.
  func isReading(of queue: QueueWindow) -> Bool { reading != .stopped && read < queue.length }

  var isFull: Bool { matches.count == Self.maximumMatches }

  /// The number of matches in the part of the queue that was read.
  private var foundCount: Int { newMatches?.count ?? matches.count }

  /// Changes the text. If the text became longer, the matches are among the previous ones; otherwise, the queue is read again.
  mutating func edit(_ change: (inout TextField) -> Bool) -> Bool {
    let before = words
    guard change(&field) else { return false }
    let after = words
    if after == before { return true }
    if zip(before, after).allSatisfy({ $1.containsSubstring($0) }), after.count >= before.count, !isFull,
      foundCount < Self.maximumMatches
    {
      matches = matches.filter { Self.matches($0, after) }
      newMatches = newMatches?.filter { Self.matches($0, after) }
    } else {
      matches = []
      newMatches = nil
      restart()
    }
    return true
  }

  /// Returns the next request, or none while one is under way or if everything was read.
  mutating func callsToRead(_ queue: QueueWindow) -> [DaemonCall] {
    if let version, version != queue.version {
      newMatches = []
      restart()
    }
    version = queue.version
    guard isReading(of: queue), foundCount < Self.maximumMatches else {
      if let newMatches, reading != .stopped { matches = newMatches }
      newMatches = nil
      return []
    }
    guard reading == .idle else { return [] }
    reading = .waiting(version: version)
    return [.filterPage(offset: read, filter: number)]
  }

  /// Takes over entries that were read at an offset. Entries of a reading that was started again are dropped.
  mutating func receive(_ page: QueuePage, at offset: Int) {
    let isCurrent = reading == .waiting(version: version)
    reading = .idle
    guard offset == read, isCurrent else { return }
    read += page.tracks.count
    if page.tracks.isEmpty { reading = .stopped }
    let words = words
    let found = page.tracks.lazy.filter { Self.matches($0, words) }.prefix(Self.maximumMatches - foundCount)
    if newMatches == nil { matches += found } else { newMatches? += found }
  }

  /// Ends the reading after an error.
  mutating func stop() { reading = .stopped }

  /// Forgets the request that is under way, because the connection to the daemon is lost, and reads the queue of the next
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

  private static func matches(_ track: Track, _ words: [String]) -> Bool {
    if words.isEmpty { return true }
    let text = folded("\(track.title) \(track.artist) \(track.metadata.album ?? "")")
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

extension QueuePage {
  /// Creates the page of a response to `list`.
  init(_ json: JSON) {
    self.init(
      tracks: json["tracks"]?.elements?.map { Track($0) } ?? [], total: json["total"]?.int ?? 0,
      offset: json["offset"]?.int ?? 0, version: UInt64(clamping: json["version"]?.integer ?? 0))
  }
}
