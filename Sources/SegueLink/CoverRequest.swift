internal import SegueSystem
internal import SegueWire

/// Which picture a worker is to give, and how.
public struct CoverRequest: Hashable, Sendable {
  public enum Place: String, Sendable {
    /// In the tags of the file.
    case embedded
    /// The file is the picture.
    case file
  }

  public var place: Place
  /// Its longer side is made no longer than this, in pixels; nil: the picture stays as it is, byte for byte.
  public var edge: Int?
  /// Written as PNG, whatever it was; else a picture that is made smaller is a JPEG, or PNG where it is transparent.
  public var asPNG: Bool

  public init(place: Place = .embedded, edge: Int? = nil, asPNG: Bool = false) {
    self.place = place
    self.edge = edge
    self.asPNG = asPNG
  }
}

extension CoverRequest {
  func encode(into json: inout JSONWriter) {
    json.member("place", place.rawValue)
    json.member("edge", edge)
    json.member("asPNG", asPNG)
  }

  init(_ json: JSON) {
    place = json["place"]?.string.flatMap(Place.init) ?? .embedded
    edge = json["edge"]?.int.map { $0.clamped(to: 1...CoverInfo.maximumEdge) }
    asPNG = json["asPNG"]?.bool ?? false
  }
}
