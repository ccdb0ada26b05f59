internal import Glibc
internal import SegueClientKit
internal import SegueSystem
internal import SegueWire

extension VerbContext {
  /// Whether results are numbered and kept for the next command: if a user typed the command and the output is a
  /// terminal, or if `--number` is given.
  var numbersResults: Bool {
    guard !printsJSON, !options.quiet, ResultFile() != nil else { return false }
    return options.isGiven(.number) || Terminal.isTerminal(1) && Self.isTyped
  }

  /// Whether a user typed the command. A shell with job control starts each of these commands in a process group of its
  /// own, while the commands of a script stay in that of the script.
  private static var isTyped: Bool {
    let group = getpgid(getppid())
    return group > 0 && group != getpgrp()
  }

  /// Returns a numbering that starts with `first`; nil if the output is for a program.
  func resultNumbering(first: Int = 1) -> ResultNumbering? { numbersResults ? ResultNumbering(first: first) : nil }

  /// Keeps the printed results for the next command. The previous ones stay if there are none.
  func keep(_ numbering: ResultNumbering?) {
    guard var list = numbering?.list, !list.results.isEmpty, let file = ResultFile() else { return }
    if !list.hasPlaylists { list.playlists = file.read()?.playlists ?? [] }
    file.write(list)
  }

  /// Returns the name of the playlist with this number in the list of playlists that this shell printed last.
  func playlist(_ number: Int) -> String? {
    guard let names = ResultFile()?.read()?.playlists, (1...max(1, names.count)).contains(number), !names.isEmpty
    else { return nil }
    return names[number - 1]
  }

  /// Forgets the kept results, because a search found none: numbers must not mean results of an earlier one.
  func discardResults() {
    if numbersResults { ResultFile()?.remove() }
  }

  /// Records that a list with numbers of another kind was printed on the terminal.
  func supersedeResults() {
    guard Terminal.isTerminal(1), !printsJSON, !options.quiet, let file = ResultFile(), var list = file.read(),
      !list.isSuperseded
    else { return }
    list.isSuperseded = true
    file.write(list)
  }

  /// Returns the results that this shell printed last, unless a list with other numbers was printed later.
  func latestResults() -> ResultList? { ResultFile()?.read().flatMap { $0.isSuperseded ? nil : $0 } }

  /// Returns the items for an argument: that of an existing path, else the results with this number or these numbers
  /// (`3`, `2-5`, `1,4-6`), else that of the argument itself if it is a URL or the URI of an item. With
  /// `acceptsEntries`, the numbers are those of the queue unless results were the last list.
  private func items(
    for argument: Argument, acceptsEntries: Bool = false
  ) throws(ClientError) -> [ResultList.Result] {
    do throws(ClientError) {
      let uri = try Resource.uri(argument)
      return [ResultList.Result(uri: uri, title: displayURI(uri))]
    } catch {
      guard error.kind == "not_found" else { throw error }
      if EntryRange.isZero(argument.text) {
        throw .usage(
          tr("invalid number “%1$s”: entries and results are numbered from 1", argument.text),
          hints: [tr("segue list   shows the numbers")])
      }
      guard let ranges = Self.ranges(argument) else { throw error }
      return try results(ranges, acceptsEntries: acceptsEntries, else: error).map(\.result)
    }
  }

  /// Returns the URIs for an argument, which is a path, a URL, a URI, or one or more numbers of results.
  func uris(for argument: Argument) throws(ClientError) -> [String] { try items(for: argument).map(\.uri) }

  /// Returns the URIs for all arguments, which may be the kind and the name of a single item. Throws the error of the
  /// first argument that has none. With `acceptsEntries`, numbers are those of the queue unless results were the last
  /// list.
  func uris(for arguments: [Argument], acceptsEntries: Bool = false) throws(ClientError) -> [String] {
    if let items = try NameLookup(context: self, arguments: arguments).items() { return items.map(\.uri) }
    var uris: [String] = []
    for argument in arguments { uris += try items(for: argument, acceptsEntries: acceptsEntries).map(\.uri) }
    return uris
  }

  /// Returns the URI for arguments that name a single item: its URI or the number of a result, or its kind and its
  /// name. With `acceptsEntries`, the number is that of an entry of the queue unless results were the last list.
  func uri(for arguments: [Argument], acceptsEntries: Bool = false) throws(ClientError) -> String {
    try item(for: arguments, acceptsEntries: acceptsEntries).uri
  }

