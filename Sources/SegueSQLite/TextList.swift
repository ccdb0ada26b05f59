internal import SegueWire

/// A list of texts in one column: a single text as it is, several as a JSON array, and none as NULL.
public enum TextList {
  public static func text(of values: [String]) -> String? {
    if values.isEmpty { return nil }
    if values.count == 1, !values[0].hasPrefix("[") { return values[0] }
    var json = JSONWriter()
    json.beginArray()
    for value in values { json.string(value) }
    json.endArray()
    return String(decoding: json.bytes, as: UTF8.self)
  }

  public static func values(_ text: String) -> [String] {
    guard text.hasPrefix("["), let json = try? JSON(parsing: text) else { return [text] }
    return json.elements?.compactMap(\.string) ?? [text]
  }
}
