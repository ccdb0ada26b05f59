public import SegueSystem

/// A chapter of a file.
public struct Chapter: Equatable, JSONEncodable, JSONDecodable {
  /// The title; empty if the file does not state one.
  public var title: String
  public var start: MediaTime

  public init(title: String, start: MediaTime) {
    self.title = title
    self.start = start
  }

  /// The maximum number of chapters of a file.
  public static let maximumCount = 512
  /// The maximum size of a title, in bytes of UTF-8.
  private static let maximumTitleSize = 256
  /// The maximum size of all titles of a file together, in bytes of UTF-8.
  private static let maximumTotalTitleSize = 16 * 1024

  /// Returns `chapters` within these limits, ordered by time.
  public static func bounded(_ chapters: [Chapter]) -> [Chapter] {
    var remaining = maximumTotalTitleSize
    return chapters.map { Chapter(title: $0.title, start: $0.start.clamped(to: .zero ... .maximum)) }
      .sorted { $0.start < $1.start }.prefix(maximumCount).map { chapter in
        let title = chapter.title.truncated(to: min(maximumTitleSize, remaining))
        remaining -= title.utf8.count
        return Chapter(title: title, start: chapter.start)
      }
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("title", title)
    json.member("start", start)
    json.endObject()
  }

  public init(_ json: JSON) {
    title = json["title"]?.string ?? ""
    start = json["start"]?.time ?? .zero
  }
}

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
