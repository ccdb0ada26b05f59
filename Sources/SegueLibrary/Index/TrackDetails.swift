public import SegueLink
public import SegueWire

/// The facts about a track that are only read for one track at a time.
public struct TrackDetails: Equatable, Sendable {
  public var tags: TagDetails
  public var chapters: [Chapter]

  public init(tags: TagDetails = TagDetails(), chapters: [Chapter] = []) {
    self.tags = tags
    self.chapters = chapters
  }

  init(_ facts: FileFacts) { self.init(tags: facts.details, chapters: facts.chapters) }

  /// The details as JSON, or nil if they are empty.
  var text: String? {
    guard self != TrackDetails() else { return nil }
    var json = JSONWriter()
    json.beginObject()
    json.member("tags", tags)
    json.member("chapters", chapters)
    json.endObject()
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  init(text: String?) {
    self.init()
    guard let text, let json = try? JSON(parsing: text) else { return }
    if let tags = json["tags"] { self.tags = TagDetails(tags) }
    chapters = Chapter.bounded(json["chapters"]?.elements?.map(Chapter.init) ?? [])
  }
}
