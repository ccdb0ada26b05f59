/// A genre and the number of its tracks.
public struct Genre: Equatable, JSONEncodable, JSONDecodable {
  public var name: String
  /// The URI, `segue:genre/NAME`, percent-encoded.
  public var uri: String
  public var trackCount: Int

  public init(name: String, uri: String, trackCount: Int) {
    self.name = name
    self.uri = uri
    self.trackCount = trackCount
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    json.member("uri", uri)
    json.member("trackCount", trackCount)
    json.endObject()
  }

  public init(_ json: JSON) {
    name = json["name"]?.string ?? ""
    uri = json["uri"]?.string ?? ""
    trackCount = json["trackCount"]?.int ?? 0
  }
}
