extension String {
  /// Whether `part` is in it. The standard library's `contains` brings all of Regex along, for which every start would pay.
  func holds(_ part: String) -> Bool { part.isEmpty || indices.contains { self[$0...].hasPrefix(part) } }
}
