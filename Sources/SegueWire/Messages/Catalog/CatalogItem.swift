internal import SegueSystem

extension CatalogItem.Kind {
  /// The word for several items of the kind, such as `films`.
  public var plural: String {
    switch self {
    case .person: "people"
    case .song, .album, .artist, .film, .audiobook, .podcast, .episode, .station: rawValue + "s"
    }
  }
}

extension CatalogItem.Fact {
  public init(_ name: Name, _ value: String) { self.init(name: name, value: value) }
}

extension CatalogItem {
  /// The maximum size of a description, in bytes of UTF-8.
  public static let maximumDescriptionSize = 8 * 1024
  /// The maximum size of a URL, in bytes.
  public static let maximumURLSize = 4 * 1024
  /// The maximum number of facts.
  public static let maximumFactCount = 16

  /// The item within the limits. They are applied where responses of providers are parsed, and again in the daemon,
  /// which does not trust the process that parses them.
  ///
  /// Texts are limited to `Metadata.maximumTextSize` bytes, and genres to `Metadata.maximumValueCount`. URLs that are
  /// too long and numbers that are implausible are removed.
  public var bounded: CatalogItem {
    var bounded = self
    bounded.uri = uri.truncated(to: Metadata.maximumTextSize)
    bounded.title = title.truncated(to: Metadata.maximumTextSize)
    bounded.creator = creator?.truncated(to: Metadata.maximumTextSize)
    bounded.year = year.flatMap { (0...99_999).contains($0) ? $0 : nil }
    bounded.date = date?.truncated(to: Self.maximumWordSize)
    bounded.duration = duration.flatMap { (.zero ... .maximum).contains($0) ? $0 : nil }
    bounded.genres = genres.prefix(Metadata.maximumValueCount).map { $0.truncated(to: Self.maximumWordSize) }
    bounded.art = Self.bounded(url: art)
    bounded.description = description?.truncated(to: Self.maximumDescriptionSize)
    bounded.rating = rating?.bounded
    bounded.language = language?.truncated(to: Self.maximumWordSize)
    bounded.budget = budget.flatMap { $0 >= 0 ? $0 : nil }
    bounded.facts = facts.prefix(Self.maximumFactCount).map {
      Fact($0.name, $0.value.truncated(to: Metadata.maximumTextSize))
    }
    bounded.link = Self.bounded(url: link)
    bounded.provider = provider.truncated(to: Self.maximumWordSize)
    bounded.credit = credit?.truncated(to: Metadata.maximumTextSize)
    return bounded
  }

  /// The maximum size of a word such as the name of a genre or a language, in bytes of UTF-8.
  private static let maximumWordSize = 128

  /// A truncated URL would refer to something else.
  private static func bounded(url: String?) -> String? { url.flatMap { $0.utf8.count <= maximumURLSize ? $0 : nil } }
}

extension CatalogItem.Rating {
  fileprivate var bounded: CatalogItem.Rating {
    CatalogItem.Rating(
      value: value.flatMap { (0...10).contains($0) ? $0 : nil }, votes: votes.flatMap { $0 >= 0 ? $0 : nil },
      popularity: popularity.flatMap { (0...1e12).contains($0) ? $0 : nil })
  }
}
