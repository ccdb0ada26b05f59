/// A genre by which the popular items of a provider can be limited (segue-ipc(7), `CatalogGenre`).
public struct CatalogGenre: Equatable, JSONEncodable, JSONDecodable {
  /// The identifier at the provider.
  public var id: String
  /// The English name.
  public var name: String
  public var kind: Item.Kind
  /// The name of the provider.
  public var provider: String

  public init(id: String, name: String, kind: Item.Kind, provider: String) {
    self.id = id
    self.name = name
    self.kind = kind
    self.provider = provider
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    json.member("name", name)
    json.member("kind", kind.rawValue)
    json.member("provider", provider)
    json.endObject()
  }

  public init(_ json: JSON) {
    id = json["id"]?.string ?? ""
    name = json["name"]?.string ?? ""
    kind = json["kind"]?.string.flatMap(Item.Kind.init) ?? .song
    provider = json["provider"]?.string ?? ""
  }
}

/// The genres of one kind of item (segue-ipc(7), `CatalogGenreList`).
public struct CatalogGenreList: Equatable, JSONEncodable, JSONDecodable {
  public var genres: [CatalogGenre]

  public init(genres: [CatalogGenre]) { self.genres = genres }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    var room = ResponseLimits.listBytes
    json.member("genres", genres, within: &room)
    json.endObject()
  }

  public init(_ json: JSON) { genres = json.list("genres") }
}
