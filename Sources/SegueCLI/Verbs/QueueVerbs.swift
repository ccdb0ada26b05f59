internal import SegueClientKit
internal import SegueRPC
internal import SegueWire

/// The verbs `list`, `add`, `insert`, `remove`, `move` and `clear`.
enum QueueVerbs {
  static let list = Verb(
    "list", aliases: ["ls", "queue"], .queue, "[N[-M]]", 0...1, values: .first(.entries), tr("list the queue"),
    details: tr(
      """
      In a pipe, the fields are number, title, artist, duration, and “current”,
      “unplayable”, “incomplete” or nothing, separated by tabs. ~4:56 is an
      estimated duration; “live” means unlimited. If less shows the whole queue, it
      begins around the current entry.

        segue list                     all entries
        segue list 100                 entry 100 and all after it
        segue list 5-10
        segue list | cut -f2 | sort | uniq -d
      """), isLong: true, run: list)

  static let add = Verb(
    "add", .queue, "PATH|URL…", 1...Verb.unlimited, values: .resources,
    tr("append files, folders, playlists and URLs"),
    details: tr(
      """
      Folders are added recursively, in disc and track order. Playlist formats: m3u,
      m3u8, pls, xspf, cue. Files that cannot be added are listed; the exit status
      is 1 if an argument itself cannot be added. The argument - stands for the
      lines of standard input, or for its parts that end with a NUL.

        segue add ~/Music
        segue add one.flac two.mp3 https://example.org/radio.m3u
        segue add album kind of blue   an album by its name; also artist, track,
                                       genre and playlist
        segue add segue:album/12       by its URI; also artist/ID, genre/NAME,
                                       playlist/NAME, search/QUERY
        segue add 2-5                  results 2 to 5 of the last list
        find ~/Music -mtime -7 -name '*.flac' -print0 | segue add -
      """), run: add)

  static let insert = Verb(
    "insert", .queue, "PATH|URL…", 1...Verb.unlimited, values: .resources, tr("insert after the current entry"),
    details: tr(
      """
      The arguments are as for add.

        segue insert encore.ogg        play it next
        segue insert track so what
      """), run: insert)

  static let remove = Verb(
    "remove", aliases: ["rm", "del"], .queue, "N|N-[M]…", 1...Verb.unlimited, values: .all(.entries),
    tr("remove entries"),
    details: tr(
      """
        segue remove 3
        segue remove 2,5-9 12          numbers as in segue list
        segue remove 20-               entry 20 and all after it
      """), run: remove)

  static let move = Verb(
    "move", aliases: ["mv"], .queue, "N[-M] TO", 2...2, values: .all(.entries), tr("move entries to position TO"),
    details: tr(
      """
        segue move 9 1                 entry 9 becomes the first
        segue move 4-6 10
      """), run: move)

  static let clear = Verb(
    "clear", .queue, "", 0...0, tr("empty the queue"),
    details: tr(
      """
        segue clear
        segue undo                     the queue is as before
      """), run: clear)

  @Sendable static func list(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var range = EntryRange.all
    if let argument = arguments.first { range = try EntryRange(parsing: argument.text, open: .always) }
    if context.printsJSON { return context.console.printLine(json: try QueueReader(context).json(range)) }
    let reading = try QueueReader(context).rows(range)
    if reading.total == 0 {
      if context.style.isTerminal {
        context.console.printLine(tr("The queue is empty.  segue add PATH   adds music."))
      }
      return
    }
    if range.first > reading.total { throw .noEntry(range.first, of: reading.total) }
    let table = QueueTable(rows: reading.rows, state: reading.state, style: context.style)
    // A part of the queue is shown from its start.
    if range == .all, let current = reading.rows.firstIndex(where: { $0.mark == .current }) {
      context.console.startPager(atLine: current.oneBased)
    }
    for line in table.lines { context.console.printLine(line) }
    context.supersedeResults()
  }

  @Sendable static func add(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try context.withResources(arguments) { uris throws(ClientError) in
      try add(context, uris, .atEnd)
    }
  }

  @Sendable static func insert(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try context.withResources(arguments) { uris throws(ClientError) in
      try add(context, uris, .afterCurrent)
    }
  }

