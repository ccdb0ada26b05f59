import SegueSystem
import SegueTestKit
import Synchronization
import Testing

/// Tests of the requests that each verb sends to the daemon.
@Suite struct RequestTests {
  typealias Example = RequestExample

  static let examples: [Example] = [
    Example("", "status", "chapters"),
    Example("status", "status", "chapters"),
    Example("play", "play"),
    Example("play 3", #"play {"index":2}"#),
    Example("play http://host/a.mp3", #"queue.add {"uris":["http://host/a.mp3"],"at":"next","play":true}"#, "status"),
    Example(
      "play http://host/a http://host/b",
      #"queue.add {"uris":["http://host/a","http://host/b"],"at":"next","play":true}"#,
      "status"),
    Example("pause", "pause"),
    Example("toggle", "toggle"),
    Example("play-pause", "toggle"),
    Example("stop", "stop"),
    Example("next", "next"),
    Example("next track", #"next {"by":"track"}"#),
    Example("prev", "prev"),
    Example("prev track", #"prev {"by":"track"}"#),
    Example("chapters", "chapters"),
    Example("chapters 2", "chapters", "status", #"seek {"position":3723}"#),
    Example("chapters http://host/a", #"chapters {"uri":"http://host/a"}"#),
    Example("previous", "prev"),
    Example("seek 90", #"seek {"position":90}"#),
    Example("seek 1:30", #"seek {"position":90}"#),
    Example("seek 1:02:03.5", #"seek {"position":3723.5}"#),
    Example("seek 1:02:03,5", #"seek {"position":3723.5}"#),
    Example("seek 12,5%", #"seek {"fraction":0.125}"#),
    Example("seek 1h2m3s", #"seek {"position":3723}"#),
    Example("seek +10", #"seek {"offset":10}"#),
    Example("seek 10+", #"seek {"offset":10}"#),
    Example("seek -5", #"seek {"offset":-5}"#),
    Example("seek 10-", #"seek {"offset":-10}"#),
    Example("seek -1:30", #"seek {"offset":-90}"#),
    Example("seek -.5", #"seek {"offset":-0.5}"#),
    Example("seek 50%", #"seek {"fraction":0.5}"#),
    Example("seek 100%", #"seek {"fraction":1}"#),
    Example("list", "status", "list"),
    Example("list 2-3", "status", #"list {"offset":1,"limit":2}"#),
    Example("list 4", "status", #"list {"offset":3}"#),
    Example("list 4 --json", #"list {"offset":3}"#),
    Example("add http://host/a", #"queue.add {"uris":["http://host/a"],"at":"end"}"#),
    Example("insert http://host/a", #"queue.add {"uris":["http://host/a"],"at":"next"}"#),
    Example("remove 2", #"list {"offset":1,"limit":1}"#, #"queue.remove {"ids":[101]}"#),
    Example(
      "remove 4-5 1 4", #"list {"offset":3,"limit":2}"#, #"list {"limit":1}"#,
      #"list {"offset":3,"limit":1}"#, #"queue.remove {"ids":[103,104,100]}"#),
    Example(
      "remove 2,4-5, 1", #"list {"offset":1,"limit":1}"#, #"list {"offset":3,"limit":2}"#,
      #"list {"limit":1}"#, #"queue.remove {"ids":[101,103,104,100]}"#),
    Example("replace http://host/a", #"queue.replace {"uris":["http://host/a"]}"#),
    Example("replace http://host/a --play", #"queue.replace {"uris":["http://host/a"]}"#, #"play {"index":0}"#),
    Example("move 4 1", #"list {"offset":3,"limit":1}"#, #"queue.move {"ids":[103],"to":0}"#),
    Example("move 1-2 4", #"list {"limit":2}"#, #"queue.move {"ids":[100,101],"to":3}"#),
    Example("clear", "queue.clear"),
    Example("undo", "queue.undo"),
    Example("redo", "queue.redo"),
    Example("volume", "volume"),
    Example("volume 30", #"volume {"level":30}"#),
    Example("volume 30%", #"volume {"level":30}"#),
    Example("volume +5", #"volume {"delta":5}"#),
    Example("volume -5", #"volume {"delta":-5}"#),
    Example("volume 5-", #"volume {"delta":-5}"#),
    Example("volume mute", #"volume {"muted":true}"#),
    Example("volume unmute", #"volume {"muted":false}"#),
    Example("volume toggle", "volume", #"volume {"muted":true}"#),
    Example("repeat", "status"),
    Example("repeat one", #"repeat {"mode":"one"}"#),
    Example("repeat on", #"repeat {"mode":"all"}"#),
    Example("shuffle on", #"shuffle {"mode":"tracks"}"#),
    Example("shuffle albums", #"shuffle {"mode":"albums"}"#),
    Example("consume on", #"consume {"on":true}"#),
    Example("consume off", #"consume {"on":false}"#),
    Example("speed", "status"),
    Example("speed 1.5", #"speed {"factor":1.5}"#),
    Example("speed 1,5", #"speed {"factor":1.5}"#),
    Example("speed +0.1", #"speed {"delta":0.1}"#),
    Example("speed 0.25-", #"speed {"delta":-0.25}"#),
    Example("speed reset", #"speed {"factor":1}"#),
    Example("sleep", "status"),
    Example("sleep 30m", #"sleep {"seconds":1800}"#),
    Example("sleep 45:00", #"sleep {"seconds":2700}"#),
    Example("sleep album", #"sleep {"after":"album"}"#),
    Example("sleep off", #"sleep {"off":true}"#),
    Example("gain", "gain"),
    Example("gain album", #"gain {"mode":"album"}"#),
    Example("gain auto -3", #"gain {"mode":"auto","preamp":-3}"#),
    Example("gain +1.5dB", #"gain {"preamp":1.5}"#),
    Example("gain -3,5", #"gain {"preamp":-3.5}"#),
    Example("gain 0", #"gain {"preamp":0}"#),
    Example("outputs", "output.list"),
    Example("outputs alsa.hdmi", "output.list", #"output.set {"device":"alsa.hdmi"}"#),
    Example("outputs 2", "output.list", #"output.set {"device":"alsa.hdmi"}"#),
    Example("outputs Built-in", "output.list", #"output.set {"device":"alsa.analog"}"#),
    Example("outputs default", "output.list", #"output.set {"device":null}"#),
    Example("settings", "settings.list"),
    Example("settings list --json", "settings.list"),
    Example("settings get player.preamp", #"settings.get {"name":"player.preamp"}"#),
    Example("settings set preamp -3", #"settings.set {"name":"preamp","value":"-3"}"#),
    Example("setting reset preamp", #"settings.reset {"name":"preamp"}"#),
    Example("rpc status", "status"),
    Example(#"rpc queue.list {"offset":1,"limit":2}"#, #"queue.list {"offset":1,"limit":2}"#),
    Example("rpc favorites.list [1,null]", "favorites.list [1,null]"),
    Example("stats", "daemon.stats"),
    Example("shutdown", "daemon.shutdown"),
    Example("version", "rpc.version"),
    Example("--json next", "next"),
    Example("next --json -q", "next"),
  ]

  @Test(arguments: examples)
  func verbSendsTheExpectedRequests(_ example: Example) throws {
    let daemon = try StubDaemon(RecordedResponses.standard)
    let outcome = try ClientProcess.run(example.words, environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(daemon.requests == example.requests)
    #expect(outcome.errorText == "")
  }

  @Test func pathsAreConvertedToAbsoluteURIsByteForByte() throws {
    let folder = try TemporaryFolder()
    try folder.write("one two#3?%.flac")
    try folder.write(bytes: Array("na".utf8) + [0xEF, 0xFF] + Array("me.ogg".utf8))
    try folder.write("7")
    let daemon = try StubDaemon(RecordedResponses.standard)
    let arguments =
      ["add", "one two#3?%.flac"].map { Array($0.utf8) } + [Array("./na".utf8) + [0xEF, 0xFF] + Array("me.ogg".utf8)]
      + [Array(".".utf8), Array("\(folder.path)//./7".utf8)]
    let outcome = try ClientProcess(bytes: arguments, environment: daemon.environment, folder: folder.path).finish()
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let root = "file://\(folder.path)"
    #expect(
      daemon.requests == [
        #"queue.add {"uris":["\#(root)/one%20two%233%3F%25.flac","\#(root)/na%EF%FFme.ogg","\#(root)","\#(root)/7"]}"#
      ])
  }

  @Test(arguments: [
    (#"a\nb\n"#, ["a", "b"]), (#"a\nb\0c\0"#, ["a%0Ab", "c"]), (#"a\r\n\r\nb\r\n"#, ["a", "b"]),
    (#"a\r\nb\n"#, ["a%0D", "b"]), (#"a\r\nb"#, ["a", "b"]), (#"a\r\nb\nc"#, ["a%0D", "b", "c"]),
    (#"a\nb"#, ["a", "b"]),
  ])
  func namesOfStandardInputEndWithLineFeedsOrNULs(_ input: String, _ names: [String]) throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c", "a\nb", "a\r"] { try folder.write(name) }
    let daemon = try StubDaemon(RecordedResponses.standard)
    let command = "cd \(folder.path) && printf '\(input)' | \(WorkerProcess.product("segue")) add -"
    _ = try ChildProcess.run(["sh", "-c", command], environment: daemon.environment, errors: true)
    let uris = names.map { "\"file://\(folder.path)/\($0)\"" }.joined(separator: ",")
    #expect(daemon.requests == [#"queue.add {"uris":[\#(uris)]}"#])
  }

  @Test func filesNamedLikeOptionsOrNumbersCanBePlayed() throws {
    let folder = try TemporaryFolder()
    try folder.write("-q")
    try folder.write("7")
    let daemon = try StubDaemon(RecordedResponses.standard)
    for words in [["play", "./7"], ["play", "--", "-q"], ["play", "../\(folder.name)/7"]] {
      let outcome = try ClientProcess.run(words, environment: daemon.environment, folder: folder.path)
      #expect(outcome.code == 0, "\(outcome.errorText)")
    }
    let root = "file://\(folder.path)"
    #expect(
      daemon.requests == [
        #"queue.add {"uris":["\#(root)/7"],"at":"next","play":true}"#, "status",
        #"queue.add {"uris":["\#(root)/-q"],"at":"next","play":true}"#, "status",
        #"queue.add {"uris":["\#(root)/7"],"at":"next","play":true}"#, "status",
      ])
  }

  @Test func socketIsSelectedByOptionThenVariableThenRuntimeFolder() throws {
    let daemon = try StubDaemon(RecordedResponses.standard)
    let wrong = ["SEGUE_SOCKET": "/nonexistent/socket"]
    #expect(try ClientProcess.run(["--socket", "\(daemon.path)", "next"], environment: wrong).code == 0)
    #expect(try ClientProcess.run(["next", "--socket=\(daemon.path)"], environment: wrong).code == 0)
    let folder = try TemporaryFolder()
    try folder.makeFolder("segue")
    try folder.link("segue/socket", to: daemon.path)
    #expect(try ClientProcess.run(["next"], environment: ["XDG_RUNTIME_DIR": "\(folder.path)"]).code == 0)
    #expect(daemon.requests == ["next", "next", "next"])
  }

  @Test func longListsAreAddedInSeveralRequests() throws {
    let daemon = try StubDaemon { method, parameters in
      guard method == "queue.add" else { return RecordedResponses.standard(method, parameters) }
      return parameters.utf8.count > 1 << 20 ? [.close] : RecordedResponses.standard(method, parameters)
    }
    let urls = (0..<200).map { "http://host/\($0)/" + String(repeating: "x", count: 8_000) }
    let outcome = try ClientProcess.run(["insert", "--json"] + urls, environment: daemon.environment)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    let requests = daemon.requests
    #expect(requests.count == 2)
    // Each batch is inserted after the current entry, so the first batch is sent last.
    #expect(requests.first?.contains("http://host/199/") == true)
    #expect(requests.last?.contains("http://host/0/") == true)
    #expect(
      outcome.lines == [
        #"{"added":[102,103,102,103],"addedTotal":4,"alreadyQueued":0,"failed":[],"failedTotal":0,"version":8}"#
      ])
  }

  @Test func longQueueIsReadInPagesAndAgainAfterAChange() throws {
    let tracks = (0..<2_500).map { RecordedResponses.track($0, "Title \($0 + 1)") }
    let calls = Mutex(0)
    let daemon = try StubDaemon { method, parameters in
      guard method == "list" else { return RecordedResponses.standard(method, parameters) }
      let page = RecordedResponses.page(of: tracks, parameters: parameters)
      // The version changes after the first page.
      let call = calls.withLock { count in
        defer { count += 1 }
        return count
      }
      return [.result(call == 0 ? page.replacing("\"version\":7", with: "\"version\":6") : page)]
    }
    let outcome = try ClientProcess.run(["list"], environment: daemon.environment)
    #expect(outcome.lines.map { $0.split(separator: "\t")[0] } == (1...2_500).map { "\($0)" })
    let offsets = [0, 1000, 0, 1000, 2000].map { $0 == 0 ? "list" : #"list {"offset":\#($0)}"# }
    #expect(daemon.requests == ["status"] + offsets)
  }
}
