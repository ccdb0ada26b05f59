internal import SegueSystem
internal import SegueWire

/// The text of a search, with the last searches that contain it as hints, and with suggestions while it is typed.
struct SearchField {
  /// The time without a key after which suggestions are requested, so that they do not follow every letter.
  private static let suggestionDelay = MediaTime.milliseconds(200)

  /// Something for which the daemon is asked: the completions of a text.
  struct Request: Equatable {
    let source: SuggestionSource
    let text: String
  }

  private(set) var field = TextField()
  private(set) var hints: [String] = []
  private(set) var suggestions: [SearchCompletion] = []
  /// The index of the chosen hint or suggestion; nil if the text itself is searched.
  private(set) var choice: Int?
  /// The last request, whose response is awaited or has arrived. Other responses are dropped.
  private var request: Request?
  /// The time at which suggestions for the text are requested.
  private(set) var suggestionTime: MonotonicTime?

  /// The rows below the field: hints, and then suggestions.
  var rows: [SearchCompletion] { hints.map { SearchCompletion(text: $0) } + suggestions }
  /// The text that Enter searches.
  var chosenText: String { chosenRow ?? field.text }
  private var chosenRow: String? { choice.flatMap { rows.indices.contains($0) ? rows[$0].text : nil } }

  /// Handles a key of the text. Returns false if the key has no function.
  mutating func handle(_ key: Key, at now: MonotonicTime) -> Bool {
    switch key.code {
    case .down: move(by: 1)
    case .up: move(by: -1)
    default:
      let before = field.text
      guard field.handle(key) else { return false }
      if field.text != before { textChanged(at: now) }
    }
    return true
  }

  mutating func paste(_ text: String, at now: MonotonicTime) {
    field.insert(text)
    textChanged(at: now)
  }

  /// Replaces the text by the one that is searched.
  mutating func take(_ text: String) {
    field = TextField()
    field.insert(text)
    (hints, suggestions, choice, suggestionTime) = ([], [], nil, nil)
  }

  mutating func choose(_ row: Int) { choice = rows.indices.contains(row) ? row : nil }

  private mutating func move(by step: Int) {
    let next = (choice ?? -1) + step
    choice = next < 0 ? nil : min(next, rows.count - 1)
    if rows.isEmpty { choice = nil }
  }

  /// Has hints and suggestions requested again, for example because another tab is searched.
  mutating func textChanged(at now: MonotonicTime) {
    request = nil
    choice = nil
    suggestions = []
    suggestionTime = field.isEmpty ? nil : now + Self.suggestionDelay
  }

  /// Returns the calls for hints, and for suggestions once their time has come.
  mutating func prepare(_ source: SuggestionSource?, at now: MonotonicTime) -> [DaemonCall] {
    guard let source else {
      (hints, suggestions, choice) = ([], [], nil)
      return []
    }
    let wanted = Request(source: source, text: field.text)
    var calls: [DaemonCall] = []
    if request != wanted {
      request = wanted
      calls.append(.hints(wanted))
    }
    if let time = suggestionTime, time <= now {
      suggestionTime = nil
      if source.isLongEnough(field.text) { calls.append(.suggestions(wanted)) }
    }
    return calls
  }

  /// Takes over hints and suggestions for the text. Those for an earlier text, and errors, are dropped.
  mutating func receive(_ call: DaemonCall, _ result: CallResult) {
    guard case .success(let response) = result else { return }
    let chosen = chosenRow
    switch call {
    case .hints(let answered) where answered == request: hints = (response as? SearchList)?.searches ?? []
    case .suggestions(let answered) where answered == request:
      var seen = Set(hints)
      suggestions = SuggestionSource.suggestions(in: response).filter { seen.insert($0.text).inserted }
    default: return
    }
    choice = chosen.flatMap { chosen in rows.firstIndex { $0.text == chosen } }
  }

  /// Has the next daemon be asked again.
  mutating func disconnect() { request = nil }
}
