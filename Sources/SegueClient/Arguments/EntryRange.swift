/// Entries of the queue as people number them, from 1, both ends included.
struct EntryRange: Equatable {
  let first: Int
  /// nil: to the end.
  let last: Int?

  /// The whole queue.
  static let all = EntryRange(first: 1, last: nil)

  /// Beyond any queue, and far from overflow.
  static let highest = 1_000_000_000

  private init(first: Int, last: Int?) {
    self.first = first
    self.last = last
  }

  /// `N-M`, and `N` for that entry alone; where `open`, `N` and `N-` reach to the end. Throws what is wrong with it.
  init(parsing text: String, open: Bool = false) throws(ClientError) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    let example = open ? "like 5, 5-10 or 5-" : "like 5 or 5-10"
    guard (1...2).contains(ends.count), let first = Self.number(ends[0]) else {
      throw .usage("“\(text)” is no entry: entries are numbered from 1, \(example)")
    }
    self.first = first
    if ends.count == 1 {
      last = open ? nil : first
    } else if open, ends[1].isEmpty {
      last = nil
    } else {
      guard let last = Self.number(ends[1]) else {
        throw .usage("“\(text)” is no range: entries are numbered from 1, \(example)")
      }
      guard first <= last else { throw .usage("“\(text)” ends before it begins") }
      self.last = last
    }
  }

  /// A number of an entry: digits alone, 1 or more.
  static func number(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      let value = Int(text), (1...highest).contains(value)
    else { return nil }
    return value
  }
}
