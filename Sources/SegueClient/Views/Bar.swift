extension Style {
  /// A bar of which `share`, 0…1, is done.
  func bar(_ share: Double, columns: Int) -> String {
    let (on, off) = unicode ? ("━", "─") : ("=", "-")
    let (open, close) = unicode ? ("", "") : ("[", "]")
    let inside = columns - open.utf8.count - close.utf8.count
    let done = Int(share * Double(inside))
    return open + paint(String(repeating: on, count: done), .green)
      + paint(String(repeating: off, count: inside - done), .dim) + close
  }
}
