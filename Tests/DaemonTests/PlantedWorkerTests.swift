import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests with programs that are not workers. No track may be marked for them, and no request may wait forever.
@Suite(.timeLimit(.minutes(2))) struct PlantedWorkerTests {
  private let planted: PlantedStage
  private var stage: Stage { planted.stage }

  init() throws { planted = try PlantedStage() }

  @Test(arguments: ["exit 1", "exec 3>&-; exec sleep 100", "echo nonsense >&3; exec sleep 100", "kill -SEGV $$"])
  func noTrackIsBlamedForADecoderThatDoesNotComeUp(script: String) throws {
    try stage.add(try stage.album([10_000, 10_000]))
    // The worker that is kept ready has to exit first.
    for child in Processes.children(of: try #require(stage.daemon.pid)) { kill(child, SIGKILL) }
    try Processes.waitForNoChildren(of: try #require(stage.daemon.pid))
    try planted.plant(script)
    try stage.ask("play")
    let status = try stage.wait { $0.state == .paused }
    #expect(status.output.error?.contains("decoder") == true, "\(status.output)")
    let answer = try stage.client.call(
      "queue.add", #"{"uris":\#(stage.list([FileURI.encode(try stage.track("x", 0..<100))]))}"#)
    #expect(answer["failed"]?.elements?.first?["kind"]?.string == "unavailable", "\(answer)")
    #expect(try stage.errors() == [nil, nil])
    let started = try stage.client.call("daemon.stats")["workersStarted"]?.int ?? 0
    // Three starts for each attempt; files that are being probed cause further attempts.
    #expect(started < 24, "\(started) were started")

    try planted.plant(program: "segue-worker")
    try stage.ask("play")
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 20_000)])
  }
}

extension PlantedWorkerTests {
  /// A user or the kernel may kill a worker. The picture must not be stored as unusable.
  @Test func aWorkerThatIsKilledBlamesNoPicture() throws {
    let killed = stage.daemon.directory.appending("killed")
    try planted.plant(
      """
      if mkdir \(killed); then
        printf '{"event":"ready","lacking":[]}' >&3
        dd bs=65536 count=1 <&3 >/dev/null
        kill -KILL $$
      fi
      exec \(WorkerProcess.product("segue-worker")) "$@"
      """)
    let track = try stage.write("a.flac", PictureFile.flac([(3, PictureFile.png(20, 20, [200, 30, 30]))]))
    let art = Art(try stage.client.call("art", #"{"uri":\#(quoted(FileURI.encode(track)))}"#))
    #expect((art.width, art.height) == (20, 20))
    #expect(killed.withCString { access($0, F_OK) } == 0)
  }

  /// Every worker reports a missing sandbox mechanism. The daemon logs it once and shows it in the statistics.
  @Test func whatTheKernelLacksIsSaidOnce() throws {
    #expect(try stage.client.call("daemon.stats")["sandboxLacks"]?.isNull == true)
    try planted.plant(#"echo '{"event":"ready","lacking":["landlock"]}' >&3; exit 1"#)
    let uris = stage.list([FileURI.encode(try stage.track("x", 0..<100))])
    for _ in 0..<2 { try stage.client.call("queue.add", #"{"uris":\#(uris)}"#) }
    let counters = try stage.client.call("daemon.stats")
    #expect((counters["workersStarted"]?.int ?? 0) >= 2)
    #expect(counters["sandboxLacks"]?.elements?.compactMap(\.string) == ["landlock"])
    #expect(stage.daemon.errors.split(separator: "\n").filter { $0.contains("lacks landlock") }.count == 1)
  }

  /// The worker opens no file then, and needs none.
  @Test func aStreamPlaysOnAKernelWithoutLandlock() throws {
    let worker = WorkerProcess.product("segue-worker")
    try planted.plant("exec \(WorkerProcess.product("sandbox-probe")) --without-landlock run \(worker) \"$@\"")
    let web = try WebServer(.file(AudioFile.wave(Signal.pcm(0..<80_000))))
    try stage.add(uris: [web.url("song.wav")], play: true)
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 80_000)])
    let counters = try stage.client.call("daemon.stats")
    #expect(counters["sandboxLacks"]?.elements?.compactMap(\.string) == ["landlock"])
    #expect(counters["workersLost"]?.int == 0)
    #expect(stage.daemon.errors.contains("only /etc/hosts names"))
  }

  @Test func workersThatWereLetGoLeaveNoDescriptor() throws {
    let pid = try #require(stage.daemon.pid)
    let path = try stage.track("a", 0..<400)
    try stage.add([path])
    let before = Processes.descriptors(of: pid)
    for _ in 0..<20 { try stage.add([path, path]) }
    #expect(try stage.client.call("daemon.stats")["workersStarted"]?.int ?? 0 > 10)
    #expect(Processes.descriptors(of: pid) < before + 8)
  }
}
