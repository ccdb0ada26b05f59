import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the client's verbs for queue and playback with a real daemon and sound server.
@Suite struct ClientPlaybackTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  private func segue(_ words: [String], on place: ClientProcess.Place = .pipe) throws -> ClientProcess.Outcome {
    try ClientProcess.run(
      words, environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)", "NO_COLOR": "1"], on: place,
      folder: fixture.folder)
  }

  @discardableResult
  private func long(_ name: String) throws -> FilePath { try fixture.track(name, 0..<(60 * Signal.rate)) }

  @Test func existingFilesAreAddedAndMissingOnesReported() throws {
    try fixture.track("a", 0..<8_000)
    try fixture.write("note.txt", "no audio")
    for verb in ["add", "insert"] {
      let outcome = try segue([verb, "a.wav", "missing.mp3", "note.txt"])
      #expect(outcome.code == 1)
      #expect(outcome.lines == ["added 1 track"])
      let errors = outcome.errorText.split(separator: "\n")
      #expect(errors.count == 2, "\(errors)")
      #expect(errors.first == "segue: missing.mp3: No such file or directory (not_found)")
      #expect(errors.last?.contains("note.txt") == true && errors.last?.hasSuffix("(unplayable)") == true, "\(errors)")
    }
    #expect(try fixture.ids().count == 2)
    let nothing = try segue(["add", "missing.mp3", "none"])
    #expect(nothing.code == 1 && nothing.output == [] && nothing.errorText.split(separator: "\n").count == 2)
    #expect(try fixture.ids().count == 2)
    #expect(try segue(["play", "missing.mp3", "a.wav"]).code == 1)
    #expect(try fixture.ids().count == 3)
  }

  @Test func aDamagedFileInAFolderIsReportedWithoutFailure() throws {
    try fixture.track("album/a", 0..<8_000)
    try fixture.write("album/b.wav", "no audio")
    for words in [["add", "album"], ["play", "album"]] {
      let outcome = try segue(words)
      #expect(outcome.code == 0)
      #expect(outcome.errorText.contains("b.wav") && outcome.errorText.hasSuffix("(unplayable)\n"))
    }
    #expect(try fixture.ids().count == 2)
  }

  @Test func aFailedArgumentIsReportedBeforeFailuresInAPlaylist() throws {
    try fixture.track("a", 0..<8_000)
    try fixture.write("list.m3u", "a.wav\n" + (0..<1_500).map { "gone\($0).wav\n" }.joined())
    try fixture.write("note.txt", "no audio")
    let outcome = try segue(["add", "list.m3u", "note.txt"])
    #expect(outcome.code == 1)
    #expect(outcome.lines == ["added 1 track"])
    let errors = outcome.errorText.split(separator: "\n")
    #expect(errors.count == 1_001)
    #expect(errors.first?.contains("note.txt") == true && errors.first?.hasSuffix("(unplayable)") == true, "\(errors)")
    #expect(errors.last == "segue: 501 more: cannot be added")
    #expect(try segue(["add", "list.m3u"]).code == 0)
  }

  @Test func playReturnsWhenTheTrackIsAudible() throws {
    try long("long")
    let outcome = try segue(["play", "long.wav"])
    #expect(outcome.code == 0 && outcome.errors == [], "\(outcome.errorText)")
    #expect(try fixture.status().rate == 1)
    #expect(try segue(["pause"]).code == 0)
    #expect(try segue(["play"]).code == 0)
    #expect(try fixture.status().rate == 1)
  }

  @Test func playReportsADamagedFileAndTheNextTrackPlays() throws {
    let paths = [try long("one"), try long("two")]
    let ids = try fixture.add(paths)
    try AudioFile.write(Array("no music any more".utf8), to: paths[0])
    let outcome = try segue(["play", "1"])
    #expect(outcome.code == 1)
    #expect(outcome.lines.first?.hasPrefix("playing two") == true, "\(outcome.text)")
    let reason = try #require(try fixture.errors().first ?? nil)
    #expect(outcome.errorText == "segue: one: \(reason) (unplayable)\n")
    #expect(try fixture.status().track?.id == UInt64(ids[1]))
  }

  @Test func playReportsTheOnlyDamagedFile() throws {
    let path = try long("one")
    try fixture.add([path])
    try AudioFile.write(Array("no music any more".utf8), to: path)
    let outcome = try segue(["play"])
    #expect(outcome.code == 1)
    let reason = try #require(try fixture.errors().first ?? nil)
    #expect(outcome.errorText == "segue: one: \(reason) (unplayable)\n")
  }

  @Test func playReportsAFileWithoutAudio() throws {
    try fixture.write("note.txt", "no audio")
    let outcome = try segue(["play", "note.txt"])
    #expect(outcome.code == 1 && outcome.output == [])
    #expect(outcome.errorText.contains("note.txt") && outcome.errorText.contains("(unplayable)"))
  }

  @Test func seekBeyondTheEndPlaysTheNextTrack() throws {
    let ids = try fixture.add([try long("one"), try long("two")], play: true)
    try fixture.wait { $0.rate == 1 }
    let outcome = try segue(["seek", "24h"])
    #expect(outcome.code == 0 && outcome.lines.first?.contains("two") == true, "\(outcome.errorText)")
    #expect(try fixture.status().track?.id == UInt64(ids[1]))
  }

  @Test func errorsCountFromOneAndContainNoMethodNames() throws {
    let empty = try segue(["play"])
    #expect(empty.errorText.hasPrefix("segue: the queue is empty (empty_queue)\n"))
    try fixture.add([try fixture.track("one", 0..<8_000), try fixture.track("two", 0..<8_000)])
    let words: [[String]] = [
      ["move", "1", "99"], ["play", "99"], ["remove", "99"], ["playlist", "show", "none"],
      ["playlist", "load", "none"],
      ["playlist", "delete", "none"], ["album", "99"], ["artist", "99"], ["fav", "add", "segue:album/99"],
      ["watch", "weather"], ["settings", "set", "restore", "perhaps"], ["settings", "get", "none"],
      ["outputs", "nowhere"], ["chapters", "missing"], ["lyrics", "one.wav"], ["art", "one.wav"], ["search", " "],
    ]
    let methods = try fixture.client.call("rpc.discover")["methods"]?.elements?.compactMap { $0["name"]?.string } ?? []
    #expect(methods.count > 50)
    for words in words {
      let outcome = try segue(words)
      #expect(outcome.code != 0, "\(words)")
      for method in methods where method.contains(".") || method == "subscribe" {
        #expect(!outcome.errorText.contains(method), "\(words): \(outcome.errorText)")
      }
      #expect(!outcome.errorText.contains("`"), "\(words): \(outcome.errorText)")
    }
    #expect(try segue(["move", "1", "99"]).errorText.hasPrefix("segue: there is no entry 99: the queue has 2 "))
  }

  @Test func watchPrintsEachTrackOnce() throws {
    try fixture.add([try fixture.track("one", 0..<(2 * Signal.rate)), try long("two")])
    let watcher = try ClientProcess(["watch", "--track"], environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)"])
    try fixture.call("play")
    try fixture.wait { $0.rate == 1 }
    // These player events do not change the track.
    for level in [40, 50, 60] { try fixture.client.call("volume", #"{"level":\#(level)}"#) }
    try fixture.call("pause")
    try fixture.call("play")
    var titles: [String] = []
    for _ in 0..<2 { titles.append(QueueEntry(try JSON(parsing: Array((try watcher.readLine() ?? "").utf8))).uri) }
    #expect(titles.map { $0.split(separator: "/").last } == ["one.wav", "two.wav"])
  }

  @Test func statusOnATerminalShowsTheOutputDevice() throws {
    try long("long")
    #expect(try segue(["play", "long.wav"]).code == 0)
    try fixture.wait { $0.output.device == "test" }
    #expect(try segue(["status"], on: .terminal(columns: 60)).lines.contains("  output test"))
  }
}
