public import SegueWire

/// All that a worker tells the library of one file.
public struct FileFacts: Equatable, JSONEncodable, JSONDecodable {
  /// As playing it would show it, but for a length that only decoding could tell: that is `estimated` here. Its
  /// chapters stand below.
  public var info: MediaInfo
  public var details: TagDetails
  public var sortKeys: SortKeys
  /// A picture is embedded, which `WorkerOrder.cover` gets.
  public var hasCover: Bool
  /// Lyrics are embedded, which `WorkerOrder.lyrics` gets.
  public var hasLyrics: Bool
  /// In order of time; empty unless there are two at least.
  public var chapters: [Chapter]

  public init(
    info: MediaInfo, details: TagDetails, sortKeys: SortKeys, hasCover: Bool, hasLyrics: Bool, chapters: [Chapter]
  ) {
    self.info = info
    self.info.chapters = []
    self.details = details
    self.sortKeys = sortKeys
    self.hasCover = hasCover
    self.hasLyrics = hasLyrics
    self.chapters = chapters
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("info", info)
    json.member("details", details)
    json.member("sortKeys", sortKeys)
    if hasCover { json.member("hasCover", true) }
    if hasLyrics { json.member("hasLyrics", true) }
    if !chapters.isEmpty { json.member("chapters", chapters) }
    json.endObject()
  }

  /// What a worker wrote, kept to what a file can have.
  public init(_ json: JSON) {
    info = MediaInfo(json["info"] ?? json)
    details = TagDetails(json["details"] ?? json)
    sortKeys = SortKeys(json["sortKeys"] ?? json)
    hasCover = json["hasCover"]?.bool ?? false
    hasLyrics = json["hasLyrics"]?.bool ?? false
    chapters = Chapter.bounded(json["chapters"]?.elements?.prefix(Chapter.most).map(Chapter.init) ?? [])
  }
}
