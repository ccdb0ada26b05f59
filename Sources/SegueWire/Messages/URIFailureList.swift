/// The parts of a request that could not be carried out: a thousand of them, and how many there are in all. Those that
/// the request names come first, then those that were found in its folders and playlists.
public struct URIFailureList: Equatable, Sendable {
  public private(set) var listed: [URIFailure] = []
  public private(set) var total = 0
  /// The URIs that the request names, if others can be found by them.
  private var names: Set<String> = []
  /// The number of listed refusals of `names`.
  private var listedNames = 0

  public init(_ refusals: some Sequence<URIFailure> = []) {
    for refusal in refusals { append(refusal) }
  }

  /// Creates an empty list for a request that names `uris`, by which others are found.
  public init(naming uris: [String]) { names = Set(uris) }

  /// The most that are listed.
  public static let most = 1_000

  /// The number of refusals that are not listed.
  public var unlisted: Int { total - listed.count }

  public mutating func append(_ refusal: URIFailure) {
    total += 1
    if listedNames < Self.most, names.contains(refusal.uri) {
      if listed.count == Self.most { listed.removeLast() }
      listed.insert(refusal, at: listedNames)
      listedNames += 1
    } else if listed.count < Self.most {
      listed.append(refusal)
    }
  }

  public mutating func append(contentsOf more: URIFailureList) {
    for refusal in more.listed { append(refusal) }
    total += more.unlisted
  }
}

extension URIFailureList {
  /// Writes the members `failed` and `failedTotal`; see `JSONWriter.member(_:_:within:)` for `room`.
  func encodeMembers(into json: inout JSONWriter, within room: inout Int) {
    json.member("failed", listed, within: &room)
    json.member("failedTotal", total)
  }

  /// Reads the members `failed` and `failedTotal` of an answer.
  public init(_ json: JSON) {
    listed = json.list("failed")
    total = json["failedTotal"]?.int ?? listed.count
  }
}
