internal import SegueSystem
internal import SegueWire

/// The entries of the charts, which are feeds converted to JSON: texts are members `label`, and attributes of XML are
/// members of `attributes`.
enum ITunesChart {
  /// Returns the item of an entry in the chart of a kind; nil if it lacks its id or title. In the chart of albums, the
  /// entry for the kind `artist` is the artist of the album.
  static func entry(_ json: JSON, _ kind: CatalogItem.Kind) -> CatalogEntry? {
    if kind == .artist { return artist(json) }
    let id = json["id"]?["attributes"]?.id("im:id")
    guard let uri = CatalogItemURI(.itunes, kind, id), let title = json["im:name"]?.line("label") else { return nil }
    var item = CatalogItem(uri: uri.uri, kind: kind, title: title, provider: uri.scheme.rawValue)
    item.creator = json["im:artist"]?.line("label")
    item.setDate(json["im:releaseDate"]?.date("label"))
    item.genres = [genre(json)].compactMap { $0 }
    item.art = artwork(json).map { ITunesArtwork.url($0, size: .medium) }
    item.description = json["summary"]?.plainText("label")
    item.link = link(json, "alternate") ?? json["id"]?.url("label")
    item.credit = ITunesProvider.credit
    if kind == .song { item.addFact(.album, json["im:collection"]?["im:name"]?.line("label")) }
    item.addFact(.tracks, json["im:itemCount"]?.id("label").map(String.init))
    let price = json["im:price"]?["attributes"]
    item.addFact(.price, ITunesItem.price(price?["amount"]?.string.flatMap(Double.init), price?.line("currency")))
    item.addFact(.copyright, json["rights"]?.line("label"))
    let stream = kind == .album || kind == .podcast ? nil : link(json, "enclosure")
    item.playable = stream != nil || kind == .album || kind == .podcast
    return CatalogEntry(item: item, stream: stream)
  }

  private static func artist(_ json: JSON) -> CatalogEntry? {
    let link = json["im:artist"]?["attributes"]?.url("href")
    guard let name = json["im:artist"]?.line("label"), let link,
      let uri = CatalogItemURI(.itunes, .artist, id(ofPage: link))
    else { return nil }
    var item = CatalogItem(uri: uri.uri, kind: .artist, title: name, provider: uri.scheme.rawValue)
    item.genres = [genre(json)].compactMap { $0 }
    item.link = link
    item.credit = ITunesProvider.credit
    return CatalogEntry(item: item)
  }

  /// Returns the id at the end of the path of a page: `…/artist/name/183313439?uo=2`, `…/artist/name/id183313439`.
  private static func id(ofPage url: String) -> Int64? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last ?? ""
    return Int64(last.hasPrefix("id") ? last.dropFirst(2) : last)
  }

  private static func genre(_ json: JSON) -> String? {
    let category = json["category"]?["attributes"]
    return category?.line("label") ?? category?.line("term")
  }

  /// Returns the URL of the first link with a relation (RFC 4287, 4.2.7.2).
  private static func link(_ json: JSON, _ relation: String) -> String? {
    json.list("link").lazy.compactMap { link in
      link["attributes"]?["rel"]?.string == relation ? link["attributes"]?.url("href") : nil
    }.first
  }

  /// Returns the URL of the highest picture.
  private static func artwork(_ json: JSON) -> String? {
    func height(_ image: JSON) -> Int64 { image["attributes"]?.id("height") ?? 0 }
    return json.list("im:image").max { height($0) < height($1) }?.url("label")
  }
}
