/// The answer of `chapters`: the parts of a file, in order of time.
public struct ChapterList: Equatable, JSONEncodable, JSONDecodable {
  public var uri: String
  /// Empty for a file that has none.
  public var chapters: [Chapter]
  /// Which of them is heard, from 0; nil if none is.
  public var current: Int?

  public init(uri: String, chapters: [Chapter], current: Int?) {
    self.uri = uri
    self.chapters = chapters
    self.current = current
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("uri", uri)
    json.member("chapters", chapters)
    json.member("current", current)
    json.endObject()
  }

  public init(_ json: JSON) {
    uri = json["uri"]?.string ?? ""
    chapters = json.list("chapters")
    current = json["current"]?.int
  }
}
