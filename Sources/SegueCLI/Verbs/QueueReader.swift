internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// A reader of the queue that requests it page by page and starts again if the queue changes meanwhile.
struct QueueReader {
  /// The maximum number of restarts. After it, pages of different versions are accepted.
  private static let maximumRestarts = 5

  /// A page of the queue, whose entries are decoded one by one: the queue may have a million.
  private struct Page {
    /// The entries as the daemon has sent them.
    let entries: [JSON]
    let total: Int
    let version: Int64
    let duration: MediaTime?
    let steps: QueueSteps

    init(_ json: JSON) {
      entries = json["tracks"]?.elements ?? []
      total = (json["total"]?.int ?? 0).clamped(to: 0...EntryRange.maximum)
      version = json["version"]?.integer ?? 0
      duration = json["duration"]?.time
      steps = QueueSteps(json)
    }

    var tracks: some Sequence<QueueEntry> { entries.lazy.map { QueueEntry($0) } }
  }

  private let context: VerbContext

  init(_ context: VerbContext) { self.context = context }

  /// Returns the entries of `range` for a table, the playback state and the length of the queue.
  func rows(_ range: EntryRange) throws(ClientError) -> (rows: [QueueTable.Row], state: PlayState, total: Int) {
    let status = try context.call(StatusRequest()).value
    var rows: [QueueTable.Row] = []
    let lastPage = try pages([range]) { page, isFirst in
      if isFirst { rows = [] }
      for track in page.tracks { rows.append(.init(track, current: status.track?.id)) }
    }
    return (rows, status.state, lastPage.total)
  }

  /// Returns the result of `queue.list` for `range` in the form of a single page.
  func json(_ range: EntryRange) throws(ClientError) -> [UInt8] {
    var tracks: [JSON] = []
    let lastPage = try pages([range]) { page, isFirst in
      if isFirst { tracks = [] }
      tracks += page.entries
    }
    var whole = JSONWriter()
    whole.beginObject()
    whole.member("tracks", values: tracks)
    whole.member("total", lastPage.total)
    whole.member("offset", range.first - 1)
    whole.member("version", lastPage.version)
    whole.member("duration", lastPage.duration)
    whole.member("undo", lastPage.steps.undo)
    whole.member("redo", lastPage.steps.redo)
    whole.endObject()
    return whole.bytes
  }

  /// Returns a value of every entry, in the order of the queue.
  func values<Value>(_ value: (QueueEntry) -> Value) throws(ClientError) -> [Value] {
    var values: [Value] = []
    _ = try pages([.all]) { page, isFirst in
      if isFirst { values = [] }
      values += page.tracks.map(value)
    }
    return values
  }

  /// Returns the entries of ranges, none of which is open at its end, with their numbers and in the form of results.
  /// Throws if an entry does not exist.
  func results(_ ranges: [EntryRange]) throws(ClientError) -> [(number: Int, result: ResultList.Result)] {
    var entries: [(number: Int, result: ResultList.Result)] = []
    let lastPage = try pages(ranges) { page, isFirst in
      if isFirst { entries = [] }
      for track in page.tracks {
        let title = track.heading(context.style)
        entries.append((track.index.oneBased, ResultList.Result(uri: track.uri, title: title)))
      }
    }
    let highest = ranges.compactMap(\.last).max() ?? 0
    if highest > lastPage.total { throw .noEntry(highest, of: lastPage.total) }
    return entries
  }

  /// The entries that satisfy a condition, as the daemon has sent them, with the status.
  struct Matches {
    fileprivate(set) var tracks: [JSON] = []
    let status: Status

    /// The entries as one page of `queue.list`.
    var json: [UInt8] {
      var json = JSONWriter()
      json.beginObject()
      json.member("tracks", values: tracks)
      json.member("total", tracks.count)
      json.endObject()
      return json.bytes
    }
  }

  /// Returns the entries that satisfy a condition.
  func matches(_ isMatch: (QueueEntry) -> Bool) throws(ClientError) -> Matches {
    var matches = Matches(status: try context.call(StatusRequest()).value)
    _ = try pages([.all]) { page, isFirst in
      if isFirst { matches.tracks = [] }
      matches.tracks += page.entries.filter { isMatch(QueueEntry($0)) }
    }
    return matches
  }

  /// Returns the ids of the entries in the given order without duplicates, and the length of the queue. Throws if an
  /// entry does not exist.
  func ids(_ ranges: [EntryRange]) throws(ClientError) -> (ids: [UInt64], total: Int) {
    var found: [UInt64] = []
    let lastPage = try pages(ranges) { page, isFirst in
      if isFirst { found = [] }
      found += page.tracks.map(\.id)
    }
    let total = lastPage.total
    for range in ranges {
      if max(range.first, range.last ?? 0) > total { throw .noEntry(max(range.first, total + 1), of: total) }
    }
    guard found.count == ranges.reduce(0, { $0 + ($1.last ?? total) - $1.first + 1 }) else {
      throw .invalidResponse(tr("the daemon sent fewer entries than it has"))
    }
    var seen: Set<UInt64> = []
    return (found.filter { seen.insert($0).inserted }, total)
  }

  /// Passes every page of `ranges` to `body` and returns the last one. `isFirst` is true for the first page after each
  /// restart.
  private func pages(_ ranges: [EntryRange], _ body: (Page, _ isFirst: Bool) -> Void) throws(ClientError) -> Page {
    var restarts = 0
    while true {
      var last: Page?
      var isConsistent = true
      for range in ranges where isConsistent {
        var offset = range.first - 1
        while isConsistent {
          let page = try page(offset, range.last)
          isConsistent =
            last == nil || restarts == Self.maximumRestarts || last?.version == page.version
          if isConsistent { body(page, last == nil) }
          last = page
          offset += page.entries.count
          if page.entries.isEmpty || offset >= min(range.last ?? .max, page.total) { break }
        }
      }
      guard let last else { throw .usage(tr("no entries were named")) }
      if isConsistent { return last }
      restarts += 1
    }
  }

  private func page(_ offset: Int, _ last: Int?) throws(ClientError) -> Page {
    let limit = min(ResponseLimits.listLength, (last ?? .max) - offset)
    return Page(
      try context.call(QueueListRequest(offset: offset, limit: limit), progress: tr("reading the queue…")).json)
  }
}

extension JSONWriter {
  /// Writes a member with an array of values that the daemon has sent.
  mutating func member(_ name: StaticString, values: [JSON]) {
    key(name)
    beginArray()
    for value in values { self.value(value) }
    endArray()
  }
}

extension ClientError {
  /// Creates the error for an entry that does not exist in a queue of `total` entries.
  static func noEntry(_ number: Int, of total: Int? = nil) -> ClientError {
    ClientError(
      .failed,
      total.map {
        trn("there is no entry %2$d: the queue has %1$d", "there is no entry %2$d: the queue has %1$d", $0, number)
      }
        ?? tr("there is no entry %1$d", number),
      kind: Failure.Kind.noSuchTrack.rawValue, hints: hints(for: .noSuchTrack))
  }
}
