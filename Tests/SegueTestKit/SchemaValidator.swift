public import SegueWire

/// A validator for the subset of JSON Schema that the OpenRPC document uses. It is stricter: an object has no other
/// members.
public struct SchemaValidator {
  private let document: JSON

  public init(_ document: JSON) { self.document = document }

  /// Returns a description of the first error in `value` with its path; nil if `value` is valid.
  public func violation(_ value: JSON, of schema: JSON, at path: String) -> String? {
    if let reference = schema["$ref"]?.string {
      let name = String(reference.dropFirst("#/components/schemas/".count))
      guard let target = document["components"]?["schemas"]?[name] else { return "\(reference) does not exist" }
      return violation(value, of: target, at: path)
    }
    if let alternatives = schema["anyOf"]?.elements {
      let violations = alternatives.map { violation(value, of: $0, at: path) }
      return violations.contains(nil) ? nil : violations.compactMap(\.self).joined(separator: "; ")
    }
    if let words = schema["enum"]?.elements {
      return words.contains { $0.string == value.string } ? nil : "\(path) is not a word of its enumeration"
    }
    switch schema["type"]?.string {
    case "null": return value.isNull ? nil : "\(path) is not null"
    case "string": return value.kind == .string ? nil : "\(path) is not a string"
    case "boolean": return value.kind == .bool ? nil : "\(path) is not a boolean"
    case "integer", "number":
      guard let number = value.double, schema["type"]?.string == "number" || value.integer != nil else {
        return "\(path) is not a number"
      }
      if let minimum = schema["minimum"]?.double, number < minimum { return "\(path) is too small" }
      if let maximum = schema["maximum"]?.double, number > maximum { return "\(path) is too large" }
      return nil
    case "array":
      guard let elements = value.elements, let items = schema["items"] else { return "\(path) is not an array" }
      return elements.lazy.compactMap { violation($0, of: items, at: path + "[]") }.first
    case "object": return violation(object: value, of: schema, at: path)
    default: return "\(path) has a schema without a type"
    }
  }

  private func violation(object value: JSON, of schema: JSON, at path: String) -> String? {
    guard value.kind == .object, let properties = schema["properties"] else { return "\(path) is not an object" }
    for name in schema["required"]?.elements?.compactMap(\.string) ?? [] where value[name] == nil {
      return "\(path).\(name) is missing"
    }
    for name in value.names {
      guard let member = value[name], let property = properties[name] else {
        return "\(path).\(name) is not a member of its schema"
      }
      if let violation = violation(member, of: property, at: "\(path).\(name)") { return violation }
    }
    return nil
  }
}
