/// The parts of a request that could not be carried out: the first thousand of them, and how many there are in all.
public struct Refusals: Equatable, Sendable {
  public private(set) var listed: [RefusedURI] = []
  public private(set) var total = 0

  public init(_ refusals: some Sequence<RefusedURI> = []) {
    for refusal in refusals { append(refusal) }
  }

  /// The most that are listed.
  public static let most = 1_000

  /// The number of refusals that are not listed.
  public var unlisted: Int { total - listed.count }

  public mutating func append(_ refusal: RefusedURI) {
    if listed.count < Self.most { listed.append(refusal) }
    total += 1
  }

  public mutating func append(contentsOf more: Refusals) {
    listed += more.listed.prefix(Self.most - listed.count)
    total += more.total
  }

  /// Counts `count` more that nobody keeps.
  public mutating func count(unlisted count: Int) { total += count }
}

extension Refusals {
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
