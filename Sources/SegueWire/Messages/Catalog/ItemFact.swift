extension Item {
  /// A short fact about an item: a stable name, which programs translate, and a value.
  public struct Fact: Equatable, JSONEncodable {
    public var name: Name
    public var value: String

    public init(_ name: Name, _ value: String) {
      self.name = name
      self.value = value
    }

    public func encode(into json: inout JSONWriter) {
      json.beginObject()
      json.member("name", name.rawValue)
      json.member("value", value)
      json.endObject()
    }

    /// Reads a fact. Returns nil if its name is unknown, because a newer daemon may have further facts.
    init?(known json: JSON) {
      guard let name = json["name"]?.string.flatMap(Name.init), let value = json["value"]?.string else { return nil }
      self.init(name, value)
    }
  }
}
