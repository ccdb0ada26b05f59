/// What may be meant by what was typed so far.
public struct LibrarySuggestion: Equatable, JSONEncodable, JSONDecodable {
  public enum Kind: String, Sendable, CaseIterable {
    case track, album, artist
    /// One of the last searches, by its query.
    case search
  }

  public var text: String
  public var type: Kind
  /// What `queue.add` takes.
  public var uri: String

  public init(text: String, type: Kind, uri: String) {
    self.text = text
    self.type = type
    self.uri = uri
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("text", text)
    json.member("type", type.rawValue)
    json.member("uri", uri)
    json.endObject()
  }

  public init(_ json: JSON) {
    text = json["text"]?.string ?? ""
    type = json["type"]?.string.flatMap(Kind.init) ?? .track
    uri = json["uri"]?.string ?? ""
  }
}

/// The answer of `library.suggest`.
public struct Suggestions: Equatable, JSONEncodable, JSONDecodable {
  public var suggestions: [LibrarySuggestion]

  public init(suggestions: [LibrarySuggestion]) { self.suggestions = suggestions }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    var room = ResponseLimits.listBytes
    json.member("suggestions", suggestions, within: &room)
    json.endObject()
  }

  public init(_ json: JSON) { suggestions = json.list("suggestions") }
}

/// The answer of `history.searches`.
public struct SearchList: Equatable, JSONEncodable, JSONDecodable {
  /// The newest first.
  public var searches: [String]

  public init(searches: [String]) { self.searches = searches }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("searches", searches)
    json.endObject()
  }

  public init(_ json: JSON) { searches = json.strings("searches") }
}
