/// A provider of an online catalogue (segue-ipc(7), `CatalogProvider`).
public struct CatalogProviderInfo: Equatable, JSONEncodable, JSONDecodable {
  /// The stable name, such as `itunes`, with which the URIs of its items begin.
  public var name: String
  /// The name for users, such as `iTunes`.
  public var title: String
  /// The kinds of items that can be searched for.
  public var kinds: [Item.Kind]
  /// The kinds of items whose most popular ones can be listed.
  public var charts: [Item.Kind]
  /// The attribution that the provider requires.
  public var attribution: String?
  /// The URL of its home page.
  public var link: String
  /// The reason why the provider cannot be used, such as a missing token; nil if it can.
  public var error: LocalizableMessage?

  public init(
    name: String, title: String, kinds: [Item.Kind], charts: [Item.Kind], attribution: String?, link: String,
    error: LocalizableMessage?
  ) {
    self.name = name
    self.title = title
    self.kinds = kinds
    self.charts = charts
    self.attribution = attribution
    self.link = link
    self.error = error
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    json.member("title", title)
    json.member("kinds", kinds.map(\.rawValue))
    json.member("charts", charts.map(\.rawValue))
    json.member("attribution", attribution)
    json.member("link", link)
    json.errorMembers(error)
    json.endObject()
  }

  public init(_ json: JSON) {
    name = json["name"]?.string ?? ""
    title = json["title"]?.string ?? ""
    kinds = json.strings("kinds").compactMap(Item.Kind.init)
    charts = json.strings("charts").compactMap(Item.Kind.init)
    attribution = json["attribution"]?.string
    link = json["link"]?.string ?? ""
    error = LocalizableMessage(errorOf: json)
  }
}

/// The providers (segue-ipc(7), `CatalogProviderList`).
public struct CatalogProviderList: Equatable, JSONEncodable, JSONDecodable {
  public var providers: [CatalogProviderInfo]

  public init(providers: [CatalogProviderInfo]) { self.providers = providers }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("providers", providers)
    json.endObject()
  }

  public init(_ json: JSON) { providers = json.list("providers") }
}
