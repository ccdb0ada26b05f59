import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests that segue-ipc(7) agrees with the document of `rpc.discover`, which is derived from the method table.
@Suite struct ProtocolManualTests {
  let page: ManualPage
  let document: JSON

  init() throws {
    page = try ManualPage("segue-ipc.7")
    let daemon = try DaemonProcess()
    document = try daemon.connect().call("rpc.discover")
  }

  private static let shared = "Common parameters"

  private var methods: [JSON] { document["methods"]?.elements ?? [] }

  private func item(_ method: String) throws -> ManualItem {
    try #require(page.items(in: "METHODS").first { $0.names("Ic") == [method] }, "\(method) is not in the page")
  }

  /// Returns the description of a parameter, either of its method or of the common parameters.
  private func item(_ parameter: String, of method: ManualItem) throws -> ManualItem {
    let shared = page.items(in: "METHODS", Self.shared)
    return try #require(
      (method.items + shared).first { $0.names("Fa") == [parameter] },
      "\(parameter) of \(method.names("Ic")) is not in the page")
  }

  @Test func methodsOfManual_areThoseOfDocument() throws {
    let names = methods.compactMap { $0["name"]?.string }
    #expect(names.count > 50)
    let documented = page.items(in: "METHODS").flatMap { $0.names("Ic") }
    #expect(Set(documented) == Set(names))
    #expect(documented.count == names.count)
  }

  @Test func parametersOfManual_areInOrderOfDocument() throws {
    for method in methods {
      let item = try item(try #require(method["name"]?.string))
      let parameters = method["params"]?.elements?.compactMap { $0["name"]?.string } ?? []
      #expect(item.names("Fa") == parameters, "\(item.names("Ic"))")
      let unknown = Set(item.items.flatMap { $0.names("Fa") }).subtracting(parameters)
      #expect(unknown == [], "\(item.names("Ic"))")
    }
  }

  @Test func parametersOfManual_haveSchemasOfDocument() throws {
    for method in methods {
      let name = try #require(method["name"]?.string)
      for parameter in method["params"]?.elements ?? [] {
        let item = try item(try #require(parameter["name"]?.string), of: try item(name))
        let rule = item.names("Pq").joined(separator: " ")
        let schema = try #require(parameter["schema"])
        #expect(rule.contains("required") == parameter["required"]?.bool, "\(name): \(item.text)")
        let standard = schema["default"].map(text)
        #expect(rule.firstMatch(of: /default (.*)/).map { String($0.1) } == standard, "\(name): \(item.text)")
        #expect(types(in: rule) == types(of: schema), "\(name): \(item.text)")
        for word in words(of: schema) { #expect(item.words("Cm").contains(word), "\(name): \(item.text)") }
        for bound in bounds(of: schema) {
          let numbers = item.text.matches(of: /[0-9]+/).compactMap { Int($0.0) }
          #expect(numbers.contains(bound), "\(name): \(bound) in \(item.text)")
        }
      }
    }
  }

  /// The description of a parameter may mention the words of another one.
  @Test func parametersOfManual_haveNoOtherWords() throws {
    for method in methods {
      let item = try item(try #require(method["name"]?.string))
      let permitted = (method["params"]?.elements ?? []).compactMap { $0["schema"] }.flatMap(words)
      #expect(Set(item.items.flatMap { $0.words("Cm") }).subtracting(permitted) == [], "\(item.names("Ic"))")
    }
  }

  @Test func methodsOfManual_haveParameterRulesOfDocument() throws {
    for method in methods {
      let item = try item(try #require(method["name"]?.string))
      let rule = method["description"]?.string ?? ""
      for (documented, wording) in [
        ("exactly one", "Exactly one parameter"), ("at most one", "at most one may be given"),
      ] {
        #expect(rule.contains(documented) == item.text.contains(wording), "\(item.names("Ic")): \(rule)")
      }
    }
  }

  @Test func methodsOfManual_haveResultsOfDocument() throws {
    // The result of `rpc.discover` has the schema of OpenRPC.
    for method in methods where method["name"]?.string != "rpc.discover" {
      let name = try #require(method["name"]?.string)
      let schema = try #require(method["result"]?["schema"])
      let item = try item(name)
      if let result = reference(schema) {
        #expect(item.words("Vt").contains(result), "\(name)")
      } else {
        let members = members(of: schema)
        #expect(Set(item.words("Va")) == Set(members), "\(name)")
        #expect(item.text.contains("empty object") == members.isEmpty, "\(name)")
      }
    }
  }

  @Test func objectsOfManual_areThoseOfDocument() throws {
    let documented = page.items(in: "OBJECTS").flatMap { $0.names("Vt") }
    #expect(documented.count > 30)
    #expect(Set(documented) == Set(document["components"]?["schemas"]?.names ?? []))
    let used = page.items.map(\.item).flatMap { $0.words("Vt") }
    #expect(Set(used).subtracting(documented) == [])
  }

  @Test func objectsOfManual_haveMembersOfDocument() throws {
    for item in page.items(in: "OBJECTS") {
      let documented = item.items.flatMap { $0.names("Va") } + (try inheritedSchema(of: item)).flatMap(directMembers)
      #expect(documented.count == Set(documented).count, "\(item.names("Vt"))")
      let members = Set(try schemas(of: item).flatMap(directMembers))
      #expect(members.subtracting(documented) == [], "\(item.names("Vt")): missing in the page")
      #expect(Set(documented).subtracting(members) == [], "\(item.names("Vt")): missing in the document")
    }
  }

  /// The text about a member names the members of nested objects, the names of objects, and the permitted words. The
  /// words of `kind` are those of the section ERROR KINDS.
  @Test func membersOfManual_haveSchemasOfDocument() throws {
    let errorKinds = Failure.Kind.allCases.map(\.rawValue)
    for object in page.items(in: "OBJECTS") {
      let schemas = try schemas(of: object)
      let names = Set(schemas.flatMap(directMembers))
      for item in object.items {
        let place = "\(object.names("Vt")): \(item.text)"
        let described = item.names("Va").flatMap { name in schemas.compactMap { member(name, of: $0) } }
        let nested = Set(described.flatMap(members))
        #expect(nested.subtracting(item.body.texts("Va")) == [], "\(place)")
        let references = Set(described.flatMap(references))
        let mentioned = Set(item.body.texts("Vt"))
        if references.isEmpty {
          // The text may refer to the members of another object.
          let others = try mentioned.flatMap { members(of: try schema($0)) }
          #expect(Set(item.body.texts("Va")).subtracting(nested.union(names).union(others)) == [], "\(place)")
        } else {
          #expect(mentioned == references, "\(place)")
        }
        let words = Set(described.flatMap(words)).subtracting(errorKinds)
        #expect(words.subtracting(item.body.texts("Cm")) == [], "\(place)")
        let permitted = schemas.flatMap(self.words)
        #expect(Set(item.body.texts("Cm")).subtracting(permitted) == [], "\(place)")
      }
    }
  }

  @Test func errorKindsOfManual_haveCodesOfDocument() throws {
    let errors = try #require(document["components"]?["errors"])
    var documented: [String: Int] = [:]
    for item in page.items(in: "ERROR KINDS") {
      documented[try #require(item.names("Er").first)] = Int(try #require(item.names("Pq").first))
    }
    #expect(documented == Dictionary(uniqueKeysWithValues: errors.names.map { ($0, errors[$0]?["code"]?.int ?? 0) }))
    let used = page.items(in: "METHODS").flatMap { $0.words("Er") }
    #expect(used.count > 30)
    #expect(Set(used).subtracting(documented.keys) == [])
  }

  /// The errors that every method may return are documented once, and so is that of clients without a right.
  @Test func methodsOfManual_haveErrorsOfDocument() throws {
    for method in methods {
      let name = try #require(method["name"]?.string)
      let errors = (method["errors"]?.elements ?? []).compactMap(reference)
      #expect(Set(["invalid_params", "internal_error"]).subtracting(errors) == [], "\(name)")
      let own = Set(errors).subtracting(["invalid_params", "internal_error"])
      let documented = Set(try item(name).words("Er"))
      #expect(documented.symmetricDifference(own).subtracting(["denied"]) == [], "\(name)")
      #expect(own.isSuperset(of: documented), "\(name)")
    }
  }

  @Test func topicsOfManual_haveDataOfDocument() throws {
    let events = document["x-events"]?.elements ?? []
    let described = Dictionary(
      uniqueKeysWithValues: events.map { event in
        (event["topic"]?.string ?? "", reference(event["params"]?["properties"]?["data"]) ?? "")
      })
    var documented: [String: String] = [:]
    for item in page.items(in: "EVENTS") {
      documented[try #require(item.names("Cm").first)] = item.words("Vt").first
    }
    #expect(documented == described)
    let subscribe = try #require(methods.first { $0["name"]?.string == "subscribe" })
    let topics = words(of: try #require(subscribe["params"]?.elements?.first?["schema"]))
    #expect(page.items(in: "EVENTS").flatMap { $0.names("Cm") }.sorted() == topics.sorted())
  }

  @Test func limitsOfManual_areThoseOfModules() throws {
    let text = try Repository.lines(of: page.path).joined(separator: " ")
    for limit in [
      "version \(Version.socketProtocol) of the protocol",
      "A line may have at most \(LineFramer.maximumLineLength) bytes",
      "The lists of a response take at most \(ResponseLimits.listBytes >> 20) MiB together",
      "has at most \(ResponseLimits.listLength) elements",
    ] {
      let isDocumented = text.contains(limit)
      #expect(isDocumented, "the page does not say: \(limit)")
    }
  }

  // MARK: Objects

  private func schema(_ name: String) throws -> JSON {
    try #require(document["components"]?["schemas"]?[name], "\(name) is not in the document")
  }

  /// Returns the schemas of the objects that an item describes.
  private func schemas(of item: ManualItem) throws -> [JSON] { try item.names("Vt").map(schema) }

  /// Returns the schema of X for an item that begins with "The members of X, and:".
  private func inheritedSchema(of item: ManualItem) throws -> [JSON] {
    guard item.body.first?.text == "The", let name = item.body.texts("Vt").first else { return [] }
    return [try schema(name)]
  }

  /// Returns the names of the members of an object or of its alternatives.
  private func directMembers(of schema: JSON) -> [String] {
    (schema["properties"]?.names ?? []) + (schema["anyOf"]?.elements ?? []).flatMap(directMembers)
  }

  private func member(_ name: String, of schema: JSON) -> JSON? {
    schema["properties"]?[name] ?? schema["anyOf"]?.elements?.lazy.compactMap { member(name, of: $0) }.first
  }

  // MARK: Schemas

  /// Returns the fixed words that are permitted values.
  private func words(of schema: JSON) -> [String] {
    (schema["enum"]?.elements ?? []).compactMap(\.string) + parts(of: schema).flatMap(words)
  }

  /// Returns the types in the rule of a parameter, such as "array of strings, required".
  private func types(in rule: String) -> Set<String> {
    let words = rule.split { !$0.isLetter }.map { String($0.hasSuffix("s") ? $0.dropLast() : $0) }
    return Set(words).intersection(["array", "boolean", "integer", "null", "number", "string"])
  }

  private func types(of schema: JSON) -> Set<String> {
    let own = schema["type"]?.string ?? (schema["enum"] == nil ? nil : "string")
    return Set(parts(of: schema).flatMap(types)).union(own.map { [$0] } ?? [])
  }

  /// Returns the limits that are small enough to be documented.
  private func bounds(of schema: JSON) -> [Int] {
    let own = ["minimum", "maximum"].compactMap { schema[$0]?.double }.filter { $0 != 0 && abs($0) < 100_000 }
    return own.map { Int($0.magnitude) } + parts(of: schema).flatMap(bounds)
  }

  /// Returns the members of an object, including those of nested objects without a name.
  private func members(of schema: JSON) -> [String] {
    let properties = schema["properties"]
    let names = properties?.names ?? []
    return names + names.compactMap { properties?[$0] }.flatMap(members) + unnamedParts(of: schema).flatMap(members)
  }

  /// Returns the names of the objects that are values of the member or of its nested objects without a name.
  private func references(of schema: JSON) -> [String] {
    (reference(schema).map { [$0] } ?? []) + parts(of: schema).flatMap(references)
  }

  private func parts(of schema: JSON) -> [JSON] {
    let properties = schema["properties"]
    return unnamedParts(of: schema) + (properties?.names ?? []).compactMap { properties?[$0] }
  }

  private func unnamedParts(of schema: JSON) -> [JSON] {
    (schema["anyOf"]?.elements ?? []) + (schema["items"].map { [$0] } ?? [])
  }

  private func reference(_ schema: JSON?) -> String? {
    (schema?["$ref"]?.string?.split(separator: "/").last).map(String.init)
  }

  private func text(_ value: JSON) -> String {
    var json = JSONWriter()
    json.value(value)
    return value.string ?? String(decoding: json.bytes, as: UTF8.self)
  }
}
