extension Collection where Element: Equatable {
  /// Returns the range of the first occurrence of `pattern`; nil if there is none, or if `pattern` is empty. In a
  /// `String`, canonically equivalent characters are equal.
  ///
  /// The standard library's `firstRange(of:)` belongs to the module with the regular expressions, which a program that
  /// calls it loads at every start.
  @inlinable public func range<Pattern: Collection>(of pattern: Pattern) -> Range<Index>?
  where Pattern.Element == Element {
    guard !pattern.isEmpty else { return nil }
    var start = startIndex
    while start != endIndex {
      var (end, next) = (start, pattern.startIndex)
      while next != pattern.endIndex, end != endIndex, self[end] == pattern[next] {
        formIndex(after: &end)
        pattern.formIndex(after: &next)
      }
      if next == pattern.endIndex { return start..<end }
      // The rest is shorter than the pattern.
      if end == endIndex { return nil }
      formIndex(after: &start)
    }
    return nil
  }
}
