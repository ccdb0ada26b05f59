internal import SegueSystem
internal import SegueWire

extension Verb {
  static let queue = [
    Verb(
      "list", aliases: ["ls", "queue"], .queue, "[FROM[-TO]]", 0...1, "what is in the queue, the current one marked",
      details: """
        On a terminal a table that fits it; into a pipe every entry in a line of its
        own: number, title, artist, duration, and “current” or “unplayable” or
        nothing, with tabs between. ~4:56 is an estimate, “live” has no end.

          segue list                     everything
          segue list 100                 from entry 100 on
          segue list 5-10
          segue list | cut -f2 | sort | uniq -d
        """, run: QueueVerbs.list),
    Verb(
      "add", .queue, "PATH|URL…", 1...many, "put files, folders, playlists, URLs at the end",
      details: """
        Folders are taken whole, in the order of disc and track. Playlists: m3u, m3u8,
        pls, xspf, cue. What cannot be added is named, and the rest is added; the exit
        status is 1 if that is one of the arguments.

          segue add ~/Music
          segue add one.flac two.mp3 https://example.org/radio.m3u
          segue add segue:album/12       of the library; artist/ID, genre/NAME,
                                         playlist/NAME, search/QUERY likewise
        """, run: QueueVerbs.add),
    Verb(
      "insert", .queue, "PATH|URL…", 1...many, "the same, after the current entry",
      details: """
          segue insert encore.ogg        is played next
        """, run: QueueVerbs.insert),
    Verb(
      "remove", aliases: ["rm", "del"], .queue, "N|N-M…", 1...many, "take entries out",
      details: """
          segue remove 3
          segue remove 2 5-9 12          numbers are those before the call
        """, run: QueueVerbs.remove),
    Verb(
      "move", aliases: ["mv"], .queue, "N[-M] TO", 2...2, "move entries, so that the first stands at TO",
      details: """
          segue move 9 1                 the ninth becomes the first
          segue move 4-6 10
        """, run: QueueVerbs.move),
    Verb("clear", .queue, "", 0...0, "empty the queue", run: QueueVerbs.clear),
  ]
}

enum QueueVerbs {
  @Sendable static func list(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    var range = EntryRange.all
    if let argument = arguments.first { range = try EntryRange(parsing: argument.text, open: true) }
    if session.options.json { return session.console.line(bytes: try QueueReader(session).json(range)) }
    let reading = try QueueReader(session).rows(range)
    if reading.total == 0 {
      if session.style.isTerminal { session.console.line("The queue is empty.  segue add PATH   puts something in.") }
      return
    }
    if range.first > reading.total { throw .noEntry(range.first, of: reading.total) }
    let table = QueueTable(rows: reading.rows, state: reading.state, style: session.style)
    for line in table.lines { session.console.line(line) }
  }

  @Sendable static func add(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    try session.withResources(arguments) { uris throws(ClientError) in
      try add(session, uris, at: "end", play: false)
    }
  }

  @Sendable static func insert(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    try session.withResources(arguments) { uris throws(ClientError) in
      try add(session, uris, at: "next", play: false)
    }
  }

  /// Adds what can be added and reports the rest. Fails if one of `uris` is among the rest: a file that is broken in a
  /// folder or missing from a playlist is no failure of the folder or playlist. With `play`, waits for the first sound.
  static func add(_ session: Session, _ uris: [String], at place: String, play: Bool) throws(ClientError) {
    let addition = try Addition(session, uris, at: place, play: play)
    if session.options.json, !play || addition.first == nil { session.console.line(bytes: addition.json) }
    if play, uris.count == 1, addition.first == nil, let refused = addition.failed.listed.first {
      throw .refused(refused)
    }
    session.complain(about: addition.failed, without: "cannot be added")
    guard let first = addition.first else {
      throw ClientError(
        .failed, addition.failed.total == 0 ? "there is nothing to play in it" : "nothing was added",
        hints: ["segue help add   tells what can be added"])
    }
    if play {
      try PlaybackStart(session: session, entry: first).finish(try session.call(Request("status")))
    } else if !session.options.json {
      session.console.line("added \(counted(addition.count, "track"))")
    }
    if addition.isArgumentRefused { throw .reported }
  }

  @Sendable static func remove(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    var ranges: [EntryRange] = []
    for argument in arguments { ranges.append(try EntryRange(parsing: argument.text)) }
    let (ids, _) = try QueueReader(session).ids(ranges)
    // 1 MiB is the longest request; an id has 20 digits at most.
    var result: JSON?
    var rest = ids[...]
    while !rest.isEmpty {
      let batch = rest.prefix(40_000)
      rest = rest.dropFirst(40_000)
      result = try session.call(Request("queue.remove") { $0.ids(batch) }, note: "removing…")
    }
    if let result { session.print(result) { summary("removed", ids.count, $0) } }
  }

  @Sendable static func move(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let range = try EntryRange(parsing: arguments[0].text)
    guard let target = EntryRange.number(arguments[1].text) else {
      throw .usage("“\(arguments[1].text)” is no place in the queue: entries are numbered from 1")
    }
    let (ids, total) = try QueueReader(session).ids([range])
    guard target <= total else { throw .noEntry(target, of: total) }
    let result = try session.call(
      Request("queue.move") {
        $0.ids(ids[...])
        $0.member("to", target - 1)
      }, note: "moving…")
    session.print(result) { summary("moved", ids.count, $0) }
  }

  @Sendable static func clear(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    session.print(try session.call(Request("queue.clear"))) { _ in "the queue is empty" }
  }

  private static func summary(_ done: String, _ count: Int, _ result: JSON) -> String {
    let left = result["length"]?.int.map { "; \($0) in the queue" } ?? ""
    return "\(done) \(counted(count, "track"))\(left)"
  }
}

extension JSONWriter {
  fileprivate mutating func ids(_ ids: ArraySlice<UInt64>) {
    key("ids")
    beginArray()
    for id in ids { integer(id) }
    endArray()
  }
}
