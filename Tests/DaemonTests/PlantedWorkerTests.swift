import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Programs in the worker's place that are none. No track may be blamed for them, and nobody may wait for ever.
@Suite(.timeLimit(.minutes(2))) struct PlantedWorkerTests {
  let stage: Stage
  private let worker: FilePath

  /// A daemon beside a worker that can be exchanged; the real one at first.
  init() throws {
    stage = try Stage()
    stage.daemon.kill()
    let folder = stage.daemon.directory.appending("bin")
    worker = folder.appending("segue-worker")
    _ = folder.withCString { mkdir($0, 0o700) }
    let copy = try ChildProcess(
      ["cp", stage.daemon.program.description, folder.description], environment: ["PATH": "/usr/bin:/bin"])
    copy.end(0)
    stage.daemon.program = folder.appending("segued")
    try plant("exec \(WorkerProcess.product("segue-worker")) \"$@\"")
    try stage.daemon.start()
    try stage.reconnect()
  }

  private func plant(_ script: String) throws {
    try AudioFile.write(Array("#!/bin/sh\n\(script)\n".utf8), to: worker)
    _ = worker.withCString { chmod($0, 0o700) }
  }

  private func errors() throws -> [String?] {
    try stage.client.call("list")["tracks"]?.elements?.map { $0["error"]?.string } ?? []
  }

  @Test(arguments: ["exit 1", "exec 3>&-; exec sleep 100", "echo nonsense >&3; exec sleep 100", "kill -SEGV $$"])
  func noTrackIsBlamedForADecoderThatDoesNotComeUp(script: String) throws {
    try stage.add(try stage.album([40_000, 40_000]))
    // The one that is warm has to go.
    for child in Processes.children(of: try #require(stage.daemon.pid)) { kill(child, SIGKILL) }
    try Processes.waitForNoChildren(of: try #require(stage.daemon.pid))
    try plant(script)
    try stage.ask("play")
    let status = try stage.wait { $0.state == .paused }
    #expect(status.output.error?.contains("decoder") == true, "\(status.output)")
    let answer = try stage.client.call(
      "queue.add", #"{"uris":\#(stage.list([FileURI.encode(try stage.track("x", 0..<100))]))}"#)
    #expect(answer["failed"]?.elements?.first?["kind"]?.string == "unavailable", "\(answer)")
    #expect(try errors() == [nil, nil])
    let started = try stage.client.call("daemon.stats")["workersStarted"]?.int ?? 0
    #expect(started < 12, "\(started) were started")

    try plant("exec \(WorkerProcess.product("segue-worker")) \"$@\"")
    try stage.ask("play")
    try stage.ear.listenToTheEnd()
    #expect(stage.ear.score.sound == [Score.Run(first: 0, count: 80_000)])
  }
}

extension PlantedWorkerTests {
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
