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
    values: .first(.words(SortKey.words + ["reverse"])), tr("sort the queue"),
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
    let current = try context.currentTrack().id
    let entries = try QueueReader(context).values { $0.id }
    try remove(context, entries.filter { $0 != current })
  }

  @Sendable static func dedupe(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let current = try context.call(StatusRequest()).value.track
    // The current entry counts as the first one of its file.
    var seen = Set(current.map { [$0.uri] } ?? [])
    let entries = try QueueReader(context).values { (id: $0.id, uri: $0.uri) }
    try remove(context, entries.filter { $0.id != current?.id && !seen.insert($0.uri).inserted }.map(\.id))
  }

  private static func remove(_ context: VerbContext, _ ids: [UInt64]) throws(ClientError) {
    if !ids.isEmpty { return try QueueVerbs.remove(context, ids) }
    if !context.printsJSON { context.console.printLine(tr("there is nothing to remove")) }
  }

  // MARK: Order

  /// A value by which entries are sorted.
  fileprivate enum SortKey: String, CaseIterable {
    case album, title, artist, date, duration, path

    /// Returns the values of an entry, the most significant first.
    func values(_ track: QueueEntry) -> [SortValue] {
      let metadata = track.metadata
      return switch self {
      case .album:
        [
          .text(metadata.albumArtist ?? metadata.artist), .text(metadata.album), .number(metadata.disc),
          .number(metadata.track), .text(track.title),
        ]
      case .title: [.text(track.title)]
      case .artist: [.text(metadata.artist), .text(track.title)]
      case .date:
        [.text(metadata.date ?? metadata.year.map(String.init)), .text(metadata.album), .number(metadata.track)]
      case .duration: [.number(track.duration.map { Int(clamping: $0.nanoseconds) })]
      case .path: [.text(displayURI(track.uri))]
      }
    }
  }

  /// A value of an entry. An unknown one is greater than all others.
  fileprivate enum SortValue: Comparable {
    case known(Int, String)
    case unknown

    static func text(_ text: String?) -> SortValue {
      guard let text, !text.isEmpty else { return .unknown }
      return .known(0, text.lowercased())
    }

    static func number(_ number: Int?) -> SortValue { number.map { .known($0, "") } ?? .unknown }
  }

  @Sendable static func sort(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    var words = arguments.map(\.text)
    let endsWithReverse = words.last == "reverse"
    if endsWithReverse { words.removeLast() }
    let isReversed = endsWithReverse || context.options.isGiven(.reverse)
    if words == ["year"] { words = [SortKey.date.rawValue] }
    guard words.count < 2, let key = SortKey(rawValue: words.first ?? SortKey.album.rawValue) else {
      let keys = SortKey.words.joined(separator: ", ")
      throw .usage(tr("invalid order “%1$s”: use one of %2$s, and reverse", words.joined(separator: " "), keys))
    }
    let entries = try QueueReader(context).values { (id: $0.id, values: key.values($0)) }
    // Entries with equal values keep their order.
    let sorted = entries.enumerated().sorted { one, other in
      for (place, (left, right)) in zip(one.element.values, other.element.values).enumerated() where left != right {
        let isUnknown = left == .unknown || right == .unknown
        // Only the order of the key is reversed, so that albums are still played from their starts.
        return isReversed && place == 0 && !isUnknown ? right < left : left < right
      }
      return one.offset < other.offset
    }
    try QueueVerbs.arrange(context, sorted.map(\.element.id), from: entries.map(\.id))
  }
}
