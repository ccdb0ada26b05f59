internal import SegueClientKit
internal import SegueRPC
internal import SegueSystem
internal import SegueWire

/// The verb `playlist`.
enum PlaylistVerb {
  static let verb = Verb(
    "playlist", aliases: ["playlists", "pl"], .library, "[VERB NAME …]", 0...Verb.unlimited,
    options: [.replace, .number], values: values, tr("list and edit playlists"),
    details: tr(
      """
      NAME is a name, or the number of an existing playlist in the last list. For
      show and load, a part suffices if only one playlist matches.

        segue playlist                 list all playlists (same as list)
        segue playlist show NAME       list the entries
        segue playlist load NAME       append the playlist to the queue
        segue playlist save NAME       save the queue; --replace overwrites
        segue playlist save NAME album kind of blue
        segue playlist add NAME [N|PATH|URI…]   default: the current track
        segue playlist remove NAME 3 5-9      remove entries by number
        segue playlist rename NAME NEW
        segue playlist delete NAME
      """), isLong: true, run: run)

  private enum Action: String, CaseIterable {
    case list, show, load, save, add, remove, rename, delete

    /// The number of arguments after the action, including the name.
    var arity: ClosedRange<Int> {
      switch self {
      case .list: 0...0
      case .show, .load, .delete: 1...1
      case .save, .add: 1...Verb.unlimited
      case .remove: 2...Verb.unlimited
      case .rename: 2...2
      }
    }

    /// A way to name a playlist.
    enum Naming {
      /// The name, which may be that of a new playlist.
      case name
      /// The name or URI, or the number in the list of playlists that was printed last.
      case nameOrNumber
      /// Also a part of the name if only one playlist matches.
      case part
    }

