internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verbs `find`, `replace`, `crop`, `dedupe` and `sort`.
enum QueueEditVerbs {
  static let find = Verb(
    "find", .queue, "WORD…", 1...Verb.unlimited, tr("list the entries that contain all words"),
    details: tr(
      """
      The words are searched in title, artist and album, in upper or lower case. The
      numbers are those of the queue. The exit status is 1 if no entry is found.

        segue find miles blue          entries with both words
        segue play 12                  plays one of them
      """), isLong: true, run: find)

  static let replace = Verb(
    "replace", .queue, "PATH|URL… [--play]", 1...Verb.unlimited, options: [.play], values: .resources,
    tr("replace the queue"),
    details: tr(
      """
      The arguments are as for add. If nothing can be added, the queue stays. If
      music plays, playback continues with the first new entry, or with the current
      track if it is among the new ones. --play plays the first new entry anyway.

        segue replace ~/Music/Album
        segue replace playlist morning --play
      """), run: replace)

  static let crop = Verb(
    "crop", .queue, "", 0...0, tr("remove all entries but the current one"),
    details: tr(
      """
        segue crop
        segue undo                     the queue is as before
      """), run: crop)

  static let dedupe = Verb(
    "dedupe", .queue, "", 0...0, tr("remove entries that are in the queue twice"),
    details: tr(
      """
      Of the entries of one file, the first stays, or the current one.

        segue dedupe
      """), run: dedupe)

  static let sort = Verb(
    "sort", .queue, "[KEY] [reverse|--reverse]", 0...2, options: [.reverse],
    values: .first(.words(QueueSort.words + ["reverse"])), tr("sort the queue"),
    details: tr(
      """
      KEY is album (the default: by artist, album, disc and track), title, artist,
      date, duration or path. Entries without a value come last. reverse keeps the
      order of the tracks in an album.

        segue sort title
        segue sort date reverse        the newest first
        segue undo                     the queue is as before
      """), run: sort)

  @Sendable static func find(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let words = arguments.map { $0.text.lowercased() }
    let found = try QueueReader(context).matches { track in
      let text = "\(track.title) \(track.artist) \(track.metadata.album ?? "")".lowercased()
      return words.allSatisfy(text.containsSubstring)
    }
    guard !found.tracks.isEmpty else {
      throw ClientError(
        .failed, tr("no entry of the queue contains all these words"), kind: Failure.Kind.notFound.rawValue,
        hints: [tr("segue search WORD   searches the library")])
    }
    if context.printsJSON { return context.console.printLine(json: found.json) }
    let rows = found.tracks.map { QueueTable.Row(QueueEntry($0), current: found.status.track?.id) }
    for line in QueueTable(rows: rows, state: found.status.state, style: context.style).lines {
      context.console.printLine(line)
    }
    context.supersedeResults()
  }

  @Sendable static func replace(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try context.withResources(arguments) { uris throws(ClientError) in
      try QueueVerbs.add(context, uris, .replacingQueue, playsFirst: context.options.isGiven(.play))
    }
  }

  @Sendable static func crop(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    _ = try context.currentTrack()
    try remove(context, QueueCropRequest())
  }

  @Sendable static func dedupe(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    try remove(context, QueueDedupeRequest())
  }

  /// Makes a request that removes entries, and prints how many there were.
  private static func remove(
    _ context: VerbContext, _ request: some ProtocolRequest<QueueSummary>
  ) throws(ClientError) {
    let before = try context.call(StatusRequest()).value.length
    let result = try context.call(request, progress: tr("removing…"))
    context.print(result) {
      let count = max(0, before - $0.length)
      return count == 0
        ? tr("there is nothing to remove")
        : QueueChangeLine.text(trn("removed %1$d track", "removed %1$d tracks", count), left: $0.length)
    }
  }

  // MARK: Order

  @Sendable static func sort(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var words = arguments.map(\.text)
    let endsWithReverse = words.last == "reverse"
    if endsWithReverse { words.removeLast() }
    let isReversed = endsWithReverse || context.options.isGiven(.reverse)
    if words == ["year"] { words = [QueueSort.date.rawValue] }
    guard words.count < 2, let key = QueueSort(rawValue: words.first ?? QueueSort.album.rawValue) else {
      let keys = QueueSort.words.joined(separator: ", ")
      throw .usage(tr("invalid order “%1$s”: use one of %2$s, and reverse", words.joined(separator: " "), keys))
    }
    let before = try context.call(StatusRequest()).value.version
    let order: SortOrder = isReversed ? .descending : .ascending
    let result = try context.call(QueueSortRequest(by: key, order: order), progress: tr("moving…"))
    context.print(result) {
      $0.version == before
        ? tr("the queue is in this order already") : trn("sorted %1$d track", "sorted %1$d tracks", $0.length)
    }
  }
}
