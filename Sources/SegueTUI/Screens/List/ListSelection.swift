internal import SegueSystem

/// The selected elements of a list, in the order in which they were selected. They are kept as they were then, because
/// the list keeps only the pages on the screen.
struct ListSelection<Element: ListElement> {
  /// Each element with its position in the order.
  private var selected: [Element.ID: (position: Int, element: Element)] = [:]
  private var next = 0

  var isEmpty: Bool { selected.isEmpty }
  var count: Int { selected.count }
  /// The selected elements, the first selected one first.
  var elements: [Element] { selected.values.sorted { $0.position < $1.position }.map(\.element) }

  func contains(_ id: Element.ID) -> Bool { selected[id] != nil }

  /// Selects an element, or deselects it if it is selected.
  mutating func toggle(_ element: Element) {
    guard selected.removeValue(forKey: element.id) == nil else { return }
    selected[element.id] = (next, element)
    next += 1
  }

  mutating func removeAll() { selected = [:] }

  /// Deselects the elements that do not satisfy a condition.
  mutating func keep(where isKept: (Element) -> Bool) { selected = selected.filter { isKept($0.value.element) } }
}

extension [MediaTime?] {
  /// The sum of durations; nil if all are unknown.
  var total: MediaTime? {
    let known = compactMap { $0 }
    return known.isEmpty ? nil : known.reduce(.zero, +)
  }
}
