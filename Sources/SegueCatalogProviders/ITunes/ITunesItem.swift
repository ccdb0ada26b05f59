internal import SegueSystem
internal import SegueWire

/// The items in responses of the Search API.
enum ITunesItem {
  /// Returns the item that a result describes; nil if its kind is unknown or it lacks its id or title.
  static func entry(_ json: JSON) -> CatalogEntry? {
    switch (json["wrapperType"]?.string, json["kind"]?.string) {
    case (_, "song"): song(json)
    case (_, "feature-movie"): film(json)
    case (_, "podcast"): podcast(json)
    case (_, "podcast-episode"): episode(json)
    case ("collection", _): json["collectionType"]?.string == "Album" ? album(json) : nil
    case ("audiobook", _): audiobook(json)
    case ("artist", _): artist(json)
    default: nil
    }
  }

  private static func song(_ json: JSON) -> CatalogEntry? {
    guard var item = item(json, .song, id: "trackId", title: "trackName", link: "trackViewUrl") else { return nil }
    item.duration = duration(json)
    item.addFact(.album, json.line("collectionName"))
    item.addFact(.track, json.positive("trackNumber").map(String.init))
    if let count = json.positive("discCount"), count > 1 {
      item.addFact(.disc, json.positive("discNumber").map(String.init))
    }
    addCommonFacts(json, &item, price: "trackPrice", explicitness: "trackExplicitness")
    return playable(item, json.url("previewUrl"))
  }

  private static func album(_ json: JSON) -> CatalogEntry? {
    guard var item = item(json, .album, id: "collectionId", title: "collectionName", link: "collectionViewUrl") else {
      return nil
    }
    let count = json.positive("trackCount")
    item.addFact(.tracks, count.map(String.init))
    addCommonFacts(json, &item, price: "collectionPrice", explicitness: "collectionExplicitness")
    // An album has no preview of its own. Its songs have.
    item.playable = true
    return CatalogEntry(item: item)
  }

  private static func artist(_ json: JSON) -> CatalogEntry? {
    guard let item = item(json, .artist, id: "artistId", title: "artistName", link: "artistLinkUrl") else { return nil }
    return CatalogEntry(item: item)
  }

  private static func film(_ json: JSON) -> CatalogEntry? {
    guard var item = item(json, .film, id: "trackId", title: "trackName", link: "trackViewUrl") else { return nil }
    item.duration = duration(json)
    item.description = json.plainText("longDescription") ?? json.plainText("shortDescription")
    addCommonFacts(json, &item, price: "trackPrice", explicitness: "trackExplicitness")
    return playable(item, json.url("previewUrl"))
  }

  private static func audiobook(_ json: JSON) -> CatalogEntry? {
    guard var item = item(json, .audiobook, id: "collectionId", title: "collectionName", link: "collectionViewUrl")
    else { return nil }
    item.description = json.plainText("description")
    item.addFact(.tracks, json.positive("trackCount").map(String.init))
    addCommonFacts(json, &item, price: "collectionPrice", explicitness: "collectionExplicitness")
    return playable(item, json.url("previewUrl"))
  }

  private static func podcast(_ json: JSON) -> CatalogEntry? {
    let link = json.url("collectionViewUrl") == nil ? "trackViewUrl" : "collectionViewUrl"
    guard var item = item(json, .podcast, id: "collectionId", title: "collectionName", link: link) else { return nil }
    item.description = json.plainText("description")
    item.addFact(.tracks, json.positive("trackCount").map(String.init))
    let feed = json.url("feedUrl")
    item.addFact(.feed, feed)
    addCommonFacts(json, &item, price: "collectionPrice", explicitness: "trackExplicitness")
    // A podcast without a feed has no episodes.
    item.playable = feed != nil
    return CatalogEntry(item: item)
  }

  private static func episode(_ json: JSON) -> CatalogEntry? {
    guard var item = item(json, .episode, id: "trackId", title: "trackName", link: "trackViewUrl") else { return nil }
    let podcast = json.line("collectionName")
    item.creator = item.creator ?? podcast
    item.duration = duration(json)
    item.description = json.plainText("description") ?? json.plainText("shortDescription")
    item.addFact(.podcast, podcast)
    addCommonFacts(json, &item, price: "trackPrice", explicitness: "trackExplicitness")
    return playable(item, json.url("episodeUrl") ?? json.url("previewUrl"))
  }

  // MARK: Members of several kinds

  private static func item(
    _ json: JSON, _ kind: CatalogItem.Kind, id: String, title: String, link: String
  ) -> CatalogItem? {
    guard let uri = CatalogItemURI(.itunes, kind, json.id(id)), let title = json.line(title) else { return nil }
    var item = CatalogItem(uri: uri.uri, kind: kind, title: title, provider: uri.scheme.rawValue)
    item.creator = kind == .artist ? nil : json.line("artistName")
    item.setDate(json.date("releaseDate"))
    item.genres = genres(json)
    item.art = artwork(json)
    item.link = json.url(link)
    item.credit = ITunesProvider.credit
    return item
  }

  /// The genres are a list of names, of objects with a name, or only a primary name. "Podcasts" is a genre of all
  /// podcasts.
  private static func genres(_ json: JSON) -> [String] {
    let listed = json.list("genres", limit: Metadata.maximumValueCount).compactMap { element in
      element.string.flatMap(CatalogText.line) ?? element.line("name")
    }
    let names = listed.isEmpty ? [json.line("primaryGenreName")].compactMap { $0 } : listed
    var known: Set<String> = ["Podcasts"]
    return names.filter { known.insert($0).inserted }
  }

  /// Returns the largest picture, resized to the medium size.
  private static func artwork(_ json: JSON) -> String? {
    for name in ["artworkUrl600", "artworkUrl160", "artworkUrl100", "artworkUrl60", "artworkUrl30"] {
      if let url = json.url(name) { return ITunesArtwork.url(url, size: .medium) }
    }
    return nil
  }

  private static func duration(_ json: JSON) -> MediaTime? {
    json.positive("trackTimeMillis").map { MediaTime(seconds: Double($0) / 1000) }
  }

  private static func addCommonFacts(_ json: JSON, _ item: inout CatalogItem, price: String, explicitness: String) {
    let word = json[explicitness]?.string
    item.addFact(.explicit, word == "explicit" || word == "cleaned" ? word : nil)
    let advisory = json.line("contentAdvisoryRating")
    item.addFact(.advisory, advisory == "Explicit" || advisory == "Clean" ? nil : advisory)
    item.addFact(.price, self.price(json[price]?.double, json.line("currency")))
    item.addFact(.copyright, json.line("copyright"))
  }

  /// Returns a price such as `9.99 USD`; nil for a negative price, which means that the item is not sold.
  static func price(_ amount: Double?, _ currency: String?) -> String? {
    guard let amount, let currency, (0..<1e9).contains(amount) else { return nil }
    let hundredths = Int((amount * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    return "\(whole).\(rest < 10 ? "0" : "")\(rest) \(currency)"
  }

  private static func playable(_ item: CatalogItem, _ stream: String?) -> CatalogEntry {
    var item = item
    item.playable = stream != nil
    return CatalogEntry(item: item, stream: stream)
  }
}
