internal import SegueSystem
internal import SegueWire

/// Reads the queue page by page, as one state: begins again when it changed in between.
struct QueueReader {
  private static let pageSize = 1000
  /// Changed while it was read this often, it is shown as it is.
  private static let patience = 5

  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Entries `first`…`last` (1-based; nil: to the end) for a table.
  func rows(_ first: Int, _ last: Int?) throws(ClientError) -> (rows: [QueueTable.Row], state: PlayState, total: Int) {
    let status = Status(try session.call(Request("status")))
    var rows: [QueueTable.Row] = []
    let end = try pages(first, last, restart: { rows = [] }) { page in
      for track in page["tracks"]?.elements ?? [] { rows.append(.init(Track(track), current: status.track?.id)) }
    }
    return (rows, status.state, end["total"]?.int ?? 0)
  }

  /// The answer of `list` as if it had come in one page.
  func json(_ first: Int, _ last: Int?) throws(ClientError) -> [UInt8] {
    var tracks: [JSON] = []
    let end = try pages(first, last, restart: { tracks = [] }) { tracks += $0["tracks"]?.elements ?? [] }
    var whole = JSONWriter()
    whole.beginObject()
    whole.key("tracks")
    whole.beginArray()
    for track in tracks { whole.value(track) }
    whole.endArray()
    whole.member("total", end["total"]?.int ?? 0)
    whole.member("offset", first - 1)
    whole.member("version", end["version"]?.integer ?? 0)
    whole.endObject()
    return whole.bytes
  }

  /// The ids of entries, each once, in the order they were named. Throws if one is not there.
  func ids(_ ranges: [EntryRange]) throws(ClientError) -> [UInt64] {
    var ids: [UInt64] = []
    var seen: Set<UInt64> = []
    for range in ranges {
      var found: [UInt64] = []
      let end = try pages(range.first, range.last, restart: { found = [] }) { page in
        for track in page["tracks"]?.elements ?? [] { found.append(Track(track).id) }
      }
      let total = end["total"]?.int ?? 0
      let last = range.last ?? total
      guard last <= total, found.count == last - range.first + 1 else {
        throw ClientError(
          .failed, "there is no entry \(max(range.first, min(last, total + 1))): the queue has \(total)",
          kind: "no_such_track", hints: ["segue list   shows the numbers"])
      }
      ids += found.filter { seen.insert($0).inserted }
    }
    return ids
  }

  /// Gives each page of entries `first`…`last` to `body`; the last page. `restart` forgets what was given so far.
  private func pages(
    _ first: Int, _ last: Int?, restart: () -> Void, _ body: (JSON) -> Void
  ) throws(ClientError) -> JSON {
    var offset = first - 1
    var version: Int64?
    var restarts = 0
    while true {
      let limit = min(Self.pageSize, (last ?? .max) - offset)
      let page = try session.call(
        Request("list") {
          $0.member("offset", offset)
          $0.member("limit", limit)
        }, note: "reading the queue…")
      let pageVersion = page["version"]?.integer
      if version != nil, version != pageVersion, restarts < Self.patience {
        restarts += 1
        offset = first - 1
        version = nil
        restart()
        continue
      }
      version = pageVersion
      body(page)
      let count = page["tracks"]?.count ?? 0
      offset += count
      if count == 0 || offset >= min(last ?? .max, page["total"]?.int ?? 0) { return page }
    }
  }
}
