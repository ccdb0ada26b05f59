internal import SeguePlayer
internal import SegueWire

/// The OpenRPC 1.2.6 document of the protocol, which is derived from the method table and the topics. OpenRPC does not
/// define notifications of a server; they are described in an extension, `x-events`.
struct OpenRPCDocument: JSONEncodable {
  let methods: [Method]
  let version: String

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("openrpc", "1.2.6")
    json.key("info")
    json.beginObject()
    json.member("title", "Segue")
    json.member("version", version)
    json.member("description", "JSON-RPC 2.0 over a Unix stream socket, one message per line. See segue-ipc(7).")
    json.endObject()
    json.member("methods", methods)
    json.member("x-events", Topic.allCases.map(NotificationSchema.init))
    json.key("components")
    json.beginObject()
    json.key("schemas")
    json.beginObject()
    for (name, schema) in Self.schemas {
      json.key(named: name)
      schema.encode(into: &json)
    }
    json.endObject()
    json.key("errors")
    json.beginObject()
    for kind in Failure.Kind.allCases { writeError(kind, into: &json) }
    json.endObject()
    json.endObject()
    json.endObject()
  }

  private func writeError(_ kind: Failure.Kind, into json: inout JSONWriter) {
    json.key(named: kind.rawValue)
    Failure(kind, .plain(kind.rawValue.split(separator: "_").joined(separator: " "))).encode(into: &json)
  }
}

extension Method: JSONEncodable {
  /// Encodes an OpenRPC Method Object.
  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    json.member("summary", summary)
    if let rule = parameterRule.wording { json.member("description", rule) }
    json.member("paramStructure", "either")
    json.member("params", parameters)
    json.key("result")
    json.beginObject()
    json.member("name", result.name)
    json.member("schema", result.schema)
    json.endObject()
    json.member("errors", allErrors.map(ErrorReference.init))
    json.endObject()
  }
}

/// An OpenRPC Reference Object for a kind of error in `components`.
private struct ErrorReference: JSONEncodable {
  let kind: Failure.Kind

  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("$ref", "#/components/errors/\(kind.rawValue)")
    json.endObject()
  }
}

extension Method.ParameterRule {
  fileprivate var wording: String? {
    switch self {
    case .any: nil
    case .atMostOne: "A request contains at most one of the parameters."
    case .exactlyOne: "A request contains exactly one of the parameters."
    }
  }
}

extension Method.Parameter: JSONEncodable {
  /// Encodes an OpenRPC Content Descriptor Object.
  func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    json.member("summary", summary)
    json.member("required", isRequired)
    json.key("schema")
    json.beginObject()
    schema.writeKeywords(into: &json)
    if let defaultValue {
      json.key("default")
      json.raw(defaultValue.utf8)
    }
    json.endObject()
    json.endObject()
  }
}
