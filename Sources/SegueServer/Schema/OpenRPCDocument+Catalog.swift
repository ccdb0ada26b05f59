internal import SegueWire

extension OpenRPCDocument {
  /// The schemas of the objects of online catalogues.
  static let catalogSchemas: [(name: String, schema: Schema)] = [
    ("Item", item), ("CatalogPage", page), ("CatalogDetails", details),
    ("CatalogGenre", genre),
    ("CatalogGenreList", .object([.init("genres", .array(of: .named("CatalogGenre")))])),
    ("CatalogProvider", provider),
    ("CatalogProviderList", .object([.init("providers", .array(of: .named("CatalogProvider")))])),
  ]

  private static let kind = Schema.choice(of: Item.Kind.self)

  private static let item = Schema.object([
    .init("uri", .string, "For example itunes:song:ID."),
    .init("kind", kind),
    .init("title", .string),
    .init("creator", text, "The artist, author, director or publisher."),
    .init("year", number),
    .init("date", text, "The release date: YYYY-MM-DD, YYYY-MM or YYYY."),
    .init("duration", time, "Seconds, of the whole song, film or episode. A preview is shorter."),
    .init("genres", .array(of: .string)),
    .init("art", text, "The URL of a picture of medium size."),
    .init("description", text, "Plain text of several lines."),
    .init("rating", rating),
    .init("language", text, "An ISO 639 code such as en, or a name."),
    .init("budget", number, "US dollars."),
    .init(
      "facts", .array(of: .object([.init("name", .choice(of: Item.Fact.Name.self)), .init("value", .string)]))),
    .init("link", text, "The URL of the page of the item."),
    .init("playable", .boolean),
    .init("provider", .string, "The name of the provider."),
    .init("credit", text, "The attribution that the provider requires."),
    .init("favorite", .boolean),
  ])

  private static let rating = Schema.nullable(
    .object([
      .init("value", .nullable(.number(0...10)), "The average rating."),
      .init("votes", number, "The number of votes."),
      .init("popularity", .nullable(.number()), "Comparable only within a provider and a kind."),
    ]))

  private static let page = Schema.object([
    .init(
      "items", .array(of: .named("Item")),
      "A page ends early when it reaches 2 MiB. Items that the provider lists without a title, or for adults only, are "
        + "missing in it."),
    .init("total", number, "The length of the whole list; null if it is unknown."),
    .init("offset", .count),
    .init("limit", .count, "The maximum length of the page."),
    .init("provider", .string),
    .init("attribution", text, "The attribution that the provider requires for the list."),
    .init("stale", .boolean, "true: an outdated response from the cache; the provider could not be reached."),
    .init("age", time, "The age of a response from the cache in seconds; null if it was not in the cache."),
  ])

  private static let details = Schema.object([
    .init("item", .named("Item")),
    .init(
      "contents", .array(of: .named("Item")),
      "The songs of an album, the episodes of a podcast, the albums of an artist, the actors of a film, the films of an "
        + "actor. The page ends early when it reaches 2 MiB."),
    .init("total", number, "The number of all items that belong to the item."),
    .init("offset", .count),
    .init("limit", .count, "The maximum length of the page."),
    .init("attribution", text, "The attribution that the provider requires for the page."),
    .init("stale", .boolean, "true: an outdated response from the cache; the provider could not be reached."),
    .init("age", time, "The age of a response from the cache in seconds; null if it was not in the cache."),
  ])

  private static let genre = Schema.object([
    .init("id", .string), .init("name", .string, "In English."), .init("kind", kind), .init("provider", .string),
  ])

  private static let provider = Schema.object([
    .init("name", .string, "The scheme of the URIs of its items."),
    .init("title", .string, "The name for users."),
    .init("kinds", .array(of: kind), "The kinds that can be searched for."),
    .init("charts", .array(of: kind), "The kinds whose most popular items can be listed."),
    .init("attribution", text, "The attribution that the provider requires."),
    .init("link", .string, "The URL of its home page."),
    .init("error", text, "The reason why it cannot be used, such as a missing token."),
    .init("errorTemplate", errorTemplate),
  ])
}
