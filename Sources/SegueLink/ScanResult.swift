public import SegueWire

/// What came of looking into one file.
public enum ScanResult: Equatable, Sendable {
  case facts(FileFacts)
  case failed(Failure)
}

extension ScanResult: JSONEncodable, JSONDecodable {
  public func encode(into json: inout JSONWriter) {
    switch self {
    case .facts(let facts): facts.encode(into: &json)
    case .failed(let failure):
      json.beginObject()
      json.member("kind", failure.kind.rawValue)
      json.member("message", failure.message)
      json.endObject()
    }
  }

  public init(_ json: JSON) {
    self = json["info"] == nil ? .failed(Failure(worker: json)) : .facts(FileFacts(json))
  }
}

extension Failure {
  /// A worker's word on why something did not work.
  init(worker json: JSON) {
    self.init(
      json["kind"]?.string.flatMap(Kind.init) ?? .unplayable,
      json["message"]?.string?.cut(to: Metadata.longestText) ?? "cannot be decoded")
  }
}
