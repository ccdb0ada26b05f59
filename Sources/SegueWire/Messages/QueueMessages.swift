/// The answer of `list`.
public struct QueuePage: Equatable, JSONEncodable {
  public var tracks: [Track]
  public var total: Int
  public var offset: Int
  public var version: UInt64

  public init(tracks: [Track], total: Int, offset: Int, version: UInt64) {
    self.tracks = tracks
    self.total = total
    self.offset = offset
    self.version = version
  }

  public func encode(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.beginObject()
    json.member("tracks", tracks, within: &room)
    json.member("total", total)
    json.member("offset", offset)
    json.member("version", version)
    json.endObject()
  }
}

/// What the queue's topic and the queue's methods say: enough to know that a `list` is due.
public struct QueueSummary: Equatable, JSONEncodable {
  public var version: UInt64
  public var length: Int

  public init(version: UInt64, length: Int) {
    self.version = version
    self.length = length
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("version", version)
    json.member("length", length)
    json.endObject()
  }
}

/// The answer of `queue.add` and `queue.replace`.
public struct AddResult: Equatable, JSONEncodable {
  /// The ids of the new entries, and of those that the daemon has put into the queue by itself and that the user names
  /// for the first time.
  public var added: [UInt64]
  /// What could not be added, and why.
  public var failed: URIFailureList
  public var version: UInt64

  public init(added: [UInt64], failed: URIFailureList, version: UInt64) {
    self.added = added
    self.failed = failed
    self.version = version
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.key("added")
    json.beginArray()
    for id in added.prefix(ResponseLimits.listLength) { json.integer(id) }
    json.endArray()
    json.member("addedTotal", added.count)
    var room = ResponseLimits.listBytes
    failed.encodeMembers(into: &json, within: &room)
    json.member("version", version)
    json.endObject()
  }
}
