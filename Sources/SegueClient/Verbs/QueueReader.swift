internal import SegueSystem
internal import SegueWire

/// Reads the queue page by page, as one state: begins again when it changed in between.
struct QueueReader {
  private static let pageSize = 1000
  /// Changed while it was read this often, it is shown as it is.
  private static let patience = 5

  private let session: Session

  init(_ session: Session) { self.session = session }

  /// The entries of `range` for a table.
  func rows(_ range: EntryRange) throws(ClientError) -> (rows: [QueueTable.Row], state: PlayState, total: Int) {
    let status = Status(try session.call(Request("status")))
    var rows: [QueueTable.Row] = []
    let end = try pages([range]) { page, isFirst in
      if isFirst { rows = [] }
      for track in page["tracks"]?.elements ?? [] { rows.append(.init(Track(track), current: status.track?.id)) }
    }
    return (rows, status.state, total(end))
  }

  /// The answer of `list` for `range`, as if it had come in one page.
  func json(_ range: EntryRange) throws(ClientError) -> [UInt8] {
    var tracks: [JSON] = []
    let end = try pages([range]) { page, isFirst in
      if isFirst { tracks = [] }
      tracks += page["tracks"]?.elements ?? []
    }
    var whole = JSONWriter()
    whole.beginObject()
    whole.key("tracks")
    whole.beginArray()
    for track in tracks { whole.value(track) }
    whole.endArray()
    whole.member("total", total(end))
    whole.member("offset", range.first - 1)
    whole.member("version", end["version"]?.integer ?? 0)
    whole.endObject()
    return whole.bytes
  }

  /// The ids of entries, each once, in the order they were named, and how many the queue has. Throws if one is not there.
  func ids(_ ranges: [EntryRange]) throws(ClientError) -> (ids: [UInt64], total: Int) {
    var found: [UInt64] = []
    let end = try pages(ranges) { page, isFirst in
      if isFirst { found = [] }
      for track in page["tracks"]?.elements ?? [] { found.append(Track(track).id) }
    }
    let total = total(end)
    for range in ranges {
      guard let last = range.last, last > total else { continue }
      throw .noEntry(max(range.first, total + 1), of: total)
    }
    guard found.count == ranges.reduce(0, { $0 + ($1.last ?? total) - $1.first + 1 }) else {
      throw .unusable("fewer entries than it has")
    }
    var seen: Set<UInt64> = []
    return (found.filter { seen.insert($0).inserted }, total)
  }

  /// Gives every page of `ranges` to `body`, which is told when one is the first (again); the last page.
  private func pages(_ ranges: [EntryRange], _ body: (JSON, _ isFirst: Bool) -> Void) throws(ClientError) -> JSON {
    var restarts = 0
    while true {
      var last: JSON?
      var isSame = true
      for range in ranges where isSame {
        var offset = range.first - 1
        while isSame {
          let page = try page(offset, range.last)
          isSame = last == nil || restarts == Self.patience || last?["version"]?.integer == page["version"]?.integer
          if isSame { body(page, last == nil) }
          last = page
          let count = page["tracks"]?.count ?? 0
          offset += count
          if count == 0 || offset >= min(range.last ?? .max, total(page)) { break }
        }
      }
      guard let last else { throw .usage("no entries were named") }
      if isSame { return last }
      restarts += 1
    }
  }

  private func page(_ offset: Int, _ last: Int?) throws(ClientError) -> JSON {
    let request = Request("list") {
      $0.member("offset", offset)
      $0.member("limit", min(Self.pageSize, (last ?? .max) - offset))
    }
    return try session.call(request, note: "reading the queue…")
  }

  private func total(_ page: JSON) -> Int { (page["total"]?.int ?? 0).clamped(to: 0...EntryRange.highest) }
}

extension ClientError {
  static func noEntry(_ number: Int, of total: Int? = nil) -> ClientError {
    ClientError(
      .failed, "there is no entry \(number)" + (total.map { ": the queue has \($0)" } ?? ""),
      kind: Failure.Kind.noSuchTrack.rawValue, hints: hints(for: .noSuchTrack))
  }
}
