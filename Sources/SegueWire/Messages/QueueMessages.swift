/// The result of `list`.
public struct QueuePage: Equatable, JSONEncodable {
  public var tracks: [Track]
  public var total: Int
  public var offset: Int
  public var version: UInt64
  /// The changes that `queue.undo` and `queue.redo` would undo and redo.
  public var steps: QueueSteps

  public init(tracks: [Track], total: Int, offset: Int, version: UInt64, steps: QueueSteps = QueueSteps()) {
    self.tracks = tracks
    self.total = total
    self.offset = offset
    self.version = version
    self.steps = steps
  }

  public func encode(into json: inout JSONWriter) {
    var room = ResponseLimits.listBytes
    json.beginObject()
    json.member("tracks", tracks, within: &room)
    json.member("total", total)
    json.member("offset", offset)
    json.member("version", version)
    steps.encodeMembers(into: &json)
    json.endObject()
  }
}

/// The state of the queue in the results of its methods and the events of its topic. A new version tells clients to
/// call `list`.
public struct QueueSummary: Equatable, JSONEncodable {
  public var version: UInt64
  public var length: Int
  /// The changes that `queue.undo` and `queue.redo` would undo and redo.
  public var steps: QueueSteps

  public init(version: UInt64, length: Int, steps: QueueSteps = QueueSteps()) {
    self.version = version
    self.length = length
    self.steps = steps
  }

  public func encode(into json: inout JSONWriter) {
    json.beginObject()
    json.member("version", version)
    json.member("length", length)
    steps.encodeMembers(into: &json)
    json.endObject()
  }
}

/// The result of `queue.add` and `queue.replace`.
public struct AddResult: Equatable, JSONEncodable {
  /// The ids of the new entries. If the user adds a track for the first time and the daemon has already added it by
  /// itself, the existing entry is used, and its id is listed.
  public var added: [UInt64]
  /// The number of existing entries among `added`.
  public var alreadyQueued: Int
  /// The URIs that could not be added.
  public var failed: URIFailureList
  public var version: UInt64

  public init(added: [UInt64], alreadyQueued: Int, failed: URIFailureList, version: UInt64) {
    self.added = added
    self.alreadyQueued = alreadyQueued
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
    json.member("alreadyQueued", alreadyQueued)
    var room = ResponseLimits.listBytes
    failed.encodeMembers(into: &json, within: &room)
    json.member("version", version)
    json.endObject()
  }
}
