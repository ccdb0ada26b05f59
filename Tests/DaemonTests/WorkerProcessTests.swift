import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests with programs that are not workers. No track may be marked for them, and no request may wait forever.
@Suite(.timeLimit(.minutes(2))) struct WorkerProcessTests {
  private let replaceable: ReplaceableWorkerFixture
  private var fixture: DaemonFixture { replaceable.fixture }

  init() throws { replaceable = try ReplaceableWorkerFixture() }

  @Test(arguments: ["exit 1", "exec 3>&-; exec sleep 100", "echo nonsense >&3; exec sleep 100", "kill -SEGV $$"])
  func noTrackIsMarkedWhenADecoderDoesNotStart(script: String) throws {
    try fixture.add(try fixture.album([10_000, 10_000]))
    // The worker that is kept ready has to exit first.
    for child in Processes.children(of: try #require(fixture.daemon.pid)) { kill(child, SIGKILL) }
    try Processes.waitForNoChildren(of: try #require(fixture.daemon.pid))
    try replaceable.installWorker(script)
    try fixture.call("play")
    let status = try fixture.wait { $0.state == .paused }
    #expect(status.output.error?.text.contains("decoder") == true, "\(status.output)")
    let response = try fixture.client.call(
      "queue.add", #"{"uris":\#(fixture.list([FileURI.encode(try fixture.track("x", 0..<100))]))}"#)
    #expect(response["failed"]?.elements?.first?["kind"]?.string == "unavailable", "\(response)")
    #expect(try fixture.errors() == [nil, nil])
    let started = try fixture.client.call("daemon.stats")["workersStarted"]?.int ?? 0
    // A request causes three starts. The current track, its picture and the new file need a worker.
    #expect(started < 16, "\(started) workers were started")

    try replaceable.installWorker(program: "segue-worker")
    try fixture.call("play")
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 20_000)])
  }
}

extension WorkerProcessTests {
  /// If memory is short, the kernel kills the decoder, and each one that is started in its place while it loads.
  @Test func playbackPausesIfNoDecoderStartsAfterOneWasKilled() throws {
    let replaceable = try ReplaceableWorkerFixture(.null("test"), configuration: "[Player]\nGracePeriod=1\n")
    let fixture = replaceable.fixture
    try fixture.add([try fixture.track("long", 0..<(60 * Signal.rate))], play: true)
    try fixture.recording.wait(forFrame: 10_000)
    let pid = try #require(fixture.daemon.pid)
    try waitUntil("the idle workers have exited") { Processes.children(of: pid).count == 1 }
    let before = try fixture.client.call("daemon.stats")["workersStarted"]?.int ?? 0
    // It ends once it has its ring and the track.
    try replaceable.installWorker("dd bs=65536 count=2 <&3 >/dev/null; kill -KILL $$")
    kill(try fixture.decoder(), SIGKILL)
    let status = try fixture.wait { $0.state == .paused }
    #expect(status.output.error?.text.contains("decoder") == true, "\(status.output)")
    #expect(try fixture.errors() == [nil])
    let started = try fixture.client.call("daemon.stats")["workersStarted"]?.int ?? 0
    #expect(started - before == 3)

    try replaceable.installWorker(program: "segue-worker")
    let position = try #require(status.position)
    #expect(try fixture.call("play").position == position)
    try fixture.wait { $0.rate == 1 && $0.output.error == nil }
  }

  /// A user or the kernel may kill a worker. The picture must not be stored as unusable.
  @Test func aKilledWorkerDoesNotMarkAPictureAsDamaged() throws {
    let killed = fixture.daemon.directory.appending("killed")
    try replaceable.installWorker(
      """
      if mkdir \(killed); then
        printf '{"event":"ready","lacking":[]}' >&3
        dd bs=65536 count=1 <&3 >/dev/null
        kill -KILL $$
      fi
      exec \(WorkerProcess.product("segue-worker")) "$@"
      """)
    let track = try fixture.write("a.flac", PictureFile.flac([(3, PictureFile.png(20, 20, [200, 30, 30]))]))
    let art = Art(try fixture.client.call("art", #"{"uri":\#(quoted(FileURI.encode(track)))}"#))
    #expect((art.width, art.height) == (20, 20))
    #expect(killed.withCString { access($0, F_OK) } == 0)
  }

  /// Every worker reports a missing sandbox mechanism. The daemon logs it once and shows it in the statistics.
  @Test func missingSandboxMechanismsAreLoggedOnce() throws {
    #expect(try fixture.client.call("daemon.stats")["sandboxLacks"]?.isNull == true)
    try replaceable.installWorker(#"echo '{"event":"ready","lacking":["landlock"]}' >&3; exit 1"#)
    let uris = fixture.list([FileURI.encode(try fixture.track("x", 0..<100))])
    for _ in 0..<2 { try fixture.client.call("queue.add", #"{"uris":\#(uris)}"#) }
    let counters = try fixture.client.call("daemon.stats")
    #expect((counters["workersStarted"]?.int ?? 0) >= 2)
    #expect(counters["sandboxLacks"]?.elements?.compactMap(\.string) == ["landlock"])
    #expect(fixture.daemon.errors.split(separator: "\n").filter { $0.contains("lacks landlock") }.count == 1)
  }

  /// The worker opens no file then, and needs none.
  @Test func aStreamPlaysWithoutLandlock() throws {
    let worker = WorkerProcess.product("segue-worker")
    try replaceable.installWorker(
      "exec \(WorkerProcess.product("sandbox-probe")) --without-landlock run \(worker) \"$@\"")
    let web = try WebServer(.file(AudioFile.wave(Signal.pcm(0..<80_000))))
    try fixture.add(uris: [web.url("song.wav")], play: true)
    try fixture.recording.waitForSilence()
    #expect(fixture.recording.recordedFrames.sound == [RecordedFrames.Run(first: 0, count: 80_000)])
    let counters = try fixture.client.call("daemon.stats")
    #expect(counters["sandboxLacks"]?.elements?.compactMap(\.string) == ["landlock"])
    #expect(counters["workersLost"]?.int == 0)
    #expect(fixture.daemon.errors.contains("only /etc/hosts names"))
  }

  @Test func releasedWorkersLeaveNoDescriptor() throws {
    let pid = try #require(fixture.daemon.pid)
    let path = try fixture.track("a", 0..<400)
    try fixture.add([path])
    let before = Processes.descriptors(of: pid)
    for _ in 0..<20 { try fixture.add([path, path]) }
    #expect(try fixture.client.call("daemon.stats")["workersStarted"]?.int ?? 0 > 10)
    #expect(Processes.descriptors(of: pid) < before + 8)
  }
}
