/// The numbering of results while they are printed, which may be in several tables.
final class ResultNumbering {
  /// The results so far.
  private(set) var list: ResultList
  /// The number of the next result.
  private var next: Int

  init(first: Int = 1) {
    list = ResultList(first: first)
    next = first
  }

  /// Numbers a result and returns its number.
  func number(_ uri: String, _ title: String) -> Int {
    list.append(uri, title)
    defer { next += 1 }
    return next
  }
}
