internal import SegueFrontend
internal import SegueWire

/// The options `--sort`, `--reverse` and `--limit` of a list of the library.
struct ListOrder {
  /// The order in which items are random. It is another one for each page of a list, so that only one page is read.
  private static let random = "random"
  /// The number of items in random order, unless `--limit` is given.
  private static let randomLimit = 50
  private static let maximumRandomLimit = 1_000
  /// The orders in which the greatest values come first: the newest and the best.
  private static let descending: Set<String> = ["year", "added", "rating", "date"]

  /// The sort key; nil for the standard order of the list.
  private let sort: String?
  private let isReversed: Bool
  /// The maximum number of items.
  let limit: Int

  /// Reads the options. `keys` are the sort keys of the list; there are none if it has a single order. `word` is a sort key
  /// that an argument gives instead of the option.
  init(_ options: Options, keys: [String], word: String? = nil) throws(ClientError) {
    var (sort, limit) = (word, Int?.none)
    for option in options.verbOptions {
      if case .sort(let key) = option { sort = key }
      if case .limit(let number) = option { limit = number }
    }
    if let sort, !keys.contains(sort) {
      throw .usage(
        tr("invalid order “%1$s”: use one of %2$s", sort, keys.joined(separator: ", ")),
        hints: SpellingSuggestion.nearest(to: sort, among: keys).map { [tr("did you mean %1$s?", $0)] } ?? [])
    }
    if sort == Self.random, let limit, limit > Self.maximumRandomLimit {
      throw .usage(
        tr(
          "invalid value “%1$s” for %2$s: use a number from %3$d to %4$d", "\(limit)", "--limit", 1,
          Self.maximumRandomLimit))
    }
    self.sort = sort
    self.limit = limit ?? (sort == Self.random ? Self.randomLimit : .max)
    isReversed = options.isGiven(.reverse)
  }

  /// Encodes the parameters `sort` and `order`. `standard` is the order without `--sort`, if it is not that of the method.
  func encode(into json: inout JSONWriter, standard: String? = nil) {
    if let sort = sort ?? standard { json.member("sort", sort) }
    let isDescending = sort.map(Self.descending.contains) ?? false
    if isDescending != isReversed {
      json.member("order", "descending")
    } else if isDescending {
      json.member("order", "ascending")
    }
  }
}
