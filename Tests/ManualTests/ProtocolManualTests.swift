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
        for type in types(of: schema) { #expect(rule.contains(type), "\(name): \(item.text)") }
        for word in words(of: schema) { #expect(item.words("Cm").contains(word), "\(name): \(item.text)") }
        for bound in bounds(of: schema) {
          let numbers = item.text.matches(of: /[0-9]+/).compactMap { Int($0.0) }
          #expect(numbers.contains(bound), "\(name): \(bound) in \(item.text)")
        }
      }
    }
  }

  @Test func methodsOfManual_haveResultsOfDocument() throws {
    for method in methods {
      let name = try #require(method["name"]?.string)
      guard let result = reference(method["result"]?["schema"]) else { continue }
      #expect(try item(name).words("Vt").contains(result), "\(name)")
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
      let names = item.names("Vt")
      let schemas = try names.map { try #require(document["components"]?["schemas"]?[$0]) }
      let members = Set(schemas.flatMap(members))
      var (documented, words) = (Set(item.words("Va")), Set(item.words("Cm")))
      if item.body.first?.text == "The" {
        // "The members of X, and:".
        let other = try #require(item.body.first { $0.macro == "Vt" }?.text)
        let schema = try #require(document["components"]?["schemas"]?[other])
        documented.formUnion(self.members(of: schema))
        words.formUnion(self.words(of: schema))
      }
      #expect(members.subtracting(documented) == [], "\(names)")
      #expect(Set(item.items.flatMap { $0.names("Va") }).subtracting(members) == [], "\(names)")
      let fixed = Set(schemas.flatMap(self.words)).subtracting(Failure.Kind.allCases.map(\.rawValue))
      #expect(fixed.subtracting(words) == [], "\(names)")
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

  /// The errors that every method may return are documented once.
  @Test func methodsOfManual_haveErrorsOfDocument() throws {
    for method in methods {
      let name = try #require(method["name"]?.string)
      let errors = (method["errors"]?.elements ?? []).compactMap(reference)
      #expect(Set(["invalid_params", "internal_error"]).subtracting(errors) == [], "\(name)")
      let own = Set(errors).subtracting(["invalid_params", "internal_error"])
      #expect(Set(try item(name).words("Er")) == own, "\(name)")
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

  // MARK: Schemas

  /// Returns the fixed words that are permitted values.
  private func words(of schema: JSON) -> [String] {
    (schema["enum"]?.elements ?? []).compactMap(\.string) + parts(of: schema).flatMap(words)
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