  /// Returns the single item that the arguments name, in the forms that `uri(for:)` accepts. The title of a path or a
  /// URI is the readable path or URI.
  func item(for arguments: [Argument], acceptsEntries: Bool = false) throws(ClientError) -> ResultList.Result {
    if let items = try NameLookup(context: self, arguments: arguments).items(), items.count == 1 { return items[0] }
    guard arguments.count == 1 else {
      let item = ListVerbs.joined(arguments)
      throw .usage(
        tr("“%1$s” is more than one item", item),
        hints: [tr("album, artist, track, genre or playlist before a name: %1$s", "album \(item)")])
    }
    let items = try items(for: arguments[0], acceptsEntries: acceptsEntries)
    guard items.count == 1 else {
      throw .usage(tr("“%1$s” is more than one result: use a single number", arguments[0].text))
    }
    return items[0]
  }

  /// Calls `body` with the URIs of the arguments that have any, after printing the results that they name, and prints
  /// an error for each of the others. `-` stands for the lines of standard input. Instead, the arguments may be the
  /// kind and the name of a single item. Throws at the end if there were errors.
  func withResources(
    _ arguments: [Argument], _ body: ([String]) throws(ClientError) -> Void
  ) throws(ClientError) {
    if let items = try NameLookup(context: self, arguments: arguments).items() {
      if !printsJSON, items.count == 1 { console.printLine(items[0].title.visible) }
      return try body(items.map(\.uri))
    }
    let arguments = try StandardInput.expanding(arguments)
    var uris: [String] = []
    var errors: [ClientError] = []
    for argument in arguments {
      do throws(ClientError) {
        uris += try self.uris(for: argument)
      } catch {
        errors.append(error)
      }
    }
    if uris.isEmpty, let error = notFound(arguments, errors) { throw error }
    for error in errors { console.printError(error.message, kind: error.kind) }
    printResults(namedBy: arguments)
    if !uris.isEmpty { try body(uris) }
    if !errors.isEmpty { throw .alreadyReported }
  }

  /// Returns the error if none of the arguments has a URI; nil if there were no errors, or if each is to be reported. A
  /// few words without a slash or a point are probably the name of an item.
  private func notFound(_ arguments: [Argument], _ errors: [ClientError]) -> ClientError? {
    let name = ListVerbs.joined(arguments)
    let isName = arguments.allSatisfy { word in
      !word.bytes.contains { [UInt8(ascii: "/"), UInt8(ascii: ".")].contains($0) } && Self.ranges(word) == nil
    }
    guard errors.allSatisfy({ $0.kind == Failure.Kind.notFound.rawValue }), !name.isEmpty, isName, arguments.count <= 12
    else { return errors.count == 1 ? errors[0] : nil }
    let verb = options.words.first?.text ?? ""
    return ClientError(
      .failed, tr("there is no file or folder “%1$s”", name), kind: Failure.Kind.notFound.rawValue,
      hints: [
        tr("%1$s   takes an album of the library; also artist, track, genre, playlist", "segue \(verb) album \(name)"),
        tr("segue search %1$s   searches the library", name),
      ])
  }

  /// Prints the numbers and titles of the results that the arguments name; with `acceptsEntries`, those of entries of
  /// the queue unless results were the last list.
  func printResults(namedBy arguments: [Argument], acceptsEntries: Bool = false) {
    guard !printsJSON else { return }
    for argument in arguments {
      guard let ranges = Self.ranges(argument), (try? Resource.uri(argument)) == nil,
        let results = try? results(ranges, acceptsEntries: acceptsEntries)
      else { continue }
      for (number, result) in results { console.printLine("\(number): \(result.title.visible)") }
    }
  }

  /// Returns the results with these numbers; with `acceptsEntries`, the entries of the queue unless results were the
  /// last list. Throws `missing` with an explanation if no list was printed.
  private func results(
    _ ranges: [EntryRange], acceptsEntries: Bool, else missing: ClientError
  ) throws(ClientError) -> [(number: Int, result: ResultList.Result)] {
    if let results = try results(ranges, acceptsEntries: acceptsEntries) { return results }
    throw ClientError(
      .failed, tr("%1$s, and this shell has no numbered results", missing.message), kind: missing.kind,
      hints: [ResultList.standardHint])
  }

  private func results(
    _ ranges: [EntryRange], acceptsEntries: Bool
  ) throws(ClientError) -> [(number: Int, result: ResultList.Result)]? {
    if acceptsEntries, latestResults() == nil { return try QueueReader(self).results(ranges) }
    return try ResultFile()?.read()?.results(ranges)
  }

  /// Returns the numbers of an argument that consists of numbers and ranges, separated by commas; nil for every other
  /// argument.
  static func ranges(_ argument: Argument) -> [EntryRange]? {
    do throws(ClientError) { return try EntryRange.list(parsing: argument.text) } catch { return nil }
  }
}
