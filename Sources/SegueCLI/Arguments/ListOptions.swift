internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

/// The options `--sort`, `--reverse` and `--limit` of a list of the library.
struct ListOptions {
  /// The random order. Each page has another one, so that a list consists of a single page.
  private static let random = "random"
  /// The number of items in random order, unless `--limit` is given.
  private static let randomLimit = 50
  private static let maximumRandomLimit = 1_000
  /// The orders in which the greatest values come first: the newest and the best.
  private static let descending: Set<String> = ["year", "added", "rating", "date"]

  /// The sort key; nil for the standard order of the list.
  private let sort: String?
  /// The sort key of the standard order.
  private let standard: String
  private let isReversed: Bool
  /// The maximum number of items.
  let limit: Int

  /// Reads the options. `keys` are the sort keys of the list; there are none if it has a single order. `standard` is
  /// the key of the standard order, and `word` is a sort key that an argument gives instead of the option.
  init(_ options: Options, keys: [String], standard: String, word: String? = nil) throws(ClientError) {
    self.standard = standard
    var (sort, limit) = (word, Int?.none)
    for option in options.verbOptions {
      if case .sort(let key) = option { sort = key }
      if case .limit(let number) = option { limit = number }
    }
    // The release is called date in files, and year in the library.
    if sort == "date", !keys.contains("date"), keys.contains("year") { sort = "year" }
    if let sort, !keys.contains(sort) {
      throw .usage(
        tr("invalid order “%1$s”: use one of %2$s", sort, keys.joined(separator: ", ")),
        hints: EditDistance.nearest(to: sort, in: keys).map { [tr("did you mean %1$s?", $0)] } ?? [])
    }
    if sort == Self.random, let limit, limit > Self.maximumRandomLimit {
      throw VerbOption.invalidNumber("\(limit)", .limit, in: 1...Self.maximumRandomLimit)
    }
    self.sort = sort
    self.limit = limit ?? (sort == Self.random ? Self.randomLimit : .max)
    isReversed = options.isGiven(.reverse)
  }

  /// Returns the sort key that was given, or else `standard`.
  func key<Key: RawRepresentable<String>>(or standard: Key) -> Key { sort.flatMap(Key.init) ?? standard }

  /// The direction of the order; nil for the standard one of the method.
  var direction: SortOrder? {
    let isDescending = Self.descending.contains(sort ?? standard)
    if isReversed { return isDescending ? .ascending : .descending }
    return isDescending && sort != nil ? .descending : nil
  }

  /// Throws a usage error if the order of search results by relevance is to be reversed.
  func requireSort() throws(ClientError) {
    if isReversed, sort == nil { throw .usage(tr("%1$s requires %2$s", "--reverse", "--sort")) }
  }
}
