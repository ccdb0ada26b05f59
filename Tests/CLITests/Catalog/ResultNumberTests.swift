import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the numbers of results, which the next command accepts.
@Suite struct ResultNumberTests {
  private let folder: TemporaryFolder
  private let daemon: StubDaemon
  private var environment: [String: String] {
    ["SEGUE_SOCKET": "\(daemon.path)", "XDG_RUNTIME_DIR": "\(folder.path)", "NO_COLOR": "1"]
  }

  init() throws {
    folder = try TemporaryFolder()
    daemon = try StubDaemon(RecordedCatalogResponses.standard)
  }

  @discardableResult
  private func run(_ words: String, on place: ClientProcess.Place = .pipe) throws -> ClientProcess.Outcome {
    try ClientProcess.run(
      words.split(separator: " ").map(String.init), environment: environment, on: place, folder: folder.path)
  }

  private func type(_ words: String) throws -> ClientProcess.Outcome { try run(words, on: .terminal(columns: 80)) }

  /// The files with results.
  private var files: [FilePath] {
    TemporaryFolder.names(in: folder.path.appending("segue")).map { folder.path.appending("segue").appending($0) }
  }

  @Test func numbersAreAcceptedInsteadOfURIs() throws {
    let lines = try type("search --online kino").lines
    #expect(lines.map { $0.prefix(2) } == ["1 ", "2 ", "3 ", "4 ", "Fr"])
    for (words, request) in [
      ("play 3", #"queue.add {"uris":["tmdb:film:550"],"at":"next","play":true}"#),
      ("play 1-2", #"queue.add {"uris":["itunes:song:1","itunes:album:2"],"at":"next","play":true}"#),
      ("play 3,1-2", #"queue.add {"uris":["tmdb:film:550","itunes:song:1","itunes:album:2"],"at":"next","play":true}"#),
      ("play 3 1", #"queue.add {"uris":["tmdb:film:550","itunes:song:1"],"at":"next","play":true}"#),
      ("add 2-3 http://host/a", #"queue.add {"uris":["itunes:album:2","tmdb:film:550","http://host/a"],"at":"end"}"#),
      ("insert 1", #"queue.add {"uris":["itunes:song:1"],"at":"next"}"#),
      ("add 1,3", #"queue.add {"uris":["itunes:song:1","tmdb:film:550"],"at":"end"}"#),
      ("fav add 2", #"favorites.add {"uris":["itunes:album:2"]}"#),
      ("fav remove 1-2", #"favorites.remove {"uris":["itunes:song:1","itunes:album:2"]}"#),
      ("rate 8 1", #"rating.set {"uri":"itunes:song:1","rating":8}"#),
      ("playlist add x 1", #"playlists.add {"name":"x","uris":["itunes:song:1"]}"#),
      ("playlist save x 1-2", #"playlists.save {"name":"x","uris":["itunes:song:1","itunes:album:2"]}"#),
      ("info 3", #"catalog.info {"uri":"tmdb:film:550"}"#),
      ("person 3", #"catalog.person {"uri":"tmdb:film:550"}"#),
      ("art 1", #"art {"uri":"itunes:song:1"}"#),
      ("lyrics 1", #"lyrics {"uri":"itunes:song:1"}"#),
    ] {
      let count = daemon.requests.count
      let outcome = try run(words)
      #expect(outcome.code == 0, "\(words): \(outcome.errorText)")
      #expect(daemon.requests.dropFirst(count).first == request)
    }
  }

  @Test func titlesOfNumberedResultsArePrinted() throws {
    _ = try type("search --online kino")
    #expect(try run("add 1-2").lines == ["1: Группа крови — Кино", "2: ^[[31mred — a^Ib", "added 2 tracks"])
    #expect(try run("fav add 3").lines == ["3: Fight Club — David Fincher", "added 1 favorite (4 in total)"])
    #expect(try run("play 4").lines.first == "4: Groove Salad")
    #expect(try run("add 1 --json").lines.count == 1)
    #expect(try run("play 1 --json").lines.count == 1)
  }

  /// The last printed list determines the meaning of the number.
  @Test func numberMeansAnEntryAfterTheQueueIsListed() throws {
    #expect(try run("play 2").code == 0)
    #expect(daemon.requests == [#"play {"index":1}"#], "there are no results yet")
    _ = try type("search --online kino")
    _ = try type("list")
    let count = daemon.requests.count
    _ = try run("play 2")
    _ = try run("add 2")
    #expect(
      Array(daemon.requests.dropFirst(count)) == [
        #"play {"index":1}"#, #"queue.add {"uris":["itunes:album:2"],"at":"end"}"#,
      ])
    _ = try type("popular")
    _ = try run("list")
    _ = try run("play 2")
    #expect(daemon.requests.last { $0.hasPrefix("queue.add") }?.contains("itunes:album:2") == true)
  }

  /// As for `play`, the last printed list determines the meaning, and without any it is the queue.
  @Test func numberOfATrackIsThatOfAnEntryAfterTheQueueIsListed() throws {
    let uri = RecordedResponses.tracks[1].uri
    let verbs = [
      ("rate 8 2", #"rating.set {"uri":"\#(uri)","rating":8}"#), ("fav add 2", #"favorites.add {"uris":["\#(uri)"]}"#),
      ("fav remove 2", #"favorites.remove {"uris":["\#(uri)"]}"#), ("info 2", #"library.track {"uri":"\#(uri)"}"#),
      ("lyrics 2", #"lyrics {"uri":"\#(uri)"}"#), ("art 2", #"art {"uri":"\#(uri)"}"#),
    ]
    for isFirst in [true, false] {
      for (words, request) in verbs {
        let count = daemon.requests.count
        let outcome = try run(words)
        #expect(outcome.code == 0, "\(words): \(outcome.errorText)")
        #expect(daemon.requests.dropFirst(count).contains(request), "\(words): \(daemon.requests.dropFirst(count))")
      }
      #expect(try run("rate 8 2").lines == ["Title 2 — Artist 2: 8 of 10"])
      #expect(try run("fav add 1-2").lines.first == "1: Title 1 — Artist 1")
      #expect(try run("info 6").errorText.contains("there is no entry 6: the queue has 5"))
      if isFirst {
        _ = try type("search --online kino")
        #expect(try run("rate 8 1").lines == ["Группа крови — Кино: 8 of 10"])
        _ = try type("list")
      }
    }
  }

  @Test(arguments: ["search --online kino", "search x"]) func searchWithoutMatches_forgetsTheResults(
    words: String
  ) throws {
    let empty = try StubDaemon { method, parameters in
      method == "library.search"
        ? [.result(#"{"tracks":[],"albums":[],"artists":[],"total":0,"offset":0}"#)]
        : [.result(RecordedCatalogResponses.page([]))]
    }
    _ = try type("search --online kino")
    #expect(files.count == 1)
    var environment = environment
    environment["SEGUE_SOCKET"] = "\(empty.path)"
    _ = try ClientProcess.run(
      words.split(separator: " ").map(String.init), environment: environment, on: .terminal(columns: 80))
    #expect(files.isEmpty)
    _ = try run("play 2")
    #expect(daemon.requests.last == #"play {"index":1}"#)
  }

  @Test func localSearchIsNumberedOnATerminal() throws {
    let lines = try type("search x").lines
    #expect(lines.first { $0.contains("Kind of Blue") }?.contains(" 3  Kind of Blue") == true)
    _ = try run("add 3 1")
    #expect(daemon.requests.last == #"queue.add {"uris":["segue:album/12","segue:artist/3"],"at":"end"}"#)
    _ = try run("album 3")
    #expect(daemon.requests.last == #"library.album {"id":12}"#)
    let artist = try run("album 1")
    #expect(artist.code == 1 && artist.errorText.contains("result 1, Miles Davis, is not an album of the library"))
  }

  /// Every list of the library is numbered, and the numbers are those of the last list.
  @Test func everyListOfTheLibraryIsNumbered() throws {
    for (words, number, uri) in [
      ("albums", 2, "segue:album/7"), ("artists", 2, "segue:artist/41"),
      ("tracks", 1, "file:///music/So%20What.flac"), ("genres", 2, "segue:genre/Drum%20%26%20Bass"),
      ("history", 1, "file:///music/So%20What.flac"), ("playlist", 1, "segue:playlist/%D0%A3"),
      ("playlist show x", 1, "file:///music/So%20What.flac"), ("fav list", 3, "segue:album/12"),
      ("album 12", 1, "file:///music/So%20What.flac"), ("artist 3", 2, "segue:album/7"),
    ] {
      files.forEach(Folder.removeFile)
      let lines = try type(words).lines
      #expect(lines.contains { $0.contains(" \(number)  ") }, "\(words): \(lines)")
      _ = try run("add \(number)")
      #expect(daemon.requests.last?.contains(#""uris":["\#(uri)"]"#) == true, "\(words): \(daemon.requests.last ?? "")")
    }
  }

  @Test func albumIsShownByTheNumberOfTheList() throws {
    _ = try type("albums")
    _ = try run("album 2")
    #expect(daemon.requests.last == #"library.album {"id":7}"#)
    // The list has no such number, so that it is a name, and never an id.
    _ = try run("album 99")
    #expect(daemon.requests.last?.hasPrefix(#"library.search {"query":"99","type":"album""#) == true)
    _ = try type("list")
    _ = try run("album 99")
    #expect(daemon.requests.last == #"library.album {"id":99}"#)
  }

  @Test func numberAfterAKindIsThatOfTheListOrAName() throws {
    _ = try type("albums")
    _ = try run("add album 2")
    #expect(daemon.requests.last == #"queue.add {"uris":["segue:album/7"],"at":"end"}"#)
    // The results are no artists.
    _ = try run("add artist 2")
    #expect(daemon.requests.last?.hasPrefix(#"library.search {"query":"2","type":"artist""#) == true)
    _ = try type("genres")
    _ = try run("insert genre 2")
    #expect(daemon.requests.last == #"queue.add {"uris":["segue:genre/Drum%20%26%20Bass"],"at":"next"}"#)
  }

  @Test func rangeIsThatOfTheQueueAfterTheQueueIsListed() throws {
    _ = try type("albums")
    _ = try type("list")
    let count = daemon.requests.count
    let outcome = try run("play 2-3")
    #expect(outcome.code == 2 && outcome.errorText.contains("play takes a single entry number"))
    #expect(daemon.requests.count == count)
  }

  @Test func playlistIsShownByTheNumberOfTheList() throws {
    let named = try StubDaemon { method, parameters in
      method == "playlists.load" && parameters.contains(#""name":"1""#)
        ? [.error(code: 3, kind: "not_found", message: "no playlist")]
        : RecordedCatalogResponses.standard(method, parameters)
    }
    let environment = environment.merging(["SEGUE_SOCKET": "\(named.path)"]) { $1 }
    _ = try ClientProcess.run(["playlist"], environment: environment, on: .terminal(columns: 80))
    #expect(try ClientProcess.run(["playlist", "delete", "1"], environment: environment).code == 0)
    #expect(named.requests.last == #"playlists.delete {"name":"У"}"#)
    // The numbers of playlists remain those of the list of playlists when one is shown.
    _ = try ClientProcess.run(["playlist", "show", "1"], environment: environment, on: .terminal(columns: 80))
    #expect(try ClientProcess.run(["playlist", "add", "1", "2"], environment: environment).code == 0)
    #expect(named.requests.last?.hasPrefix(#"playlists.add {"name":"У","uris":["file:"#) == true)
    #expect(try ClientProcess.run(["playlist", "save", "1"], environment: environment).code == 0)
    #expect(named.requests.last == #"playlists.save {"name":"1"}"#, "a new playlist has the name that was given")
  }

  @Test func numbersContinueOnTheNextPage() throws {
    let daemon = try StubDaemon { _, parameters in
      [.result(RecordedCatalogResponses.page { ($0.offset, $0.total) = (20, 100) })]
    }
    var environment = environment
    environment["SEGUE_SOCKET"] = "\(daemon.path)"
    let lines = try ClientProcess.run(
      ["popular", "--page", "2"], environment: environment, on: .terminal(columns: 80)
    ).lines
    #expect(lines.first?.hasPrefix("21") == true)
    #expect(try run("add 22").lines.last == "added 2 tracks")
    #expect(try run("add 1").errorText.contains("has the numbers 21 to 24"))
  }

  @Test func theRatingOfAResultIsPrintedWithItsTitle() throws {
    _ = try type("search --online kino")
    #expect(try run("rate 8 1").lines == ["Группа крови — Кино: 8 of 10"])
  }

  @Test func unknownNumberIsAnError() throws {
    let none = try run("add 2")
    #expect(none.code == 1)
    #expect(
      none.errorText == """
        segue: 2: No such file or directory, and this shell has no numbered results (not_found)
          segue search WORD   prints numbered results, which the next command accepts

        """)
    _ = try type("search --online kino")
    let count = daemon.requests.count
    for words in ["add 5", "play 5", "play 3-5", "fav add 0-9", "info 5"] {
      let outcome = try run(words)
      #expect(outcome.code == 1, "\(words)")
      #expect(outcome.errorText.contains("there is no result 5") == !words.contains("0-9"), "\(outcome.errorText)")
    }
    #expect(try run("info 1-2").code == 2)
    #expect(daemon.requests.count == count)
    #expect(try run("play 5").errorText.contains("segue list   prints the queue; then   segue play 5   plays entry 5"))
    #expect(try run("add 5").errorText.contains("segue search WORD   prints numbered results"))
  }

  @Test func existingFileHasPrecedence() throws {
    _ = try type("search --online kino")
    try folder.write("2")
    _ = try run("add 2")
    #expect(daemon.requests.last == #"queue.add {"uris":["file://\#(folder.path)/2"]}"#)
  }

  /// Neither programs nor scripts write the file, and a script does not use that of the shell.
  @Test func scriptsAreNotAffected() throws {
    for words in ["search --online kino", "search x", "popular --json", "info itunes:album:2"] {
      _ = try run(words)
      #expect(files.isEmpty, "\(words)")
    }
    _ = try type("popular --json")
    _ = try type("popular --quiet")
    #expect(files.isEmpty)
    _ = try type("popular")
    let program = WorkerProcess.product("segue")
    let script = try ChildProcess.run(["sh", "-c", "\(program) play 2; true"], environment: environment, errors: true)
    #expect(script.code == 0)
    #expect(daemon.requests.last == #"play {"index":1}"#, "\(script.text)")
    // A shell without job control, as it executes a script on a terminal.
    let terminal = try PseudoTerminal(rows: 24, columns: 80, isRaw: true)
    defer {
      close(terminal.terminal)
      close(terminal.program)
    }
    let child = try ChildProcess(
      ["sh", "-c", "\(program) popular; \(program) play 2; true"], environment: environment, output: terminal.program)
    #expect(child.end(0) == 0)
    #expect(daemon.requests.last == #"play {"index":1}"#)
    #expect(files.count == 1)
  }

  @Test func numberOptionNumbersTheOutputForPrograms() throws {
    #expect(try run("search --online kino --number").lines.map { $0.prefix(2) } == ["1\t", "2\t", "3\t", "4\t"])
    #expect(try run("add 4").lines == ["4: Groove Salad", "added 2 tracks"])
    #expect(try run("search x --number").lines.last?.hasPrefix("11\t") == true)
    #expect(files.count == 1)
  }

  @Test func fileIsPrivateAndRemovedAfterItsShell() throws {
    try folder.makeFolder("segue")
    try folder.write("segue/results-999999999-1")
    try folder.write("segue/results-1-1")
    _ = try type("popular")
    let names = files.map { String(decoding: $0.lastComponent, as: UTF8.self) }
    #expect(names.count == 2 && names.contains("results-1-1"))
    let path = try #require(files.first { !$0.lastComponent.elementsEqual("results-1-1".utf8) })
    var status = stat()
    #expect(path.withCString { lstat($0, &status) } == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(String(decoding: path.lastComponent, as: UTF8.self).hasPrefix("results-\(getpid())-"))
  }

  /// A file with other contents is ignored.
  @Test func damagedFileIsIgnored() throws {
    _ = try type("popular")
    let path = try #require(files.first)
    for text in ["", "[]", "{\"results\":[{}]", #"{"first":-5,"results":[]}"#, #"{"first":9e99,"results":{}}"#] {
      try folder.write("segue/\(String(decoding: path.lastComponent, as: UTF8.self))", Array(text.utf8))
      #expect(try run("play 2").code == 0, "\(text)")
      #expect(daemon.requests.last == #"play {"index":1}"#)
    }
  }

  @Test func longListIsKeptUpToItsLimit() throws {
    let tracks = (0..<1_500).map { RecordedLibraryResponses.track("Title \($0)") }
    let daemon = try StubDaemon { method, parameters in
      guard method == "library.search" else { return RecordedLibraryResponses.standard(method, parameters) }
      let request = try? JSON(parsing: parameters)
      guard request?["type"]?.string == "track" else {
        return [.result(RecordedResponses.json(SearchAnswer(found: FoundItems(), exact: true, correction: nil)))]
      }
      let offset = request?["offset"]?.int ?? 0
      let found = FoundItems(tracks: Array(tracks.dropFirst(offset).prefix(1_000)), total: 1_500, offset: offset)
      return [.result(RecordedResponses.json(SearchAnswer(found: found, exact: true, correction: nil)))]
    }
    var environment = environment
    environment["SEGUE_SOCKET"] = "\(daemon.path)"
    let lines = try ClientProcess.run(["search", "x", "--number"], environment: environment).lines
    #expect(lines.count == 1_500 && lines.last?.hasPrefix("1500\t") == true)
    #expect(try run("add 1000").code == 0)
    #expect(try run("add 1001").errorText.contains("has the numbers 1 to 1000"))
  }
}
