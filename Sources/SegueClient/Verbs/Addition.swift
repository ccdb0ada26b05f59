internal import SegueSystem
internal import SegueWire

/// `queue.add` for any number of URIs: what a request cannot hold goes into further ones, and the answers are joined.
struct Addition {
  private var added: [JSON] = []
  /// The number of entries that stand for the URIs: `added` may have only the first of each request.
  private(set) var count = 0
  /// The URIs that could not be added, with the reasons.
  private(set) var failed = URIFailureList()
  /// Whether one of the URIs was refused. Each answer lists those before what was found in playlists and folders.
  private(set) var isArgumentRefused = false
  private var version: JSON?

  init(_ session: Session, _ uris: [String], at place: String, play: Bool) throws(ClientError) {
    let batches = RequestBatches.of(uris)
    var answers: [JSON] = []
    // Each batch placed after the current entry pushes those placed before it on: the last goes first.
    let isBackwards = place == "next"
    for (number, batch) in (isBackwards ? batches.reversed() : batches).enumerated() {
      let isFirst = isBackwards ? number == batches.count - 1 : number == 0
      let request = Request("queue.add") { json in
        json.member("uris", batch)
        json.member("at", place)
        if play, isFirst { json.member("play", true) }
      }
      answers.append(try session.call(request, note: Self.note(uris, play: play)))
    }
    version = answers.last?["version"]
    let names = Set(uris)
    for answer in isBackwards ? answers.reversed() : answers {
      let ids = answer["added"]?.elements ?? []
      added += ids
      count += answer["addedTotal"]?.int ?? ids.count
      let refusals = URIFailureList(answer)
      isArgumentRefused = isArgumentRefused || refusals.listed.contains { names.contains($0.uri) }
      failed.append(contentsOf: refusals)
    }
  }

  /// The id of the first of them.
  var first: UInt64? { added.first?.integer.map { UInt64(clamping: $0) } }

  /// The answer as one request would have had it.
  var json: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("added")
    json.beginArray()
    for id in added { json.value(id) }
    json.endArray()
    json.member("addedTotal", count)
    json.member("failed", failed.listed)
    json.member("failedTotal", failed.total)
    json.key("version")
    if let version { json.value(version) } else { json.null() }
    json.endObject()
    return json.bytes
  }

  private static func note(_ uris: [String], play: Bool) -> String {
    let verb = play ? "opening" : "adding"
    return uris.count == 1 ? "\(verb) \(place(uris[0]))…" : "\(verb) \(uris.count) places…"
  }
}
