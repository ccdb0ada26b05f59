internal import SegueSystem
internal import SegueWire

/// Members of the objects of providers. A member of another kind than expected is treated as missing.
extension JSON {
  /// Returns the text of a member as one line; nil if it is missing or empty.
  func line(_ name: String) -> String? { self[name]?.string.flatMap(CatalogText.line) }

  /// Returns the text of a member that may be HTML; nil if it is missing or empty.
  func plainText(_ name: String) -> String? { self[name]?.string.flatMap { HTMLText.plain($0) } }

  /// Returns the URL in a member; nil if it is missing or invalid.
  func url(_ name: String) -> String? { self[name]?.string.flatMap(RemoteURL.validated) }

  /// Returns the identifier in a member, which is a number or its digits; nil if it is missing or not positive.
  func id(_ name: String) -> Int64? {
    let id = self[name]?.integer ?? self[name]?.string.flatMap { Int64($0) }
    return id.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns the number in a member if it is positive: providers write 0 for an unknown number.
  func positive(_ name: String) -> Int64? { self[name]?.integer.flatMap { $0 > 0 ? $0 : nil } }

  /// Returns the date in a member, without a time.
  func date(_ name: String) -> String? { self[name]?.string.flatMap(CatalogText.date) }

  /// Returns the first elements of an array. An object in place of the array is its only element.
  func list(_ name: String, limit: Int = CatalogResult.maximumCount) -> [JSON] {
    guard let member = self[name] else { return [] }
    return member.kind == .object ? [member] : Array((member.elements ?? []).prefix(limit))
  }
}

extension CatalogItem {
  /// Adds a fact if its value is known.
  mutating func addFact(_ name: Fact.Name, _ value: String?) {
    if let value { facts.append(Fact(name, value)) }
  }

  /// Sets the date and its year.
  mutating func setDate(_ date: String?) {
    self.date = date
    year = date.flatMap(CatalogText.year)
  }
}
