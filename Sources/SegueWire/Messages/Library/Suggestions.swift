/// A completion of a partial search.
public struct LibrarySuggestion: Equatable, JSONEncodable, JSONDecodable {
  public var text: String
  public var type: Kind
  /// A URI for `queue.add`.
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

/// The result of `library.suggest`.
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

/// The result of `history.searches`.
public struct SearchList: Equatable, JSONEncodable, JSONDecodable {
  /// The queries, newest first.
  public var searches: [String]

  public init(searches: [String]) { self.searches = searches }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("searches", searches)
    json.endObject()
  }

  public init(_ json: JSON) { searches = json.strings("searches") }
}