    var naming: Naming {
      switch self {
      case .list, .save: .name
      // The name may be that of a new playlist, and a change cannot be undone.
      case .add, .remove, .rename, .delete: .nameOrNumber
      case .show, .load: .part
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

  static let values = ArgumentValues { arguments in
    guard let word = arguments.first else { return [.words(Action.words)] }
    return switch Action(rawValue: word) {
    case .list, nil: []
    case .show, .load, .remove, .rename, .delete: arguments.count == 1 ? [.names(.playlist)] : []
    case .save, .add:
      arguments.count == 1 ? [.names(.playlist)] : ArgumentValues.resources(after: arguments.dropFirst(2))
    }
  }

  @Sendable static func run(_ context: VerbContext, _ arguments: [Argument]) throws(ClientError) {
    let word = arguments.first?.text ?? "list"
    guard let action = Action(rawValue: word) else {
      throw .usage(
        tr("unknown action “%1$s”", word),
        hints: EditDistance.nearest(to: word, in: Action.words).map {
          [tr("did you mean   segue %1$s   ?", "playlist \($0)")]
        }
          ?? [
            tr("segue playlist show %1$s   lists the entries of a playlist", word.shellQuoted), "segue help playlist",
          ])
    }
    let rest = Array(arguments.dropFirst())
    guard action.arity.contains(rest.count) else {
      throw .usage(
        rest.count < action.arity.lowerBound
          ? tr("%1$s: missing argument", "playlist \(word)") : tr("%1$s: too many arguments", "playlist \(word)"),
        hints: [
          tr("usage: %1$s", Placeholders.translated(action.usage)), tr("segue help %1$s   shows details", "playlist"),
        ])
    }
    for option in context.options.verbOptions.map(\.name) {
      let actions: [Action] = option == .replace ? [.save] : [.list, .show]
      guard actions.contains(action) else {
        throw .usage(
          tr("%1$s can only be used with %2$s", option.rawValue, actions.map(\.rawValue).joined(separator: ", ")))
      }
    }
    guard let word = rest.first?.text else { return try list(context) }
    // Invalid numbers are reported before the daemon is asked for the name.
    let ranges = action == .remove ? try EntryRange.list(parsing: rest.dropFirst()) : []
    do throws(ClientError) {
      let name = try name(for: word, action.naming, NameLookup(context: context, arguments: rest))
      try perform(action, name, Array(rest.dropFirst()), ranges, context)
    } catch {
      // Errors about missing paths have other hints.
      guard error.kind == Failure.Kind.notFound.rawValue else { throw error }
      if error.hints.isEmpty {
        throw error.with(hints: [tr("segue playlist   shows the names")])
      }
      guard [.save, .add].contains(action), rest.count > 1 else { throw error }
      let whole = ListVerbs.joined(rest).shellQuoted
      throw error.with(
        hints: error.hints + [tr("a name with spaces needs quotes: %1$s", "segue playlist \(action.rawValue) \(whole)")]
      )
    }
  }

  /// Performs an action on the playlist with this name. `ranges` are the numbers of the entries that are removed.
  private static func perform(
    _ action: Action, _ name: String, _ rest: [Argument], _ ranges: [EntryRange], _ context: VerbContext
  ) throws(ClientError) {
    switch action {
    case .list: try list(context)
    case .show: try show(name, context)
    case .load:
      try QueueVerbs.add(context, [PlaylistInfo.uri(named: name)], .atEnd)
    case .save: try save(name, rest, context)
    case .add:
      let uris = rest.isEmpty ? [try context.currentTrack().uri] : try context.uris(for: rest)
      printResult(try add(URIBatches.split(uris)[...], to: name, context), context)
    case .remove: try remove(ranges, from: name, context)
    case .rename:
      printResult([try context.call(PlaylistsRenameRequest(name: name, to: rest[0].text)).value], context)
    case .delete:
      context.print(try context.call(PlaylistsDeleteRequest(name: name))) { _ in tr("deleted %1$s", name) }
    }
  }

  /// Returns the name of the playlist for a word. A playlist with this name has precedence over one with this number,
  /// and both over one with this part of a name.
  private static func name(
    for word: String, _ naming: Action.Naming, _ lookup: NameLookup
  ) throws(ClientError) -> String {
    if naming == .name { return word }
    if let name = PlaylistInfo.name(inURI: word) { return name }
    let numbered = EntryRange.positiveInteger(word).flatMap(lookup.context.playlist)
    switch naming {
    case .name, .nameOrNumber:
      guard let numbered else { return word }
      return try exists(word, lookup.context) ? word : numbered
    case .part:
      if try exists(word, lookup.context) { return word }
      if let numbered { return numbered }
      // A number that no list has is not taken for a part of a name, and neither is an empty variable of a script.
      guard !word.isEmpty, EntryRange.positiveInteger(word) == nil else { return word }
      return try lookup.onlyMatch(PlaylistInfo.self, word).name
    }
  }

  private static func exists(_ name: String, _ context: VerbContext) throws(ClientError) -> Bool {
    do throws(ClientError) {
      _ = try context.call(PlaylistsGetRequest(name: name, limit: 1))
      return true
    } catch {
      guard error.kind == Failure.Kind.notFound.rawValue else { throw error }
      return false
    }
  }

  private static func list(_ context: VerbContext) throws(ClientError) {
    try ListReader<PlaylistInfo>(
      context: context, request: PlaylistsListRequest(),
      emptyMessage: tr("No playlists.  segue playlist save NAME   saves the queue as one.")
    ).showAsResults()
  }

  private static func show(_ name: String, _ context: VerbContext) throws(ClientError) {
    try ListReader<PlaylistEntryRow>(
      context: context, request: PlaylistsGetRequest(name: name),
      emptyMessage: tr("The playlist is empty.")
    ).showAsResults()
  }

  private static func save(_ name: String, _ rest: [Argument], _ context: VerbContext) throws(ClientError) {
    let uris = try context.uris(for: rest)
    let batches = URIBatches.split(uris)
    let request = PlaylistsSaveRequest(
      name: name, uris: uris.isEmpty ? nil : batches[0], replace: context.options.isGiven(.replace))
    let saved = try context.call(
      request, hints: [.exists: [tr("segue playlist save NAME --replace   overwrites it")]]
    ).value
    printResult([saved] + (try add(batches.dropFirst(), to: name, context)), context) { playlist in
      trn(
        "saved the playlist %2$s: %1$d song", "saved the playlist %2$s: %1$d songs", playlist.trackCount, playlist.name)
    }
  }

  private static func add(
    _ batches: ArraySlice<[String]>, to name: String, _ context: VerbContext
  ) throws(ClientError) -> [PlaylistResult] {
    var results: [PlaylistResult] = []
    for batch in batches {
      results.append(try context.call(PlaylistsAddRequest(name: name, uris: batch)).value)
    }
    return results
  }

  private static func remove(
    _ ranges: [EntryRange], from name: String, _ context: VerbContext
  ) throws(ClientError) {
    let page = try context.call(PlaylistsGetRequest(name: name, limit: 1)).value
    let total = page.total.clamped(to: 0...EntryRange.maximum)
    var indices: Set<Int> = []
    for range in ranges {
      let last = range.last ?? total
      guard last <= total else {
        throw ClientError(
          .failed,
          trn(
            "there is no entry %2$d: %3$s has %1$d", "there is no entry %2$d: %3$s has %1$d", total,
            max(range.first, total + 1), name),
          kind: Failure.Kind.outOfRange.rawValue,
          hints: [tr("segue playlist show %1$s   shows the numbers", name.shellQuoted)]
        )
      }
      indices.formUnion((range.first - 1)..<last)
    }
    var results: [PlaylistResult] = []
    // The last entries are removed first, so that the indices of the others do not change.
    for batch in NumberBatches.split(indices.sorted()).reversed() {
      results.append(try context.call(PlaylistsRemoveRequest(name: name, indices: Array(batch))).value)
    }
    printResult(results, context)
  }

  /// Prints the combined result of consecutive requests.
  private static func printResult(
    _ results: [PlaylistResult], _ context: VerbContext,
    _ text: (PlaylistInfo) -> String = { trn("%2$s: %1$d song", "%2$s: %1$d songs", $0.trackCount, $0.name) }
  ) {
    guard var result = results.last else { return }
    result.failed = URIFailureList()
    for single in results { result.failed.append(contentsOf: single.failed) }
    context.printErrors(result.failed)
    if context.printsJSON {
      context.print(encoded: result)
    } else {
      context.console.printLine(text(result.playlist))
    }
  }
}

extension PlaylistInfo {
  static let uriPrefix = "segue:playlist/"

  /// Returns the URI of the playlist with this name.
  static func uri(named name: String) -> String { uriPrefix + FileURI.percentEncoded(name) }

  /// Returns the name of the playlist with this URI; nil for every other text.
  static func name(inURI uri: String) -> String? {
    guard uri.hasPrefix(uriPrefix) else { return nil }
    return String(decoding: FileURI.percentDecoded(uri.utf8.dropFirst(uriPrefix.utf8.count)), as: UTF8.self)
  }
}

extension String {
  /// The text as one word of a shell command.
  fileprivate var shellQuoted: String {
    let isPlain = unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)
    }
    let quoted = visible.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    return isPlain && !isEmpty ? self : "'\(quoted)'"
  }
}

/// An entry of a playlist with its number, counted from 1.
struct PlaylistEntryRow: Tabular {
  static let listName: StaticString = "tracks"
  static let columns: [Table.Column] = [.number(minimumWidth: 2)] + ListedTrack.columns
  static let noun = "track"
  static let numberPlace = ResultNumberPlace.replacing(0)

  let track: ListedTrack

  init(_ json: JSON?) { track = ListedTrack(json) }

  func encode(into json: inout JSONWriter) { track.encode(into: &json) }

  func row(_ style: Style) -> Table.Row {
    let row = track.row(style)
    return Table.Row(cells: [track.index.map { String($0.oneBased) } ?? ""] + row.cells, paint: row.paint)
  }

  var fields: [String] { track.fields }
  func resultTitle(_ style: Style) -> String { track.resultTitle(style) }
}
