internal import SegueClientKit

/// The first line of a list while a filter is active: its text, and facts about the matches on the right.
enum FilterLine {
  static func draw(
    _ frame: inout TerminalFrame, _ field: TextField, isEditing: Bool, _ facts: String, _ state: SharedState
  ) {
    let start = 1 + frame.grid.write("/", row: 0, column: 1, look: .bold)
    let width = max(8, state.size.columns - facts.count - 6)
    frame.write(field, row: 0, column: start, width: width, isEditing: isEditing)
    frame.grid.write(facts, row: 0, endingAt: state.size.columns - 1, look: .dim)
  }

  /// Returns how many elements of the list match, or how much of it was searched so far.
  static func facts<Element>(_ filter: ListFilter<Element>, in window: ListWindow<Element>) -> String {
    let matches = filter.matches.count
    if filter.isFull { return tr("the first %1$d matches", matches) }
    if filter.isReading(of: window), window.length > ListLimits.filterPageLength {
      return tr("searching: %1$d of %2$d", filter.read, window.length)
    }
    return tr("%1$d of %2$d", matches, window.length)
  }
}
