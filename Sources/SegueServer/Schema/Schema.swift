internal import SegueWire

/// A description of the permitted JSON values. It validates parameters, describes the expected value in errors, and is
/// part of the OpenRPC document.
indirect enum Schema: Sendable {
  case string
  case integer(ClosedRange<Int64>? = nil)
  /// An integer or a real number.
  case number(ClosedRange<Double>? = nil)
  case boolean
  case choice([String])
  case array(of: Schema)
  case object([Member])
  case nullable(Schema)
  case either(Schema, Schema)
  /// A reference to a schema in `components`.
  case named(String)

  struct Member: Sendable {
    let name: String
    let schema: Schema
    let summary: String?

    init(_ name: String, _ schema: Schema, _ summary: String? = nil) {
      self.name = name
      self.schema = schema
      self.summary = summary
    }
  }

  /// An integer that is not negative.
  static let count = Schema.integer(0...Int64.max)
  static let seconds = Schema.number()

  /// A choice of the raw values of an enumeration.
  static func choice<Word: CaseIterable & RawRepresentable<String>>(of words: Word.Type) -> Schema {
    .choice(words.allCases.map(\.rawValue))
  }
}

extension Schema {
  /// Returns whether `json` is a permitted value. The schemas of parameters contain no objects and no references.
  func accepts(_ json: JSON) -> Bool {
    switch self {
    case .string: json.kind == .string
    case .integer(let range): json.integer.map { range?.contains($0) ?? true } ?? false
    case .number(let range): json.double.map { range?.contains($0) ?? true } ?? false
    case .boolean: json.kind == .bool
    case .choice(let words): json.string.map(words.contains) ?? false
    case .array(let element): json.isArray(of: element.accepts)
    case .nullable(let schema): json.isNull || schema.accepts(json)
    case .either(let one, let other): one.accepts(json) || other.accepts(json)
    case .object, .named: preconditionFailure("parameters are not objects")
    }
  }

  /// A description of the permitted values for error messages, such as "an integer from 0 to 100".
  var wording: LocalizableMessage {
    switch self {
    case .string: LocalizableMessage("a string")
    case .integer(nil): LocalizableMessage("an integer")
    case .integer(let range?) where range.upperBound == .max: LocalizableMessage("an integer from \(range.lowerBound)")
    case .integer(let range?): LocalizableMessage("an integer from \(range.lowerBound) to \(range.upperBound)")
    case .number(nil): LocalizableMessage("a number")
    case .number(let range?) where range.upperBound == .infinity:
      LocalizableMessage("a number from \(range.lowerBound)")
    case .number(let range?): LocalizableMessage("a number from \(range.lowerBound) to \(range.upperBound)")
    case .boolean: LocalizableMessage("true or false")
    case .choice(let words): .plain(words.map { "\"\($0)\"" }.joined(separator: " or "))
    case .array(let element): LocalizableMessage("an array, each element \(element.wording)")
    case .nullable(let schema): LocalizableMessage("\(schema.wording) or null")
    case .either(let one, let other): LocalizableMessage("\(one.wording) or \(other.wording)")
    case .object, .named: LocalizableMessage("an object")
    }
  }
}

extension Schema: JSONEncodable {
  /// Encodes the schema as JSON Schema (draft 7).
  func encode(into json: inout JSONWriter) {
    json.beginObject()
    writeKeywords(into: &json)
    json.endObject()
  }

  func writeKeywords(into json: inout JSONWriter) {
    switch self {
    case .string: json.member("type", "string")
    case .integer(let range):
      json.member("type", "integer")
      if let range {
        json.member("minimum", range.lowerBound)
        if range.upperBound != .max { json.member("maximum", range.upperBound) }
      }
    case .number(let range):
      json.member("type", "number")
      if let range {
        json.member("minimum", range.lowerBound)
        if range.upperBound.isFinite {
          json.member("maximum", range.upperBound)
        }
      }
    case .boolean: json.member("type", "boolean")
    case .choice(let words): json.member("enum", words)
    case .array(let element):
      json.member("type", "array")
      json.member("items", element)
    case .object(let members): Self.writeObject(members, into: &json)
    case .nullable(let schema): Self.writeAlternatives([schema], orNull: true, into: &json)
    case .either(let one, let other): Self.writeAlternatives([one, other], orNull: false, into: &json)
    case .named(let name): json.member("$ref", "#/components/schemas/\(name)")
    }
  }

  private static func writeObject(_ members: [Member], into json: inout JSONWriter) {
    json.member("type", "object")
    json.member("required", members.map(\.name))
    json.key("properties")
    json.beginObject()
    for member in members {
      json.key(named: member.name)
      json.beginObject()
      if let summary = member.summary { json.member("description", summary) }
      member.schema.writeKeywords(into: &json)
      json.endObject()
    }
    json.endObject()
  }

  private static func writeAlternatives(_ schemas: [Schema], orNull: Bool, into json: inout JSONWriter) {
    json.key("anyOf")
    json.beginArray()
    for schema in schemas { schema.encode(into: &json) }
    if orNull {
      json.beginObject()
      json.member("type", "null")
      json.endObject()
    }
    json.endArray()
  }
}
