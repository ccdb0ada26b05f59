internal import SegueSystem

extension String {
  /// Returns whether the string contains `part`.
  func holds(_ part: String) -> Bool { part.isEmpty || range(of: part) != nil }
}
