import SegueTestKit
import SegueWire
import Testing

@testable import SegueServer

/// Tests that the hand-written encoders and decoders agree with the schemas of the OpenRPC document. `ProtocolManualTests`
/// compares the same document with segue-ipc(7), and `ProtocolResultTests` with the results of a daemon.
@Suite struct ProtocolObjectTests {
  private static let objectNames = (try? ObjectSchemas().names) ?? []
  private let objects: ObjectSchemas

  init() throws { objects = try ObjectSchemas() }

  @Test func samples_existForEveryObject() {
    #expect(objects.names.count > 50)
    #expect(Set(ProtocolSample.all.map(\.name)) == Set(objects.names))
  }

  @Test(arguments: ProtocolSample.all) func encoder_writesMembersOfSchema(_ sample: ProtocolSample) throws {
    let violation = objects.violation(try JSON(parsing: sample.text), of: sample.name)
    #expect(violation == nil)
  }

  /// A member that is never null in any sample could have a schema that is wrongly not nullable, and the reverse.
  @Test(arguments: objectNames) func nullableMembers_areNullInSomeSample(_ name: String) throws {
    var (nullable, null, notNull): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    for sample in ProtocolSample.all where sample.name == name {
      objects.visitMembers(of: try JSON(parsing: sample.text), named: name) { member in
        guard member.isNullable else { return }
        nullable.insert(member.name)
        if member.value.isNull { null.insert(member.name) } else { notNull.insert(member.name) }
      }
    }
    #expect(nullable.subtracting(null) == [], "nullable, but never null")
    #expect(nullable.subtracting(notNull).isSubset(of: Self.alwaysNull), "nullable, but always null")
  }

  /// The tracks of lists have the members of queue entries, but their id is always null.
  private static let alwaysNull: Set = ["ListedTrack.id", "TrackReport.id"]

  @Test(arguments: ProtocolSample.all) func decoder_readsWhatEncoderWrote(_ sample: ProtocolSample) throws {
    #expect(sample.survivesDecoding(try JSON(parsing: sample.text)) != false)
  }

  /// A change of any member changes the decoded value. Otherwise the decoder does not read that member, or the sample
  /// contains its default value.
  @Test(arguments: objectNames) func decoder_readsEveryMember(_ name: String) throws {
    var (members, read): (Set<String>, Set<String>) = ([], [])
    for sample in ProtocolSample.all where sample.name == name {
      let json = try JSON(parsing: sample.text)
      guard sample.survivesDecoding(json) == true else { continue }
      var paths: [String: [String]] = [:]
      objects.visitMembers(of: json, named: name) { paths[$0.name] = $0.path }
      members.formUnion(paths.keys)
      for (name, path) in paths where sample.survivesDecoding(try json.changing(path[...])) == false {
        read.insert(name)
      }
    }
    #expect(members.subtracting(read).subtracting(Self.notDecoded) == [])
  }

  /// The members that no decoder needs: the metadata of a status is that of its track.
  private static let notDecoded = alwaysNull.union(["Status.metadata"])
}

/// The schemas of the objects, as the OpenRPC document contains them.
private struct ObjectSchemas {
  private let schemas: JSON
  private let validator: SchemaValidator

  /// A member of an object, or of an object without a name in it.
  struct Member {
    /// The name after the names of the objects around it, such as `LibraryStatus.folders.uri`.
    let name: String
    /// The names of members and the indices of elements that lead to the member.
    let path: [String]
    let value: JSON
    var isNullable = false
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

  /// Calls `body` with every member of `value`. The members of nested objects with a schema of their own are left out,
  /// because they have samples of their own.
  func visitMembers(of value: JSON, named name: String, _ body: (Member) -> Void) {
    if let schema = schemas[name] { visitMembers(of: value, schema, Member(name: name, path: [], value: value), body) }
  }

  private func visitMembers(of value: JSON, _ schema: JSON, _ parent: Member, _ body: (Member) -> Void) {
    if let alternatives = schema["anyOf"]?.elements {
      let valid = alternatives.first { validator.violation(value, of: $0, at: parent.name) == nil }
      if let valid { visitMembers(of: value, valid, parent, body) }
    } else if let items = schema["items"] {
      for (index, element) in (value.elements ?? []).enumerated() {
        let element = Member(name: parent.name, path: parent.path + [String(index)], value: element)
        visitMembers(of: element.value, items, element, body)
      }
    } else if let properties = schema["properties"] {
      for name in properties.names {
        guard let property = properties[name], let value = value[name] else { continue }
        let isNullable = property["anyOf"]?.elements?.contains { $0["type"]?.string == "null" } ?? false
        let member = Member(
          name: "\(parent.name).\(name)", path: parent.path + [name], value: value, isNullable: isNullable)
        body(member)
        visitMembers(of: value, property, member, body)
      }
    }
  }
}

extension JSON {
  /// Returns the value with the member at `path` changed: a number is increased by one, any other value is removed.
  fileprivate func changing(_ path: ArraySlice<String>) throws -> JSON {
    var json = JSONWriter()
    write(changing: path, into: &json)
    return try JSON(parsing: json.bytes)
  }

  private func write(changing path: ArraySlice<String>, into json: inout JSONWriter) {
    if let elements {
      json.beginArray()
      for (index, element) in elements.enumerated() {
        if path.first == String(index) {
          element.write(changing: path.dropFirst(), into: &json)
        } else {
          json.value(element)
        }
      }
      json.endArray()
      return
    }
    json.beginObject()
    for name in names {
      guard let member = self[name] else { continue }
      if name != path.first {
        json.key(named: name)
        json.value(member)
      } else if path.count > 1 {
        json.key(named: name)
        member.write(changing: path.dropFirst(), into: &json)
      } else if let number = member.double {
        json.key(named: name)
        json.double(number + 1)
      }
    }
    json.endObject()
  }
}
