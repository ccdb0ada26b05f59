import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of what a worker inherits from the daemon, and of its messages in the log.
@Suite(.timeLimit(.minutes(2))) struct WorkerIsolationTests {
  private let replaceable: ReplaceableWorkerFixture
  private var fixture: DaemonFixture { replaceable.fixture }

  init() throws { replaceable = try ReplaceableWorkerFixture() }

  /// Probes a file with a worker that runs `script` before the real program.
  private func start(_ script: String) throws {
    try replaceable.installWorker("\(script)\nexec \(WorkerProcess.product("segue-worker")) \"$@\"")
    try fixture.add(try fixture.album([400]))
  }

  /// Restarts the daemon with additional variables.
  private func restart(with environment: [String: String]) throws {
    fixture.daemon.kill()
    fixture.daemon.environment.merge(environment) { $1 }
    try fixture.daemon.start()
    try fixture.reconnect()
  }

  /// The log lines of workers without their names.
  private func messages() -> [String] {
    fixture.daemon.errors.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("segued: segue-worker "), let colon = line.dropFirst(8).firstIndex(of: ":") else {
        return nil
      }
      let number = line[..<colon].dropFirst("segued: segue-worker ".count)
      return Int(number) == nil ? nil : String(line[colon...].dropFirst(2))
    }
  }

  /// The environment contains passwords, tokens and the addresses of session services. Workers of the library, which
  /// another thread starts, inherit the same variables as others.
  @Test func aWorkerInheritsOnlyTheVariablesItNeeds() throws {
    let music = fixture.daemon.directory.appending("music/song.wav")
    try AudioFile.write(AudioFile.wave(Signal.pcm(0..<400)), to: music)
    try replaceable.installWorker(
      "tr '\\0' '\\n' </proc/$$/environ >&2\nexec \(WorkerProcess.product("segue-worker")) \"$@\"")
    try restart(with: ["SECRET": "x", "LANG": "de_DE.UTF-8", "LANGUAGE": "de", "http_proxy": "http://user:word@proxy"])
    try waitUntil("the music folder was scanned") {
      try fixture.client.call("library.status")["tracks"]?.int == 1
    }
    try fixture.add(try fixture.album([400]))
    let inherited = Set(messages())
    #expect(
      inherited.subtracting(Sanitizer.environment.map { "\($0.key)=\($0.value)" }) == [
        "LC_ALL=C.UTF-8", "LANG=de_DE.UTF-8",
      ])
  }

  /// Old tags of streams may be in a charset of the user's language.
  @Test func aStreamWorkerInheritsTheLanguage() throws {
    let server = try WebServer(.file(AudioFile.wave(Signal.pcm(0..<400))))
    try replaceable.installWorker(
      "[ \"$1\" != stream ] || tr '\\0' '\\n' </proc/$$/environ >&2\n"
        + "exec \(WorkerProcess.product("segue-worker")) \"$@\"")
    try restart(with: ["LC_COLLATE": "ja_JP.UTF-8", "LANG": "de_DE.UTF-8"])
    try fixture.add(uris: ["http://127.0.0.1:\(server.port)/song.wav"], play: true)
    try fixture.recording.waitForSilence()
    #expect(Set(messages()).isSuperset(of: ["LC_ALL=C.UTF-8", "LC_COLLATE=ja_JP.UTF-8", "LANG=de_DE.UTF-8"]))
  }

  /// Only the fetch process inherits the variables of the proxy.
  @Test func aStreamIsRequestedThroughTheProxy() throws {
    let proxy = try WebServer(.file(AudioFile.wave(Signal.pcm(0..<80_000))))
    try restart(with: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
    try fixture.add(uris: ["http://radio.invalid/song.wav"], play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 80_000)])
  }

  /// The standard error of the daemon may be a terminal, from which a process could read.
  @Test func aWorkerHasNoDescriptorOfTheTerminal() throws {
    try start("for fd in 0 1 2 3; do link=$(readlink /proc/$$/fd/$fd); echo \"$fd $link\"; done")
    let links = Dictionary(uniqueKeysWithValues: messages().map { ($0.prefix(1), $0.dropFirst(2)) })
    #expect(links["0"] == "/dev/null")
    #expect(links["1"]?.hasPrefix("pipe:") == true)
    #expect(links["2"] == links["1"])
    #expect(links["3"]?.hasPrefix("socket:") == true)
  }

  /// The death of a worker affects one track, that of the daemon all playback.
  @Test func theKernelKillsAWorkerBeforeTheDaemonWhenMemoryRunsOut() throws {
    try fixture.add([try fixture.track("long", 0..<(20 * Signal.rate))], play: true)
    try fixture.recording.wait(forFrame: 1_000)
    let daemon = try #require(fixture.daemon.pid)
    let own = try #require(recordedFrames(of: daemon))
    #expect(try recordedFrames(of: fixture.decoder()) == min(own + 200, 1_000))
  }

  @Test func messagesOfAWorkerAreLoggedWithItsName() throws {
    try start("echo one; echo '<6>two' >&2; echo '<x>three'")
    let errors = fixture.daemon.errors
    #expect(messages() == ["one", "two", "<x>three"], "\(errors)")
  }

  /// The last message may contain the reason of the exit.
  @Test func messagesOfAnExitingWorkerAreLogged() throws {
    try replaceable.installWorker("printf 'there is no libfoo.so' >&2; exit 1")
    let track = fixture.list([FileURI.encode(try fixture.track("x", 0..<100))])
    try fixture.client.call("queue.add", #"{"uris":\#(track)}"#)
    #expect(Set(messages()) == ["there is no libfoo.so"])
  }

  /// Newlines and control characters of a worker are escaped.
  @Test func messagesOfAWorkerCannotForgeLogLines() throws {
    try start("printf 'a\\033[2Jb\\rsegued: c\\n' >&2")
    #expect(messages() == ["a\\u{1b}[2Jb\\u{d}segued: c"])
  }

  @Test func aLongMessageIsLoggedInPieces() throws {
    try start("head -c 2500 /dev/zero | tr '\\0' x >&2; echo >&2")
    #expect(messages().map(\.count) == [1_024, 1_024, 452])
  }

  /// The pipe is closed when the limit is reached. The track plays.
  @Test(arguments: ["yes", "yes ''", "cat /dev/zero"])
  func outputOfAWorkerIsLimited(command: String) throws {
    try start("exec 4>&2\nuntil \(command) 2>&1 >&4 | grep -q 'Broken pipe'; do :; done")
    let messages = messages()
    #expect(messages.count <= 65)
    #expect(messages.allSatisfy { $0.utf8.count <= 8 * 1_024 })
    #expect(
      fixture.daemon.errors.split(separator: "\n").count {
        $0.hasSuffix("writes too many messages; the rest of them is not logged")
      } == 1)
    try fixture.call("play")
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 400)])
  }

  /// Returns `oom_score_adj` (proc(5)).
  private func recordedFrames(of pid: Int32) -> Int? {
    guard let file = fopen("/proc/\(pid)/oom_score_adj", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 16)
    return fgets(&line, Int32(line.count), file) == nil ? nil : Int(atoi(line))
  }
}
