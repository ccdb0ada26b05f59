public import SegueSystem

/// Where a part of a file begins, and what it is called.
public struct Chapter: Equatable, JSONEncodable, JSONDecodable {
  /// Empty where the file gives none.
  public var title: String
  public var start: MediaTime

  public init(title: String, start: MediaTime) {
    self.title = title
    self.start = start
  }

  /// The most of one file that are kept.
  public static let most = 512
  /// Of a title, and of all titles together, in bytes of UTF-8.
  private static let longestTitle = 256
  private static let longestTitles = 16 * 1024

  /// As many of `chapters` as are kept, in order of time.
  public static func bounded(_ chapters: [Chapter]) -> [Chapter] {
    var left = longestTitles
    return chapters.map { Chapter(title: $0.title, start: $0.start.clamped(to: .zero ... .maximum)) }
      .sorted { $0.start < $1.start }.prefix(most).map { chapter in
        let title = chapter.title.cut(to: min(longestTitle, left))
        left -= title.utf8.count
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
