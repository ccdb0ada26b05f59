public import SegueSystem

/// An entry of the queue (segue-ipc(7), `Track`).
public struct Track: Equatable, JSONEncodable, JSONDecodable {
  public var id: UInt64
  public var index: Int
  public var uri: String
  public var duration: MediaTime?
  /// The accuracy of `duration`; nil until the file was probed.
  public var durationKind: DurationKind?
  public var metadata: Metadata
  public var favorite: Bool
  /// The reason why the track was skipped or not played to its end; nil if neither happened.
  public var error: LocalizableMessage?
  /// The kind of `error`.
  public var errorKind: Failure.Kind?

  public init(
    id: UInt64, index: Int, uri: String, duration: MediaTime?, durationKind: DurationKind?, metadata: Metadata,
    favorite: Bool, error: LocalizableMessage?, errorKind: Failure.Kind?
  ) {
    self.id = id
    self.index = index
    self.uri = uri
    self.duration = duration
    self.durationKind = durationKind
    self.metadata = metadata
    self.favorite = favorite
    self.error = error
    self.errorKind = errorKind
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id)
    json.member("index", index)
    json.member("uri", uri)
    json.member("duration", duration)
    json.member("durationKind", durationKind?.rawValue)
    json.member("metadata", metadata)
    json.member("favorite", favorite)
    json.errorMembers(error)
    json.member("errorKind", errorKind?.rawValue)
    json.endObject()
  }

  public init(_ json: JSON) {
    id = UInt64(clamping: json["id"]?.integer ?? 0)
    index = json["index"]?.int ?? 0
    uri = json["uri"]?.string ?? ""
    duration = json["duration"]?.time
    durationKind = json["durationKind"]?.string.flatMap(DurationKind.init)
    metadata = json["metadata"].map(Metadata.init) ?? Metadata()
    favorite = json["favorite"]?.bool ?? false
    error = LocalizableMessage(errorOf: json)
    errorKind = json["errorKind"]?.string.flatMap(Failure.Kind.init)
  }
}
