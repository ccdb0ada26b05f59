import SegueWire
import Testing

@testable import SegueServer

/// Tests that the hand-written encoders and decoders agree with the schemas of the OpenRPC document. `ProtocolManualTests`
/// compares the same document with segue-ipc(7).
@Suite struct ProtocolObjectTests {
  @Test func samples_existForEveryObject() {
    #expect(Set(ProtocolSample.all.map(\.name)) == Set(OpenRPCDocument.schemas.map(\.name)))
  }

  @Test(arguments: ProtocolSample.all) func encoder_writesMembersOfSchema(_ sample: ProtocolSample) throws {
    let json = try JSON(parsing: sample.text)
    #expect(SchemaComparison().mismatch(json, .named(sample.name), at: sample.name) == nil)
  }

  /// A member that is never null in any sample could have a schema that is wrongly not nullable, and the reverse.
  @Test(arguments: Dictionary(grouping: ProtocolSample.all, by: \.name).values.map(\.self))
  func nullableMembers_areNullInSomeSample(_ samples: [ProtocolSample]) throws {
    var comparison = SchemaComparison()
    for sample in samples { comparison.visit(try JSON(parsing: sample.text), .named(sample.name), at: sample.name) }
    #expect(comparison.nullable.subtracting(comparison.null) == [], "nullable, but never null")
    let alwaysNull = comparison.nullable.subtracting(comparison.notNull)
    #expect(alwaysNull.isSubset(of: SchemaComparison.alwaysNull), "nullable, but always null")
  }

  @Test(arguments: ProtocolSample.all) func decoder_readsWhatEncoderWrote(_ sample: ProtocolSample) throws {
    #expect(sample.survivesDecoding(try JSON(parsing: sample.text)) != false)
  }
}

/// A comparison of encoded values with the schemas of the document. It is stricter than JSON Schema: the members of an
/// object must be exactly those of the schema.
private struct SchemaComparison {
  /// The paths of the nullable members, and of those that were null and not null.
  private(set) var nullable: Set<String> = []
  private(set) var null: Set<String> = []
  private(set) var notNull: Set<String> = []

  /// A track of a list has the members of a queue entry, but its id is always null.
  static let alwaysNull: Set = ["ListedTrack.id", "TrackReport.id"]

  private static let schemas = Dictionary(uniqueKeysWithValues: OpenRPCDocument.schemas.map { ($0.name, $0.schema) })

  /// Returns a description of the first difference; nil if there is none.
  func mismatch(_ json: JSON, _ schema: Schema, at path: String) -> String? {
    switch schema {
    case .named(let name):
      guard let schema = Self.schemas[name] else { return "\(path): no schema \(name)" }
      return mismatch(json, schema, at: path)
    case .nullable(let schema): return json.isNull ? nil : mismatch(json, schema, at: path)
    case .either(let one, let other):
      guard let first = mismatch(json, one, at: path), let second = mismatch(json, other, at: path) else { return nil }
      return "\(first); \(second)"
    case .array(let element):
      guard let elements = json.elements else { return "\(path): not an array" }
      return elements.lazy.compactMap { mismatch($0, element, at: path + "[]") }.first
    case .object(let members):
      guard json.names.sorted() == members.map(\.name).sorted() else {
        return "\(path): \(json.names) instead of \(members.map(\.name))"
      }
      return members.lazy.compactMap { member in
        json[member.name].flatMap { mismatch($0, member.schema, at: "\(path).\(member.name)") }
      }.first
    case .string, .integer, .number, .boolean, .choice:
      return schema.accepts(json) ? nil : "\(path): not \(schema.wording)"
    }
  }

  /// Records the nullable members of `json`, without those of named objects, which have samples of their own.
  mutating func visit(_ json: JSON, _ schema: Schema, at path: String, isRoot: Bool = true) {
    switch schema {
    case .named(let name): if isRoot, let schema = Self.schemas[name] { visit(json, schema, at: path, isRoot: false) }
    case .nullable(let schema):
      nullable.insert(path)
      if json.isNull { null.insert(path) } else { notNull.insert(path) }
      if !json.isNull { visit(json, schema, at: path, isRoot: false) }
    case .array(let element): for json in json.elements ?? [] { visit(json, element, at: path + "[]", isRoot: false) }
    case .object(let members):
      for member in members {
        if let json = json[member.name] { visit(json, member.schema, at: "\(path).\(member.name)", isRoot: false) }
      }
    case .either, .string, .integer, .number, .boolean, .choice: break
    }
  }
}
