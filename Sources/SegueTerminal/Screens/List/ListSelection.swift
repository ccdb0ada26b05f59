/// The selected elements of a list, in the order in which they were selected.
struct ListSelection<ID: Hashable> {
  /// The position of each element in the order.
  private var positions: [ID: Int] = [:]
  private var next = 0

  var isEmpty: Bool { positions.isEmpty }
  var count: Int { positions.count }
  /// The selected elements, the first selected one first.
  var ids: [ID] { positions.sorted { $0.value < $1.value }.map(\.key) }

  func contains(_ id: ID) -> Bool { positions[id] != nil }

  /// Selects an element, or deselects it if it is selected.
  mutating func toggle(_ id: ID) {
    guard positions.removeValue(forKey: id) == nil else { return }
    positions[id] = next
    next += 1
  }

  mutating func removeAll() { positions = [:] }

  /// Deselects the elements that do not satisfy a condition.
  mutating func keep(where isKept: (ID) -> Bool) { positions = positions.filter { isKept($0.key) } }
}
