import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of errors: exit status, message and hints.
@Suite struct FailureTests {
  @Test func missingDaemonIsReportedWithHints() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/socket"
    let outcome = try ClientProcess.run(["status", "--socket", path])
    #expect(outcome.code == 3)
    #expect(outcome.output == [])
    #expect(outcome.errorText.hasPrefix("segue: no daemon is running (nothing listens on \(path))\n"))
    #expect(outcome.errorText.contains("systemctl --user start segued.socket"))
    #expect(outcome.errorText.contains("segued &"))
    let previous = try StubDaemon(RecordedResponses.standard)
    try folder.link("stale", to: previous.path)
    try folder.write("file")
    #expect(try ClientProcess.run(["next", "--socket", "\(folder.path)/file"]).code == 3)
    #expect(try ClientProcess.run(["next", "--socket", String(repeating: "x", count: 200)]).code == 2)
  }

  /// A daemon that is stopped by a signal still accepts connections.
  @Test func aDaemonThatAnswersNobodyIsReported() throws {
    let daemon = try StubDaemon { method, _ in method == "volume" ? [.hold] : [.result("{}")] }
    let outcome = try ClientProcess.run(["volume", "20"], environment: daemon.environment)
    #expect(outcome.code == 3)
    #expect(
      outcome.errorText.contains("segue: the daemon at \(daemon.path) does not respond; the request may still be"))
  }

  /// The socket accepts connections, and nobody reads from them.
  @Test func aDaemonThatDoesNotReceiveALargeRequestIsReported() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    try checked("bind", path.description) { withUnixAddress(path.bytes) { bind(listener.raw, $0, $1) } }
    try checked("listen") { listen(listener.raw, 8) }
    let name = String(repeating: "x", count: 200)
    let uris = (1...4000).map { "http://localhost/\(name)\($0)" }
    let outcome = try ClientProcess.run(["add", "--socket", "\(path)"] + uris)
    #expect(outcome.code == 3)
    #expect(outcome.errorText.hasPrefix("segue: the daemon at \(path) does not respond"), "\(outcome.errorText)")
  }

  @Test(arguments: [["--json", "status"], ["rpc", "status"]])
  func jsonForATerminalHasNoRawControlCharacters(verb: [String]) throws {
    let daemon = try StubDaemon { _, _ in
      [.result("{\"state\":\"x\u{7F}\u{9B}31m\u{202E}\u{2066}\u{A0}é\u{2026}\"}")]
    }
    let outcome = try ClientProcess.run(verb, environment: daemon.environment)
    #expect(outcome.text.contains(#""x\u007f\u009b31m\u202e\u2066\#u{A0}é…""#), "\(outcome.text)")
  }

  @Test func hintsForAMissingDaemonNameTheVariableThatSelectsItsSocket() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/socket"
    let selected = try ClientProcess.run(["status"], environment: ["SEGUE_SOCKET": path])
    #expect(selected.code == 3 && selected.errorText.contains("unset SEGUE_SOCKET   selects the usual socket"))
    let other = try ClientProcess.run(["status", "--socket", path], environment: ["SEGUE_SOCKET": "/x"])
    #expect(other.code == 3 && !other.errorText.contains("SEGUE_SOCKET"))
  }

  @Test func kindOfAnErrorIsNotPrintedOnATerminal() throws {
    let daemon = try StubDaemon { method, _ in
      method == "next"
        ? [.error(code: 2, kind: "empty_queue", message: "the queue is empty")]
        : [.result(#"{"added":[],"failed":[{"uri":"http://bad/","kind":"not_found","message":"gone"}],"version":9}"#)]
    }
    let next = try ClientProcess.run(
      ["next"], environment: daemon.environment, on: .terminalWithErrors(columns: 80))
    #expect(next.text == "segue: the queue is empty\n  segue add ~/Music   and then   segue play\n")
    let add = try ClientProcess.run(
      ["add", "http://bad/", "no/such file"], environment: daemon.environment, on: .terminalWithErrors(columns: 80))
    #expect(add.text.contains("segue: http://bad/: gone\n"))
    #expect(add.text.contains("segue: no/such file: No such file or directory\n"))
  }

  @Test func pathsInErrorsOfTheDaemonAreReadable() throws {
    let data = #","template":"%1$s: no lyrics","arguments":["file:///music/A%20B.flac"]"#
    let daemon = try StubDaemon { _, _ in
      [.error(code: 3, kind: "not_found", message: "file:///music/A%20B.flac: no lyrics", data: data)]
    }
    for verb in [["lyrics", "/"], ["art", "/"], ["rate", "5", "/"]] {
      let outcome = try ClientProcess.run(verb, environment: daemon.environment)
      #expect(outcome.code == 1 && outcome.errorText.hasPrefix("segue: /music/A B.flac: no lyrics (not_found)\n"))
    }
  }

  @Test func onlyTheFirstOfManyFailuresArePrintedOnATerminal() throws {
    func output(_ count: Int, on place: ClientProcess.Place) throws -> ClientProcess.Outcome {
      let failed = (1...count).map { #"{"uri":"file:///\#($0).flac","kind":"not_found","message":"gone"}"# }
      let daemon = try StubDaemon { _, _ in
        [.result(#"{"added":[7],"failed":[\#(failed.joined(separator: ","))],"version":9}"#)]
      }
      return try ClientProcess.run(["add", "http://list/"], environment: daemon.environment, on: place)
    }
    let many = try output(9, on: .terminalWithErrors(columns: 80)).lines
    #expect(many.count == 7 && many[4] == "segue: /5.flac: gone")
    #expect(many[5] == "segue: 4 more: cannot be added" && many[6] == "added 1 track")
    let six = try output(6, on: .terminalWithErrors(columns: 80)).lines
    #expect(six.count == 7 && six[5] == "segue: /6.flac: gone")
    #expect(try output(9, on: .pipe).errorText.split(separator: "\n").count == 9)
  }

  @Test func daemonErrorsAreReportedWithHints() throws {
    let daemon = try StubDaemon { method, _ in
      switch method {
      case "next": [.error(code: 2, kind: "empty_queue", message: "the queue is empty")]
      case "play": [.error(code: 1, kind: "no_such_track", message: "no track at index 99")]
      default: [.error(code: 77, kind: "brand_new", message: "something\\u001b else")]
      }
    }
    let empty = try ClientProcess.run(["next"], environment: daemon.environment)
    #expect(empty.code == 1 && empty.output == [])
    #expect(empty.errorText == "segue: the queue is empty (empty_queue)\n  segue add ~/Music   and then   segue play\n")
    let none = try ClientProcess.run(["play", "100"], environment: daemon.environment)
    #expect(none.code == 1)
    #expect(none.errorText == "segue: there is no entry 100 (no_such_track)\n  segue list   shows the numbers\n")
    let unknown = try ClientProcess.run(["rpc", "x"], environment: daemon.environment)
    #expect(unknown.code == 1 && unknown.errorText == "segue: something^[ else (brand_new)\n")
  }

  @Test func hintsOfAnErrorFitTheVerb() throws {
    let daemon = try StubDaemon { method, _ in
      method == "volume"
        ? [.error(code: -32602, kind: "invalid_params", message: "unknown parameter x")]
        : [.error(code: 3, kind: "not_found", message: "not found")]
    }
    func hints(_ words: [String]) throws -> [Substring] {
      Array(
        try ClientProcess.run(words, environment: daemon.environment).errorText.split(separator: "\n").dropFirst())
    }
    #expect(try hints(["rpc", "volume", #"{"x":1}"#]) == ["  man segue-ipc   describes the methods"])
    #expect(try hints(["volume", "5"]) == ["  segue help volume   shows the arguments"])
    #expect(try hints(["settings", "get", "nope"]) == ["  segue settings   lists the settings"])
    #expect(try hints(["settings", "set", "Device", "nope"]) == ["  segue outputs   lists the outputs"])
    #expect(try hints(["lyrics", "/"]) == ["  put a .lrc file with the same name beside the track"])
    #expect(try !hints(["lyrics", "segue:album/3"]).contains { $0.contains(".lrc") })
    #expect(try hints(["chapters", "/"]) == ["  segue help chapters"])
    #expect(try hints(["rpc", "lyrics"]) == [])
    for (kind, words, expected) in [
      (Failure.Kind.outOfRange, ["rpc", "seek"], [String]()), (.outOfRange, ["move", "1", "1"], []),
      (.unplayable, ["lyrics", "/"], []), (.notSeekable, ["seek", "1"], ["  segue next   skips to the next track"]),
      (.denied, ["popular"], ["  segue providers   shows which providers can be used"]),
      (.denied, ["volume", "5"], []), (.denied, ["fav", "add", "/"], ["  ls -l   shows the permissions"]),
      (.invalidParams, ["settings", "set", "a", "b"], ["  segue settings   lists the settings and their values"]),
      (.unavailable, ["clear"], ["  journalctl --user -u segued   shows the log"]),
    ] {
      let daemon = try StubDaemon { method, parameters in
        method == "list" || method == "status"
          ? RecordedResponses.standard(method, parameters)
          : [.error(code: 7, kind: kind.rawValue, message: "no")]
      }
      let outcome = try ClientProcess.run(words, environment: daemon.environment)
      #expect(outcome.errorText.split(separator: "\n").dropFirst().map(String.init) == expected, "\(words)")
    }
    let stopped = try StubDaemon { _, _ in [.error(code: 1, kind: "no_such_track", message: "no current track")] }
    for verb in ["chapters", "art"] {
      let outcome = try ClientProcess.run([verb], environment: stopped.environment)
      #expect(outcome.errorText.contains("segue play   starts one; or name one"), "\(verb)")
    }
  }

  @Test func urisThatCannotBeAddedAreListed() throws {
    let failed = #"[{"uri":"file:///a%20b.txt","kind":"unplayable","message":"no audio in it"}]"#
    let daemon = try StubDaemon { _, parameters in
      let added = parameters.contains("good") ? "[7]" : "[]"
      let refused = parameters.contains("empty") ? "[]" : failed
      return [.result(#"{"added":\#(added),"failed":\#(refused),"version":9}"#)]
    }
    let some = try ClientProcess.run(["add", "http://good/", "http://bad/"], environment: daemon.environment)
    #expect(some.code == 0 && some.lines == ["added 1 track"], "arguments were added, and the failure is in a folder")
    #expect(some.errorText == "segue: /a b.txt: no audio in it (unplayable)\n")
    let named = try StubDaemon { _, _ in
      [.result(#"{"added":[7],"failed":[{"uri":"http://bad/","kind":"not_found","message":"gone"}],"version":9}"#)]
    }
    let partly = try ClientProcess.run(["add", "http://good/", "http://bad/"], environment: named.environment)
    #expect(partly.code == 1 && partly.lines == ["added 1 track"])
    #expect(partly.errorText == "segue: http://bad/: gone (not_found)\n")
    let none = try ClientProcess.run(["add", "http://bad/"], environment: daemon.environment)
    #expect(none.code == 1 && none.output == [])
    #expect(none.errorText.hasPrefix("segue: /a b.txt: no audio in it (unplayable)\nsegue: nothing was added\n"))
    let empty = try ClientProcess.run(["add", "http://empty/", "--json"], environment: daemon.environment)
    #expect(
      empty.code == 1
        && empty.lines == [#"{"added":[],"addedTotal":0,"alreadyQueued":0,"failed":[],"failedTotal":0,"version":9}"#])
    #expect(empty.errorText.contains("nothing to play"))
  }

  @Test func unlistedFailuresAreCounted() throws {
    let failed = #"[{"uri":"file:///a.txt","kind":"unplayable","message":"no audio in it"}]"#
    let daemon = try StubDaemon { _, _ in
      [.result(#"{"added":[7],"addedTotal":2500,"failed":\#(failed),"failedTotal":98000,"version":9}"#)]
    }
    let outcome = try ClientProcess.run(["add", "http://many/"], environment: daemon.environment)
    #expect(outcome.code == 0 && outcome.lines == ["added 2500 tracks"])
    #expect(outcome.errorText == "segue: /a.txt: no audio in it (unplayable)\nsegue: 97999 more: cannot be added\n")
  }

  @Test func tracksThatWereQueuedAlreadyAreNotReportedAsAdded() throws {
    let daemon = try StubDaemon { _, _ in
      [.result(#"{"added":[1,2,3],"addedTotal":3,"alreadyQueued":2,"failed":[],"failedTotal":0,"version":9}"#)]
    }
    let outcome = try ClientProcess.run(["add", "/"], environment: daemon.environment)
    #expect(
      outcome.lines == ["added 1 track", "2 tracks were in the queue already; the same command adds them again"])
  }

  @Test func missingPathIsReportedAndOtherPathsAreSent() throws {
    let daemon = try StubDaemon(RecordedResponses.standard)
    let outcome = try ClientProcess.run(["add", "/", "no/such file"], environment: daemon.environment)
    #expect(outcome.code == 1 && outcome.lines == ["added 2 tracks"])
    #expect(outcome.errorText == "segue: no/such file: No such file or directory (not_found)\n")
    #expect(daemon.requests == [#"queue.add {"uris":["file:///"]}"#])
    let none = try ClientProcess.run(["add", "no/such file"], environment: daemon.environment)
    #expect(none.code == 1 && none.errorText.contains("paths are relative to the current folder"))
    #expect(daemon.requests.count == 1)
    #expect(try ClientProcess.run(["add", ""], environment: daemon.environment).code == 1)
  }

  @Test func nonexistentEntriesAreRejected() throws {
    let daemon = try StubDaemon(RecordedResponses.standard)
    for words in [["remove", "6"], ["remove", "4-6"], ["move", "6", "1"], ["move", "1", "6"]] {
      let outcome = try ClientProcess.run(words, environment: daemon.environment)
      #expect(outcome.code == 1)
      #expect(outcome.errorText.hasPrefix("segue: there is no entry 6: the queue has 5 (no_such_track)\n"))
    }
    #expect(daemon.requests.allSatisfy { $0.hasPrefix("list ") })
  }

  @Test(arguments: [
    ["nxt"], ["frobnicate"], ["--frob"], ["next", "--jsn"], ["-x", "next"], ["next", "now"], ["seek"],
    ["browse", "mood"], ["seek", "1", "2"],
    ["seek", "x"], ["seek", ""], ["seek", "1:60"], ["seek", "1:2:3:4"], ["seek", "101%"], ["seek", "+5%"],
    ["play", "0"], ["add", "00"], ["remove", "3,0"], ["remove", ","], ["remove", ",3"],
    ["remove", "3,,5"], ["remove", "3,x"],
    ["seek", "1e3"], ["seek", "0x10"], ["seek", "inf"], ["seek", "--5"], ["seek", "++5"], ["seek", "1m1h"],
    ["seek", "99999999999999999999"], ["play", "1", "2"], ["list", "0"], ["list", "3-1"], ["list", "a"], ["remove"],
    ["remove", "0"], ["remove", "x-"], ["remove", "-1"], ["remove", "1-2-3"], ["move", "1"], ["move", "1", "0"],
    ["remove", "99999999999999999999"], ["volume", "101"], ["volume", "loud"], ["volume", "+"], ["volume", "-0x5"],
    ["repeat", "twice"], ["shuffle", "yes"], ["consume", "yes"], ["sleep", "soon"], ["speed", "0.4"],
    ["speed", "3.01"], ["speed", "1e0"], ["speed", "fast"], ["speed", "+"], ["speed", "+9"], ["add"], ["insert"],
    ["rpc"], ["rpc", "queue.list", "{"], ["rpc", "queue.list", "3"], ["help", "nxt"], ["--socket"], ["--socket="],
    ["--color", "pink", "next"], ["--json=yes", "next"], ["status", "now"], ["--play"], ["next", "--play"],
    ["search", "--add"], ["search", "x", "--add", "--next"], ["search", "x", "--add=1"], ["suggest"], ["album"],
    ["artist"], ["fav", "frob"], ["fav", "list", "size"], ["fav", "--reverse"], ["fav", "list", "title", "date"],
    ["rate", "11"],
    ["rate", "-1"], ["rate", "x"], ["history", "0"], ["history", "a"], ["playlist", "frob"], ["playlist", "show"],
    ["playlist", "list", "x"], ["playlist", "rename", "x"], ["playlist", "remove", "x"],
    ["playlist", "remove", "x", "0"],
    ["playlist", "delete", "x", "--replace"], ["playlist", "delete", "x", "y"], ["library", "x"], ["scan", "--play"],
    ["watch", "weather"], ["watch", "player", "--track"], ["genres", "-x"], ["search", "x", "--frob"], ["add", "-x"],
  ])
  func invalidCommandLineIsAUsageError(words: [String]) throws {
    let daemon = try StubDaemon(RecordedResponses.standard)
    let outcome = try ClientProcess.run(words, environment: daemon.environment)
    #expect(outcome.code == 2)
    #expect(outcome.output == [])
    #expect(outcome.errorText.hasPrefix("segue: "))
    #expect(daemon.requests == [])
  }

  @Test func misspelledWordsGetSuggestions() throws {
    for (word, meant) in [
      ("nxt", "next"), ("puase", "pause"), ("statsu", "status"), ("vol.", "vol"), ("previ", "previous"),
    ] {
      #expect(try ClientProcess.run([word]).errorText.contains("did you mean   segue \(meant)   ?"), "\(word)")
    }
    #expect(try ClientProcess.run(["--jsn"]).errorText.contains("did you mean --json?"))
    #expect(try ClientProcess.run(["repeat", "al"]).errorText.contains("segue repeat all"))
    #expect(try !ClientProcess.run(["frobnicate"]).errorText.contains("did you mean"))
  }

  @Test func aSuggestedOptionIsOneOfTheVerb() throws {
    let expected: [(words: [String], hint: String)] = [
      (["albums", "--revers"], "did you mean --reverse?"), (["--shw", "next"], "did you mean --show?"),
      (["next", "--shw"], "did you mean --show?"), (["list", "--jso"], "did you mean --json?"),
      (["shutdown", "--now"], "usage: segue shutdown"), (["list", "--revers"], "usage: segue list [N[-M]]"),
      (["--frob"], "segue --help   lists all options"), (["nxt", "--shw"], "segue --help   lists all options"),
    ]
    for (words, hint) in expected {
      let lines = try ClientProcess.run(words).errorText.split(separator: "\n")
      #expect(lines.dropFirst().first.map(String.init) == "  " + hint, "\(words)")
      #expect(lines.contains { $0.contains("did you mean") } == hint.hasPrefix("did"), "\(words)")
    }
  }

  @Test func aNumberOutOfRangeIsAnsweredWithTheRange() throws {
    for (words, range) in [
      (["albums", "--limit", "0"], "use a number from 1"), (["history", "0"], "use a number from 1"),
      (["search", "--online", "a", "--limit", "500"], "use a number from 1 to 200"),
      (["tracks", "--sort", "random", "--limit", "5000"], "use a number from 1 to 1000"),
      (["rate", "11"], "use 0 to 10, or none"),
      (["volume", "300"], "use 0 to 100, +N, -N, mute, unmute or toggle"),
    ] {
      let message = try ClientProcess.run(words).errorText.prefix { $0 != "\n" }
      #expect(message.hasSuffix(": \(range)"), "\(message)")
    }
  }

  @Test func misspelledActionsAndModesGetSuggestions() throws {
    for (words, meant) in [
      (["fav", "ad"], "fav add"), (["gain", "albm"], "gain album"), (["shuffle", "trakcs"], "shuffle tracks"),
      (["settings", "st"], "settings set"),
    ] {
      #expect(try ClientProcess.run(words).errorText.contains("did you mean   segue \(meant)   ?"), "\(words)")
    }
  }

  @Test func numberZeroIsExplained() throws {
    let outcome = try ClientProcess.run(["play", "0"])
    #expect(outcome.errorText.hasPrefix("segue: invalid number “0”: entries and results are numbered from 1\n"))
  }

  @Test func wordsOfOtherPlayersGetTheVerb() throws {
    for (word, meant) in [
      ("idle", "watch"), ("single", "sleep track"), ("lsplaylists", "playlist"), ("seekthrough", "seek +TIME"),
      ("player-next", "next"), ("chapter", "chapters N"), ("position", "seek TIME"), ("quit", "shutdown"),
    ] {
      let outcome = try ClientProcess.run([word])
      #expect(outcome.code == 2 && outcome.errorText.contains("did you mean   segue \(meant)   ?"), "\(word)")
      let verb = String(meant.prefix { $0 != " " })
      #expect(try ClientProcess.run(["help", verb]).code == 0, "\(verb) is a verb")
    }
  }

  @Test func nonexistentChaptersAreRejected() throws {
    let daemon = try StubDaemon(RecordedResponses.standard)
    let outcome = try ClientProcess.run(["chapters", "3"], environment: daemon.environment)
    #expect(outcome.code == 1)
    #expect(
      outcome.errorText
        == "segue: there is no chapter 3: the track has 2 (out_of_range)\n  segue chapters   shows the numbers\n")
    let without = try StubDaemon { _, _ in [.result(#"{"uri":"file:///a","chapters":[],"current":null}"#)] }
    let none = try ClientProcess.run(["chapters", "1"], environment: without.environment)
    #expect(none.code == 1 && none.errorText.hasPrefix("segue: the current track has no chapters (out_of_range)\n"))
    for word in ["0", "99999999999999999999"] {
      let outcome = try ClientProcess.run(["chapters", word], environment: daemon.environment)
      #expect(outcome.code == 1 && outcome.errorText.hasPrefix("segue: there is no chapter "), "\(outcome.errorText)")
    }
  }

  /// Reading the chapters may take long, and another track may be the current one then.
  @Test func aChapterOfAnotherTrackIsNotSoughtTo() throws {
    let daemon = try StubDaemon { method, parameters in
      method == "chapters"
        ? [.result(#"{"uri":"file:///music/1.flac","chapters":[{"title":"A","start":0}],"current":0}"#)]
        : RecordedResponses.standard(method, parameters)
    }
    let outcome = try ClientProcess.run(["chapters", "1"], environment: daemon.environment)
    #expect(outcome.code == 1 && outcome.errorText.hasPrefix("segue: the track has changed"))
    #expect(daemon.requests == ["chapters", "status"])
  }

  @Test func seekPastTheEndSkipsToTheNextTrack() throws {
    let daemon = try StubDaemon { method, parameters in
      method == "seek"
        ? [.error(code: 6, kind: "out_of_range", message: "position is 86400; it must be 0 to 201 seconds")]
        : RecordedResponses.standard(method, parameters)
    }
    let outcome = try ClientProcess.run(["seek", "24h"], environment: daemon.environment)
    #expect(outcome.code == 0 && outcome.errors == [])
    #expect(daemon.requests == [#"seek {"position":86400}"#, #"next {"by":"track"}"#])
  }

  @Test func seekWhileStoppedSuggestsPlay() throws {
    let daemon = try StubDaemon { _, _ in
      [.error(code: 9, kind: "unavailable", message: "stopped: there is nothing to seek in; play first")]
    }
    let outcome = try ClientProcess.run(["seek", "9"], environment: daemon.environment)
    #expect(outcome.code == 1)
    #expect(
      outcome.errorText
        == "segue: stopped: there is nothing to seek in; play first (unavailable)\n  segue play   starts playback\n")
  }

  @Test func rejectionOfTheOnlyArgumentIsReportedOnce() throws {
    let failed = #"[{"uri":"file:///","kind":"unplayable","message":"no audio in it"}]"#
    let daemon = try StubDaemon { _, _ in [.result(#"{"added":[],"failed":\#(failed),"version":9}"#)] }
    let outcome = try ClientProcess.run(["play", "/"], environment: daemon.environment)
    #expect(outcome.code == 1 && outcome.output == [])
    #expect(
      outcome.errorText == "segue: /: no audio in it (unplayable)\n  segue help add   lists what can be added\n")
  }

  struct InvalidResponse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [StubDaemon.Step]
    let code: Int32
    let message: String

    init(_ name: String, _ steps: [StubDaemon.Step], _ code: Int32, _ message: String) {
      testDescription = name
      self.steps = steps
      self.code = code
      self.message = message
    }
  }

  static let invalidResponses = [
    InvalidResponse("not JSON", [.line("220 welcome")], 1, "a line that is not JSON"),
    InvalidResponse("an empty line", [.line("")], 1, "a line that is not JSON"),
    InvalidResponse("not an object", [.line("[1]")], 1, "not a JSON object"),
    InvalidResponse("invalid UTF-8", [.bytes([0xFF, 0xFE, 0x0A])], 1, "a line that is not JSON"),
    InvalidResponse("nested too deeply", [.line(String(repeating: "[", count: 100_000))], 1, "a line that is not JSON"),
    InvalidResponse("neither result nor error", [.line(#"{"jsonrpc":"2.0","id":1}"#)], 1, "neither result nor error"),
    InvalidResponse("connection closed", [.close], 3, "closed the connection without a response"),
    InvalidResponse(
      "connection closed midway", [.bytes(Array(#"{"jsonrpc":"#.utf8)), .close], 3, "in the middle of a response"),
    InvalidResponse("an endless line", [.endless], 1, "a line of more than 4 MiB"),
    InvalidResponse(
      "an error without a request",
      [
        .line(#"{"id":null,"error":{"code":8,"message":"too many clients","data":{"kind":"too_many_clients"}}}"#),
        .close,
      ],
      1, "too many clients (too_many_clients)"),
    InvalidResponse(
      "an error that is not an object", [.line(#"{"id":1,"error":"no"}"#)], 1, "an error without a message"),
  ]

  @Test(arguments: invalidResponses)
  func invalidResponseIsReported(_ invalid: InvalidResponse) throws {
    let daemon = try StubDaemon { _, _ in invalid.steps }
    for verb in [["status"], ["list"], ["next"]] {
      let outcome = try ClientProcess.run(verb, environment: daemon.environment)
      #expect(outcome.code == invalid.code)
      #expect(outcome.errorText.contains(invalid.message), "\(outcome.errorText)")
      #expect(outcome.output == [])
    }
  }

  /// Members that are missing, of another type or out of range are treated as unknown.
  @Test(arguments: [
    "null", "[]", "3", "{}", #"{"state":7,"track":[],"length":"x","output":null}"#,
    #"{"state":"playing","length":9223372036854775807,"index":9223372036854775806,"position":1e300,"duration":-5,"track":{}}"#,
    #"{"state":"playing","length":-1,"index":-9223372036854775808,"volume":1e18,"monotonic":-1e300,"rate":1,"position":5,"track":{"index":-3,"duration":1e-300,"durationKind":"exact","metadata":{"year":-1}},"duration":1e-300}"#,
    #"{"track":{"index":9223372036854775807,"uri":"file://"},"index":9223372036854775807,"sleep":{"seconds":1e300},"length":1,"audio":{"sampleRate":9223372036854775807,"bitRate":9223372036854775807,"channels":-1,"codec":"\u0000"}}"#,
    #"{"tracks":[{"index":9223372036854775807},{},3],"total":-7,"offset":3}"#,
    #"{"tracks":[],"total":9223372036854775807}"#, #"{"tracks":7,"total":5}"#,
    #"{"outputs":[{},3,{"name":1}]}"#, #"{"added":3,"failed":[3,{}]}"#,
  ])
  func unexpectedResultDoesNotCrashTheClient(result: String) throws {
    let daemon = try StubDaemon { _, _ in [.result(result)] }
    for verb in [
      ["status"], ["next"], ["list"], ["list", "--json"], ["volume"], ["sleep"], ["outputs"], ["stats"], ["version"],
      ["add", "/"], ["remove", "1"], ["tracks"], ["albums", "x"], ["album", "1"], ["artist", "1"], ["search", "x"],
      ["search"], ["suggest", "x"], ["fav", "list"], ["fav", "add", "/"], ["rate", "1", "/"], ["history"], ["playlist"],
      ["playlist", "remove", "x", "1"], ["lyrics", "/"], ["library"], ["scan"], ["genres", "--json"],
    ] {
      for place in [ClientProcess.Place.pipe, .terminal(columns: 40)] {
        let outcome = try ClientProcess.run(verb, environment: daemon.environment, on: place)
        #expect((0...1).contains(outcome.code), "\(verb): \(outcome.code) \(outcome.errorText)")
        if verb == ["remove", "1"] { #expect(outcome.code == 1) }
      }
    }
  }

  @Test func eventsAndUnrelatedResponsesAreSkipped() throws {
    let daemon = try StubDaemon { _, _ in
      [
        .line(#"{"jsonrpc":"2.0","method":"event","params":{"topic":"player","seq":1,"data":{}}}"#),
        .line(#"{"jsonrpc":"2.0","id":77,"result":null}"#), .line(#"{"jsonrpc":"2.0","id":"1","result":3}"#),
        .result(#"{"volume":42,"muted":true}"#),
      ]
    }
    #expect(try ClientProcess.run(["volume"], environment: daemon.environment).lines == ["volume 42% (muted)"])
  }

  @Test func shutdownSucceedsWhenTheDaemonClosesTheConnection() throws {
    let daemon = try StubDaemon { _, _ in [.close] }
    let outcome = try ClientProcess.run(["shutdown"], environment: daemon.environment)
    #expect(outcome.code == 0 && outcome.lines == ["the daemon is shutting down"])
    #expect(try ClientProcess.run(["shutdown"], environment: ["SEGUE_SOCKET": "/nonexistent/socket"]).code == 3)
  }

  @Test func writeErrorsAreReportedButAClosedPipeIsNot() throws {
    let daemon = try StubDaemon(RecordedResponses.standard)
    let full = try ClientProcess.run(["list"], environment: daemon.environment, on: .file("/dev/full"))
    #expect(full.code == 1 && full.errorText.contains("No space left"))
    let client = try ClientProcess(["list"], environment: daemon.environment)
    client.closeOutput()
    let gone = try client.finish()
    #expect(gone.code == 0 && gone.errors == [])
  }

  @Test func progressIsShownWhileARequestIsPending() throws {
    let daemon = try StubDaemon { method, parameters in
      (method == "queue.add" ? [.hold] : []) + RecordedResponses.standard(method, parameters)
    }
    let client = try ClientProcess(
      ["add", "/usr"], environment: daemon.environment, on: .terminalWithErrors(columns: 60))
    #expect(try client.read(upTo: "…") == "\radding /usr…")
    daemon.release()
    #expect(try client.finish().text == "\r\u{1B}[Kadded 2 tracks\n")
  }
}
