public import SegueWire

/// A text that wants a sort key.
public struct CollationInput: Equatable, Sendable, JSONEncodable, JSONDecodable {
  public var text: String
  /// Somebody wrote it to be sorted by: an article in front counts.
  public var isSortName: Bool

  /// In bytes: more would hardly get into a key.
  private static let longest = 3 * SortKeys.longest

  /// `sortName` goes before `text`.
  public init(_ text: String, sortName: String? = nil) {
    self.text = (sortName ?? text).cut(to: Self.longest)
    isSortName = sortName != nil
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("text", text)
    if isSortName { json.member("isSortName", true) }
    json.endObject()
  }

  public init(_ json: JSON) {
    text = json["text"]?.string ?? ""
    isSortName = json["isSortName"]?.bool ?? false
  }
}
