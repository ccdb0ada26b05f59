/// The result of `chapters`.
public struct ChapterList: Equatable, JSONEncodable, JSONDecodable {
  public var uri: String
  /// The chapters, ordered by time; empty for a file without chapters.
  public var chapters: [Chapter]
  /// The index of the playing chapter, from 0; nil if no chapter is playing.
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