  /// Adds URIs to the queue and prints an error for each failure. Throws if one of `uris` itself is rejected, but not
  /// for files in folders and entries of playlists. Waits for the start of playback if the placement is `playNow`, or
  /// if `playsFirst` is true, which plays the first entry of the queue afterwards.
  static func add(
    _ context: VerbContext, _ uris: [String], _ placement: AddCommand.Placement, playsFirst: Bool = false
  ) throws(ClientError) {
    let play = placement == .playNow || playsFirst
    let addition = try AddCommand(context, uris, placement)
    if context.printsJSON, !play || addition.firstID == nil { context.console.printLine(json: addition.json) }
    if play, uris.count == 1, addition.firstID == nil, let failure = addition.failed.listed.first {
      throw .cannotPlay(failure)
    }
    context.printErrors(addition.failed, defaultReason: tr("cannot be added"))
    guard let first = addition.firstID else {
      throw ClientError(
        .failed, addition.failed.total == 0 ? tr("nothing to play was found") : tr("nothing was added"),
        hints: [tr("segue help add   lists what can be added")])
    }
    if play {
      let request: any ProtocolRequest<Status> = playsFirst ? PlayRequest(.index(0)) : StatusRequest()
      try PlaybackStart(context: context, entry: first).waitAndPrint(try context.call(request))
    } else if !context.printsJSON {
      printCounts(context, addition)
    }
    if addition.isArgumentRejected { throw .alreadyReported }
  }

  private static func printCounts(_ context: VerbContext, _ addition: AddCommand) {
    let new = addition.count - addition.alreadyQueued
    if new > 0 || addition.alreadyQueued == 0 {
      context.console.printLine(trn("added %1$d track", "added %1$d tracks", new))
    }
    guard addition.alreadyQueued > 0 else { return }
    context.console.printLine(
      trn(
        "%1$d track was in the queue already; the same command adds it again",
        "%1$d tracks were in the queue already; the same command adds them again", addition.alreadyQueued))
  }

  @Sendable static func remove(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try remove(context, try QueueReader(context).ids(try EntryRange.list(parsing: arguments, open: .withDash)).ids)
  }

  /// Removes the entries with these ids.
  static func remove(_ context: VerbContext, _ ids: [UInt64]) throws(ClientError) {
    var result: Response<QueueSummary>?
    let batches = NumberBatches.split(ids)
    let command = CommandNumber.forRequests(batches.count)
    for batch in batches {
      result = try context.call(
        QueueRemoveRequest(ids: Array(batch), command: command), progress: tr("removing…"))
    }
    if let result {
      context.print(result) {
        QueueChangeLine.text(trn("removed %1$d track", "removed %1$d tracks", ids.count), left: $0.length)
      }
    }
  }

  @Sendable static func move(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let range = try EntryRange(parsing: arguments[0].text, open: .withDash)
    guard let target = EntryRange.positiveInteger(arguments[1].text) else {
      throw .usage(tr("invalid target “%1$s”: use a number from 1", arguments[1].text))
    }
    let (ids, total) = try QueueReader(context).ids([range])
    guard target <= total else { throw .noEntry(target, of: total) }
    let first = min(target - 1, total - ids.count)
    let batches = NumberBatches.split(ids)
    // Towards the start of the queue, the first batch is moved first; towards its end, the last batch. Then each batch
    // is moved to its final place, and no other batch is between the two places.
    let isMovedToStart = first < range.first - 1
    let command = CommandNumber.forRequests(batches.count)
    var result: Response<QueueSummary>?
    for batch in isMovedToStart ? batches : batches.reversed() {
      result = try context.call(
        QueueMoveRequest(ids: Array(batch), to: .index(first + batch.startIndex), command: command),
        progress: tr("moving…"))
    }
    if let result {
      context.print(result) {
        QueueChangeLine.text(trn("moved %1$d track", "moved %1$d tracks", ids.count), left: $0.length)
      }
    }
  }

  @Sendable static func clear(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    context.print(try context.call(QueueClearRequest())) { _ in tr("the queue is empty") }
  }

}

/// The line that verbs print after a change of the queue.
enum QueueChangeLine {
  /// Returns what was done, and the length of the queue.
  static func text(_ done: String, left: Int) -> String {
    done + "; " + trn("%1$d in the queue", "%1$d in the queue", left)
  }
}
