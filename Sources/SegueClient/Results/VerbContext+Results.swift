internal import Glibc
internal import SegueFrontend
internal import SegueSystem

extension VerbContext {
  /// Whether results are numbered and kept for the next command: if a user typed the command and the output is a terminal, or
  /// if `--number` is given.
  var numbersResults: Bool {
    guard !printsJSON, !options.quiet, ResultFile() != nil else { return false }
    return options.isGiven(.number) || Terminal.isTerminal(1) && Self.isTyped
  }

  /// Whether a user typed the command. A shell with job control starts each of these commands in a process group of its own,
  /// while the commands of a script stay in that of the script.
  private static var isTyped: Bool {
    let group = getpgid(getppid())
    return group > 0 && group != getpgrp()
  }

  /// Returns a numbering that starts with `first`; nil if the output is for a program.
  func resultNumbering(first: Int = 1) -> ResultNumbering? { numbersResults ? ResultNumbering(first: first) : nil }

  /// Keeps the printed results for the next command. The previous ones stay if there are none.
  func keep(_ numbering: ResultNumbering?) {
    guard let list = numbering?.list, !list.results.isEmpty else { return }
    ResultFile()?.write(list)
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

  /// Returns the URIs for an argument: that of an existing path, else those of the results with this number or these
  /// numbers (`3`, `2-5`), else the argument itself if it is a URL or the URI of an item.
  func uris(for argument: Argument) throws(ClientError) -> [String] {
    do throws(ClientError) {
      return [try Resource.uri(argument)]
    } catch {
      guard error.kind == "not_found", let range = Self.range(argument) else { throw error }
      let results = try results(range, else: error)
      return results.map(\.uri)
    }
  }

  /// Returns the URIs for all arguments, which may be the kind and the name of a single item. Throws the error of the first
  /// argument that has none.
  func uris(for arguments: [Argument]) throws(ClientError) -> [String] {
    if let uri = try NameLookup(context: self, arguments: arguments).uri() { return [uri] }
    var uris: [String] = []
    for argument in arguments { uris += try self.uris(for: argument) }
    return uris
  }

  /// Returns the URI for arguments that name a single item: its URI or the number of a result, or its kind and its name.
  func uri(for arguments: [Argument]) throws(ClientError) -> String {
    if let uri = try NameLookup(context: self, arguments: arguments).uri() { return uri }
    guard arguments.count == 1 else {
      let item = ListVerbs.joined(arguments)
      throw .usage(
        tr("“%1$s” is more than one item", item),
        hints: [tr("album, artist, track, genre or playlist before a name: %1$s", "album \(item)")])
    }
    let uris = try uris(for: arguments[0])
    guard uris.count == 1 else {
      throw .usage(tr("“%1$s” is more than one result: use a single number", arguments[0].text))
    }
    return uris[0]
  }

  /// Calls `body` with the URIs of the arguments that have any, after printing the results that they name, and prints an error
  /// for each of the others. `-` stands for the lines of standard input. Instead, the arguments may be the kind and the name of
  /// a single item. Throws at the end if there were errors.
  func withResources(
    _ arguments: [Argument], _ body: ([String]) throws(ClientError) -> Void
  ) throws(ClientError) {
    if let uri = try NameLookup(context: self, arguments: arguments).uri() { return try body([uri]) }
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
    if uris.isEmpty, errors.count == 1 { throw errors[0] }
    for error in errors { console.printError(error.text) }
    printResults(namedBy: arguments)
    if !uris.isEmpty { try body(uris) }
    if !errors.isEmpty { throw .alreadyReported }
  }

  /// Prints the numbers and titles of the results that the arguments name.
  func printResults(namedBy arguments: [Argument]) {
    guard !printsJSON, let list = ResultFile()?.read() else { return }
    for argument in arguments {
      guard let range = Self.range(argument), (try? Resource.uri(argument)) == nil,
        let results = try? list.results(range)
      else { continue }
      for (index, result) in results.enumerated() {
        console.printLine("\(range.first + index): \(result.title.visible)")
      }
    }
  }

  /// Returns the results with these numbers. Throws `missing` with an explanation if no list was printed.
  private func results(_ range: EntryRange, else missing: ClientError) throws(ClientError) -> [ResultList.Result] {
    guard let list = ResultFile()?.read() else {
      throw ClientError(
        .failed, tr("%1$s, and this shell has no numbered results", missing.message), kind: missing.kind,
        hints: [tr("segue search WORD   prints results with numbers, which the next command accepts")])
    }
    return try list.results(range)
  }

  /// Returns the numbers of an argument that consists of digits and at most one dash; nil for every other argument.
  static func range(_ argument: Argument) -> EntryRange? {
    do throws(ClientError) { return try EntryRange(parsing: argument.text) } catch { return nil }
  }
}
