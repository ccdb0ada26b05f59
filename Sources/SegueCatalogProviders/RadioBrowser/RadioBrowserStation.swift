internal import SegueWire

/// The stations in responses of Radio Browser.
enum RadioBrowserStation {
  /// Returns the station that an element of a list describes; nil if it lacks its UUID or name.
  static func entry(_ json: JSON) -> CatalogEntry? {
    guard let uuid = json["stationuuid"]?.string, let uri = CatalogItemURI(station: uuid), let name = json.line("name")
    else { return nil }
    var item = CatalogItem(uri: uri.uri, kind: .station, title: name, provider: uri.scheme.rawValue)
    item.genres = tags(json)
    item.art = json.url("favicon")
    item.language = first(json, "languagecodes") ?? first(json, "language")
    item.rating = rating(json)
    item.addFact(.country, json.line("countrycode") ?? json.line("country"))
    let codec = json.line("codec")
    item.addFact(.codec, codec == "UNKNOWN" ? nil : codec)
    item.addFact(.bitrate, json.positive("bitrate").map(String.init))
    item.link = json.url("homepage")
    // The resolved URL is that of the stream even if the station names a playlist.
    let stream = json.url("url_resolved") ?? json.url("url")
    item.playable = stream != nil
    return CatalogEntry(item: item, stream: stream)
  }

  private static let maximumTagCount = 16

  private static func tags(_ json: JSON) -> [String] {
    var known: Set<String> = []
    let tags = json["tags"]?.string?.split(separator: ",", maxSplits: 256) ?? []
    let clean = tags.prefix(256).compactMap { CatalogText.line(String($0)) }
    return Array(clean.filter { known.insert($0).inserted }.prefix(maximumTagCount))
  }

  /// Returns the first element of a list that is separated by commas.
  private static func first(_ json: JSON, _ name: String) -> String? {
    json.line(name)?.split(separator: ",").first.flatMap { CatalogText.line(String($0)) }
  }

  private static func rating(_ json: JSON) -> CatalogItem.Rating? {
    let rating = CatalogItem.Rating(votes: json["votes"]?.int, popularity: json["clickcount"]?.double)
    return rating == CatalogItem.Rating() ? nil : rating
  }
}
