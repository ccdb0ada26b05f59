import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of errors of the library verbs and their hints.
@Suite struct LibraryFailureTests {
  private func run(_ words: [String], _ script: @escaping StubDaemon.Script) throws -> ClientProcess.Outcome {
    let daemon = try StubDaemon(script)
    return try ClientProcess.run(words, environment: daemon.environment)
  }

  private func failing(_ kind: String, _ message: String = "no") -> StubDaemon.Script {
    { method, parameters in
      method == "status" || method == "library.search"
        ? RecordedLibraryResponses.standard(method, parameters) : [.error(code: 3, kind: kind, message: message)]
    }
  }

  @Test(arguments: [
    (["playlist", "save", "x"], "exists", "segue playlist save NAME --replace"),
    (["playlist", "delete", "x"], "not_found", "segue playlist   shows the names"),
    (["playlist", "show", "x"], "not_found", "segue playlist   shows the names"),
    (["album", "77"], "not_found", "segue albums   shows the numbers"),
    (["artist", "77"], "not_found", "segue artists   shows the numbers"),
    (["lyrics"], "not_found", "put a .lrc file with the same name"),
    (["scan", "/"], "not_found", "segue library   shows the music folders"),
  ])
  func errorHasSpecificHints(_ words: [String], _ kind: String, _ hint: String) throws {
    let outcome = try run(words) { method, parameters in
      method == "library.search"
        ? [.result(#"{"tracks":[],"albums":[],"artists":[],"total":0}"#)] : self.failing(kind)(method, parameters)
    }
    #expect(outcome.code == 1 && outcome.output == [])
    #expect(outcome.errorText.hasPrefix("segue: no (\(kind))\n"))
    #expect(outcome.errorText.contains(hint))
  }

  /// The sound server is not involved.
  @Test(arguments: [["tracks"], ["history"], ["rate", "8", "/"], ["fav", "add", "/"]])
  func libraryErrorsHaveNoHintsAboutSound(words: [String]) throws {
    let outcome = try run(words) { _, _ in [.error(code: 9, kind: "unavailable", message: "the library: no")] }
    #expect(outcome.code == 1)
    #expect(outcome.errorText.hasPrefix("segue: the library: no (unavailable)\n  segue library "))
    #expect(!outcome.errorText.contains("pactl"))
  }

  @Test(arguments: [["scan"], ["scan", "--watch"]]) func failedScanReportsItsError(words: [String]) throws {
    let status = RecordedLibraryResponses.status { $0.error = "the library: no disk" }
    let outcome = try run(words) { _, _ in [.result(RecordedResponses.json(status))] }
    #expect(outcome.code == 1)
    #expect(outcome.errorText.hasPrefix("segue: the library: no disk (unavailable)\n"))
  }

  /// A search during the first scan reports the scan and suggests a command.
  @Test(arguments: [["search", "x"], ["albums", "x"]])
  func searchWithoutMatchesExplainsWhy(words: [String]) throws {
    func output(_ change: @escaping @Sendable (inout LibraryStatus) -> Void) throws -> [String] {
      let daemon = try StubDaemon { method, _ in
        [
          .result(
            method == "library.status"
              ? RecordedResponses.json(RecordedLibraryResponses.status(change)) : #"{"total":0}"#)
        ]
      }
      let environment = daemon.environment.merging(["NO_COLOR": "1"]) { $1 }
      return try ClientProcess.run(words, environment: environment, on: .terminal(columns: 100)).lines
    }
    #expect(try output { _ in }.map { $0.hasPrefix("No match") } == [true])
    #expect(try output { $0.tracks = 0 }.map { $0.hasPrefix("The library is empty.") } == [true])
    #expect(try output { $0.scanning = true }.map { $0.hasPrefix("Nothing yet: ") } == [true])
    #expect(try output { $0.searchable = 2 }.map { $0.hasPrefix("Nothing yet: ") } == [true])
  }

  @Test func unknownAndAmbiguousNamesAreExplained() throws {
    let none = try run(["album", "nothing"]) { _, _ in [.result(#"{"albums":[],"total":0}"#)] }
    #expect(none.code == 1)
    #expect(
      none.errorText == """
        segue: album “nothing” not found in the library (not_found)
          segue search nothing   searches the whole library
          segue albums   lists all albums

        """)
    let several = try run(["artist", "mi"], RecordedLibraryResponses.standard)
    #expect(several.code == 1)
    #expect(
      several.errorText == """
        segue: “mi” matches more than one artist
          segue artist segue:artist/3   Miles Davis
          segue artist segue:artist/41   坂本龍一^G

        """)
  }

  @Test func verbsWithoutACurrentTrackRequireAnArgument() throws {
    let status = RecordedResponses.json(RecordedResponses.status(.stopped, track: nil, length: 0))
    for words in [["fav"], ["fav", "add"], ["rate", "8"], ["lyrics"], ["playlist", "add", "x"]] {
      let outcome = try run(words) { _, _ in [.result(status)] }
      #expect(outcome.code == 1)
      #expect(outcome.errorText.hasPrefix("segue: there is no current track (no_such_track)\n"))
      #expect(outcome.errorText.contains("or name one"))
    }
  }

  @Test func suggestedPlaylistCommandsAreShellQuoted() throws {
    func output(_ words: String...) throws -> String {
      let outcome = try run(["playlist"] + words, RecordedLibraryResponses.standard)
      #expect(outcome.code != 0)
      return outcome.errorText
    }
    #expect(try output("My 'best'").contains(#"segue playlist show 'My '\''best'\'''   lists"#))
    #expect(try output("remove", "Утро 1", "99").contains("segue playlist show 'Утро 1'   shows"))
    #expect(try output("remove", "Утро", "99").contains("segue playlist show Утро   shows"))
    // The missing path is reported, not a missing playlist.
    let missing = try output("add", "x", "/nowhere/at/all")
    #expect(missing.contains("paths are relative") && !missing.contains("shows the names"))
  }

  @Test func rejectedURIsAreListed() throws {
    let failed = #"[{"uri":"file:///a%20b.txt","kind":"invalid_params","message":"no music"}]"#
    let some = try run(["fav", "add", "segue:album/1", "/"]) { _, _ in
      [.result(#"{"uris":["segue:album/1"],"failed":\#(failed),"total":1}"#)]
    }
    #expect(some.code == 0 && some.lines == ["added 1 favorite (1 in total)"])
    #expect(some.errorText == "segue: /a b.txt: no music (invalid_params)\n")
    let none = try run(["fav", "add", "/"]) { _, _ in [.result(#"{"uris":[],"failed":\#(failed),"total":1}"#)] }
    #expect(none.code == 1 && none.output == [] && none.errorText.contains("nothing was changed"))
    // A message that contains the path is not prefixed with it again.
    let twice = failed.replacing("no music", with: "/a b.txt: no music")
    let once = try run(["fav", "add", "/"]) { _, _ in [.result(#"{"uris":[],"failed":\#(twice),"total":1}"#)] }
    #expect(once.errorText.hasPrefix("segue: /a b.txt: no music (invalid_params)\n"))
    let list = try run(["playlist", "add", "x", "/"]) { _, _ in
      [.result(#"{"playlist":{"name":"x","trackCount":1},"failed":\#(failed)}"#)]
    }
    #expect(list.lines == ["x: 1 song"] && list.errorText.contains("no music"))
  }

  @Test func nonexistentPlaylistEntriesAreRejected() throws {
    let daemon = try StubDaemon(RecordedLibraryResponses.standard)
    for words in ["7", "2-9", "1-1000000000"] {
      let outcome = try ClientProcess.run(["playlist", "remove", "x", words], environment: daemon.environment)
      #expect(outcome.code == 1)
      #expect(outcome.errorText.contains("there is no entry 7: x has 6 (out_of_range)"))
    }
    #expect(daemon.requests.allSatisfy { $0.hasPrefix("playlists.load ") })
  }

  /// The output before an error is kept.
  @Test func errorAfterTheFirstPageIsReported() throws {
    let tracks = (0..<1_000).map { RecordedLibraryResponses.track("Title \($0)") }
    let outcome = try run(["tracks"]) { _, parameters in
      parameters.contains(#""offset""#)
        ? [.error(code: 9, kind: "unavailable", message: "the library cannot be read")]
        : [
          .result(RecordedLibraryResponses.page(tracks, parameters).replacing("\"total\":1000", with: "\"total\":1001"))
        ]
    }
    #expect(outcome.code == 1)
    #expect(outcome.lines.count == 1_000)
    #expect(outcome.errorText.contains("the library cannot be read (unavailable)"))
  }
}
