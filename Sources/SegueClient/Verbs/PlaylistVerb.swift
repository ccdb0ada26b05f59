internal import SegueSystem
internal import SegueWire

/// `segue playlist …`: the user's playlists.
enum PlaylistVerb {
  private enum Action: String, CaseIterable {
    case list, show, load, save, add, remove, rename, delete

    /// How many arguments follow it, the name among them.
    var arity: ClosedRange<Int> {
      switch self {
      case .list: 0...0
      case .show, .load, .delete: 1...1
      case .save, .add: 1...Verb.many
      case .remove: 2...Verb.many
      case .rename: 2...2
      }
    }

    var usage: String {
      switch self {
      case .list: "segue playlist list"
      case .show, .load, .delete: "segue playlist \(rawValue) NAME"
      case .save: "segue playlist save NAME [PATH|URI…] [--replace]"
      case .add: "segue playlist add NAME [PATH|URI…]"
      case .remove: "segue playlist remove NAME N|N-M…"
      case .rename: "segue playlist rename NAME NEW"
      }
    }
  }

  @Sendable static func run(_ session: Session, _ arguments: [Argument]) throws(ClientError) {
    let word = arguments.first?.text ?? "list"
    guard let action = Action(rawValue: word) else {
      let words = Action.allCases.map(\.rawValue)
      throw .usage(
        "there is no “playlist \(word)”",
        hints: Suggestion.nearest(to: word, among: words).map { ["did you mean   segue playlist \($0)   ?"] }
          ?? ["segue playlist show \(word.asArgument)   for what is in one", "segue help playlist"])
    }
    let rest = Array(arguments.dropFirst())
    guard action.arity.contains(rest.count) else {
      throw .usage("that is   \(action.usage)", hints: ["segue help playlist"])
    }
    if action != .save, let flag = session.options.flags.first { throw .usage("\(flag) goes with save") }
    guard let name = rest.first?.text else { return try list(session) }
    do throws(ClientError) {
      try carryOut(action, name, Array(rest.dropFirst()), session)
    } catch {
      // A path that is not there has its own.
      throw error.kind == Failure.Kind.notFound.rawValue && error.hints == ClientError.hints(for: .notFound)
        ? ClientError(error.exit, error.message, kind: error.kind, hints: ["segue playlist   shows the names"]) : error
    }
  }

  private static func carryOut(
    _ action: Action, _ name: String, _ rest: [Argument], _ session: Session
  ) throws(ClientError) {
    switch action {
    case .list: try list(session)
    case .show: try show(name, session)
    case .load:
      try QueueVerbs.add(session, ["segue:playlist/\(FileURI.percentEncoded(name))"], at: "end", play: false)
    case .save: try save(name, rest, session)
    case .add:
      let uris = rest.isEmpty ? [try session.currentTrack().uri] : try PlaybackVerbs.uris(rest)
      tell(try add(RequestBatches.of(uris)[...], to: name, session), session)
    case .remove: try remove(name, rest, session)
    case .rename:
      try change(
        session,
        Request("playlists.rename") {
          $0.member("name", name)
          $0.member("to", rest[0].text)
        })
    case .delete:
      session.print(try session.call(Request("playlists.delete") { $0.member("name", name) })) { _ in
        "\(name.visible) is deleted"
      }
    }
  }

  private static func list(_ session: Session) throws(ClientError) {
    try ListReader<PlaylistInfo>(
      session: session, method: "playlists.list",
      none: "No playlists.  segue playlist save NAME   makes one of the queue."
    ).show()
  }

  private static func show(_ name: String, _ session: Session) throws(ClientError) {
    try ListReader<PlaylistEntryRow>(
      session: session, method: "playlists.load", parameters: { $0.member("name", name) }, none: "It is empty."
    ).show()
  }

  private static func save(_ name: String, _ rest: [Argument], _ session: Session) throws(ClientError) {
    let uris = try PlaybackVerbs.uris(rest)
    let portions = RequestBatches.of(uris)
    let answer = try session.call(
      Request("playlists.save") {
        $0.member("name", name)
        if !uris.isEmpty { $0.member("uris", portions[0]) }
        if !session.options.flags.isEmpty { $0.member("replace", true) }
      }, if: .exists, hints: ["segue playlist save NAME --replace   puts this in its place"])
    tell([PlaylistResult(answer)] + (try add(portions.dropFirst(), to: name, session)), session)
  }

  private static func add(
    _ portions: ArraySlice<[String]>, to name: String, _ session: Session
  ) throws(ClientError) -> [PlaylistResult] {
    var results: [PlaylistResult] = []
    for portion in portions {
      let answer = try session.call(
        Request("playlists.add") {
          $0.member("name", name)
          $0.member("uris", portion)
        })
      results.append(PlaylistResult(answer))
    }
    return results
  }

  private static func remove(_ name: String, _ rest: [Argument], _ session: Session) throws(ClientError) {
    var ranges: [EntryRange] = []
    for argument in rest { ranges.append(try EntryRange(parsing: argument.text)) }
    let page = try session.call(
      Request("playlists.load") {
        $0.member("name", name)
        $0.member("limit", 1)
      })
    let total = (page["total"]?.int ?? 0).clamped(to: 0...EntryRange.highest)
    var indices: Set<Int> = []
    for range in ranges {
      let last = range.last ?? total
      guard last <= total else {
        throw ClientError(
          .failed, "there is no entry \(max(range.first, total + 1)): \(name) has \(total)",
          kind: Failure.Kind.outOfRange.rawValue, hints: ["segue playlist show \(name.asArgument)   shows the numbers"])
      }
      indices.formUnion((range.first - 1)..<last)
    }
    try change(
      session,
      Request("playlists.remove") { json in
        json.member("name", name)
        json.key("indices")
        json.beginArray()
        for index in indices.sorted() { json.integer(index) }
        json.endArray()
      })
  }

  private static func change(_ session: Session, _ request: Request) throws(ClientError) {
    tell([PlaylistResult(try session.call(request))], session)
  }

  /// Of requests that did it one after the other.
  private static func tell(_ results: [PlaylistResult], _ session: Session) {
    guard var result = results.last else { return }
    result.failed = URIFailureList()
    for part in results { result.failed.append(contentsOf: part.failed) }
    session.complain(about: result.failed)
    if session.options.json {
      session.print(encoded: result)
    } else {
      session.console.line(
        "\(result.playlist.name.visible): \(counted(result.playlist.trackCount, "song"))")
    }
  }
}

extension String {
  /// One word of a command to be typed.
  fileprivate var asArgument: String {
    let isPlain = unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)
    }
    let quoted = visible.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    return isPlain && !isEmpty ? self : "'\(quoted)'"
  }
}
