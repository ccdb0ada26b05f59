public import SegueWire

/// What came of looking into one file.
public enum ScanResult: Equatable, Sendable {
  case facts(FileFacts)
  case failed(Failure)

  /// What a worker told, kept to what a file can have.
  var bounded: ScanResult {
    switch self {
    case .facts(let facts): .facts(facts.bounded)
    case .failed(let failure): .failed(Failure(failure.kind, failure.message.cut(to: Metadata.longestText)))
    }
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
