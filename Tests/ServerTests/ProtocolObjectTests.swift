import SegueTestKit
import SegueWire
import Testing

@testable import SegueServer

/// Tests that encoders and decoders agree with the schemas of the OpenRPC document. `ProtocolManualTests` compares the
/// same document with segue-ipc(7), and `ProtocolResultTests` with the results of a daemon.
@Suite struct ProtocolObjectTests {
  private static let names = objectDecoders.keys.sorted()
  private let schemas: SampleSchemas

  init() throws { schemas = try SampleSchemas() }

  @Test func everyObjectOfDocument_hasDecoder() {
    #expect(Self.names.count > 50)
    #expect(Self.names == schemas.names.sorted())
  }

  @Test(arguments: names) func object_isEncodedAsItWasBeforeDecoding(_ name: String) throws {
    let decode = try #require(objectDecoders[name])
    let samples = try schemas.samples(of: name)
    #expect(!samples.isEmpty)
    for text in samples {
      let json = try JSON(parsing: text)
      #expect(schemas.violation(json, of: name) == nil, "\(text)")
      // Members are compared without regard to their order.
      let value = try #require(decode(json))
      #expect(try sorted(JSON(parsing: encoded(value))) == sorted(json))
    }
  }

  /// A client may receive an object of a daemon that knows fewer members.
  @Test(arguments: names) func object_isDecodedWithoutMembers(_ name: String) throws {
    let decode = try #require(objectDecoders[name])
    guard let value = decode(try JSON(parsing: "{}")) else { return #expect(name == "QueueStep") }
    #expect(try JSON(parsing: encoded(value)).kind == .object)
  }

  private func encoded(_ value: some JSONEncodable) -> [UInt8] {
    var json = JSONWriter()
    value.encode(into: &json)
    return json.bytes
  }

  /// Returns the text of a value with the members of objects in alphabetical order.
  private func sorted(_ value: JSON) -> String {
    if let elements = value.elements { return "[" + elements.map(sorted).joined(separator: ",") + "]" }
    guard value.kind == .object else {
      var json = JSONWriter()
      json.value(value)
      return String(decoding: json.bytes, as: UTF8.self)
    }
    return "{" + value.names.sorted().map { "\"\($0)\":" + (value[$0].map(sorted) ?? "") }.joined(separator: ",") + "}"
  }
}

/// Samples of the objects of the protocol that follow from their schemas.
private struct SampleSchemas {
  private let schemas: JSON
  private let validator: SchemaValidator

  /// What a sample has where a schema permits several values. No value is the one that a missing member counts as, in
  /// at least one of the forms.
  enum Form: CaseIterable {
    case firstWords, lastWords
    /// Every member that may be null is null.
    case null
  }

  init() throws {
    let document = try JSON(parsing: ProtocolDocument.text(version: ""))
    validator = SchemaValidator(document)
    schemas = try #require(document["components"]?["schemas"])
  }

  var names: [String] { schemas.names }

  /// Returns a description of the first difference between `value` and the schema `name`; nil if there is none.
  func violation(_ value: JSON, of name: String) -> String? {
    guard let schema = schemas[name] else { return "no schema \(name)" }
    return validator.violation(value, of: schema, at: name)
  }

  /// Returns samples of the object `name` as texts.
  func samples(of name: String) throws -> [String] {
    if name == "Setting" { return Self.settings }
    let schema = try #require(schemas[name])
    return try Form.allCases.flatMap { form in
      try (schema["anyOf"]?.elements ?? [schema]).map { try sample(of: $0, form, in: name) }
    }
  }

  /// The type of a setting says of what type the values are.
  private static let settings = [
    ("boolean", "true", #""words":[],"minimum":null,"maximum":null,"unit":null"#),
    ("integer", "7", #""words":[],"minimum":1,"maximum":9,"unit":"seconds""#),
    ("number", "0.5", #""words":[],"minimum":-1.5,"maximum":1.5,"unit":"dB""#),
    ("choice", #""a""#, #""words":["a","b"],"minimum":null,"maximum":null,"unit":null"#),
    ("string", "null", #""words":[],"minimum":null,"maximum":null,"unit":null"#),
    ("paths", #"["file:///a"]"#, #""words":[],"minimum":null,"maximum":null,"unit":null"#),
  ].map { type, value, rest in
    #"{"name":"n","section":"s","key":"k","label":"l","summary":"t","type":"\#(type)","value":\#(value),"#
      + #""inUse":\#(value),"default":\#(value),"source":"chosen","changeable":true,\#(rest)}"#
  }

  /// The tracks of lists have the members of queue entries, but their id is always null.
  private static let alwaysNull: Set = ["ListedTrack.id", "TrackReport.id"]

  private func sample(of schema: JSON, _ form: Form, in place: String) throws -> String {
    if let reference = schema["$ref"]?.string?.split(separator: "/").last.map(String.init) {
      if reference == "Setting" { return Self.settings[0] }
      return try sample(of: try #require(schemas[reference]), form, in: reference)
    }
    if let words = schema["enum"]?.elements?.compactMap(\.string) {
      return "\"\(try #require(form == .firstWords ? words.first : words.last))\""
    }
    if let alternatives = schema["anyOf"]?.elements {
      let isNullable = alternatives.contains { $0["type"]?.string == "null" }
      if isNullable, form == .null || Self.alwaysNull.contains(place) { return "null" }
      return try sample(of: try #require(alternatives.first), form, in: place)
    }
    if let properties = schema["properties"] {
      let members = try properties.names.map { name in
        "\"\(name)\":" + (try sample(of: try #require(properties[name]), form, in: "\(place).\(name)"))
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    switch schema["type"]?.string {
    case "array":
      let element = try sample(of: try #require(schema["items"]), form, in: place)
      return form == .null ? "[]" : "[\(element)]"
    // The kind of an error may be one of a later version, which clients do not know.
    case "string" where place.hasSuffix(".errorKind"): return "\"damaged\""
    // A UUID, which is what the identifiers of MusicBrainz must be.
    case "string": return "\"f4a1b2c3-0000-4000-8000-00000000000a\""
    case "boolean": return form == .firstWords ? "true" : "false"
    case "integer": return String(max(3, schema["minimum"]?.int ?? 3))
    default: return "1.5"
    }
  }
}
