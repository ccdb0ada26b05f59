public import SegueSystem

/// The result of `lyrics`.
public struct Lyrics: Equatable, JSONEncodable, JSONDecodable {
  /// A line with its time.
  public struct Line: Equatable, JSONEncodable, JSONDecodable {
    /// The time from the start of the track.
    public var time: MediaTime
    public var text: String

    public init(time: MediaTime, text: String) {
      self.time = time
      self.text = text
    }

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("time", time)
      json.member("text", text)
      json.endObject()
    }

    public init(_ json: JSON) {
      time = json["time"]?.time ?? .zero
      text = json["text"]?.string ?? ""
    }
  }

  public var uri: String
  public var source: Source
  /// The lyrics without timestamps.
  public var text: String
  /// The lines, ordered by time; nil if the lyrics have no timestamps.
  public var lines: [Line]?

  public init(uri: String, source: Source, text: String, lines: [Line]?) {
    self.uri = uri
    self.source = source
    self.text = text
    self.lines = lines
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("uri", uri)
    json.member("source", source.rawValue)
    json.member("text", text)
    if let lines {
      json.member("lines", lines)
    } else {
      json.member("lines", String?.none)
    }
    json.endObject()
  }

  public init(_ json: JSON) {
    uri = json["uri"]?.string ?? ""
    source = json["source"]?.string.flatMap(Source.init) ?? .embedded
    text = json["text"]?.string ?? ""
    lines = json["lines"]?.elements?.map(Line.init)
  }
}
