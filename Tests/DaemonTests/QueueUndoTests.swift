import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of `queue.undo` and `queue.redo` without playback.
@Suite struct QueueUndoTests {
  let fixture: DaemonFixture

  init() throws { fixture = try DaemonFixture() }

  /// Adds streams, which are not probed, and returns their ids.
  @discardableResult
  private func add(_ count: Int, at place: String = #""end""#) throws -> [Int] {
    try fixture.add(uris: (0..<count).map { "http://127.0.0.1:9/\($0)" }, at: place)
  }

  @discardableResult
  private func undo() throws -> QueueStep? { try fixture.client.call("queue.undo")["step"].flatMap(QueueStep.init) }

  @discardableResult
  private func redo() throws -> QueueStep? { try fixture.client.call("queue.redo")["step"].flatMap(QueueStep.init) }

  @Test func everyChangeOfTheQueueIsUndoneAndRedone() throws {
    var states: [[Int]] = [[]]
    let ids = try add(4)
    states.append(try fixture.ids())
    try add(1, at: #""next""#)
    states.append(try fixture.ids())
    try fixture.client.call("queue.move", #"{"ids":[\#(ids[3])],"to":0}"#)
    states.append(try fixture.ids())
    try fixture.client.call("queue.remove", #"{"ids":[\#(ids[0]),\#(ids[2])]}"#)
    states.append(try fixture.ids())
    try fixture.client.call("queue.replace", #"{"uris":["http://127.0.0.1:9/new"]}"#)
    states.append(try fixture.ids())
    try fixture.client.call("playlists.save", #"["list",["http://127.0.0.1:9/a","http://127.0.0.1:9/b"]]"#)
    try fixture.add(uris: ["segue:playlist/list"])
    states.append(try fixture.ids())
    try fixture.client.call("queue.clear")
    states.append(try fixture.ids())
    let steps: [QueueStep] = [
      .init(action: .add, tracks: 4), .init(action: .add, tracks: 1), .init(action: .move, tracks: 1),
      .init(action: .remove, tracks: 2),
      .init(action: .replace, tracks: 1), .init(action: .add, tracks: 2), .init(action: .clear, tracks: 3),
    ]
    for (step, state) in zip(steps, states).reversed() {
      #expect(try undo() == step)
      #expect(try fixture.ids() == state)
    }
    for (step, state) in zip(steps, states.dropFirst()) {
      #expect(try redo() == step)
      #expect(try fixture.ids() == state)
    }
  }

  @Test func aQueueShuffledInPlaceHasTheSameTracksAndItsOrderReturns() throws {
    let ids = try add(40)
    let summary = try fixture.client.call("queue.shuffleNow")
    #expect(summary["undo"].flatMap(QueueStep.init) == QueueStep(action: .move, tracks: 40))
    let shuffled = try fixture.ids()
    #expect(shuffled != ids && shuffled.sorted() == ids)
    #expect(try undo() == QueueStep(action: .move, tracks: 40))
    #expect(try fixture.ids() == ids)
  }

  @Test func withoutAChangeThereIsNothingToUndoOrRedo() throws {
    let undo = try fixture.client.errorResponse(to: "queue.undo")
    #expect(undo.kind == "nothing_to_undo")
    #expect(undo.message == "there is nothing to undo")
    #expect(try fixture.client.errorResponse(to: "queue.redo").kind == "nothing_to_redo")
    // Requests that change nothing, and modes, are no changes of the queue.
    try fixture.client.call("queue.clear")
    try fixture.client.call("queue.add", #"{"uris":[]}"#)
    try fixture.client.call("shuffle", #"{"mode":"tracks"}"#)
    #expect(try fixture.client.errorResponse(to: "queue.undo").kind == "nothing_to_undo")
  }

  @Test func theNextStepsAreInResultsAndEvents() throws {
    let ids = try add(3)
    let removed = try fixture.client.call("queue.remove", #"{"ids":[\#(ids[0])]}"#)
    #expect(removed["undo"].flatMap(QueueStep.init) == QueueStep(action: .remove, tracks: 1))
    #expect(removed["redo"]?.isNull == true)
    let result = try fixture.client.call("queue.undo")
    let event = try fixture.watcher.event(of: "queue") { $0["redo"]?.isNull == false }
    for queue in [result["queue"], event, try fixture.client.call("list")] {
      #expect(queue?["undo"].flatMap(QueueStep.init) == QueueStep(action: .add, tracks: 3))
      #expect(queue?["redo"].flatMap(QueueStep.init) == QueueStep(action: .remove, tracks: 1))
    }
    #expect(event["length"]?.int == 3)
  }

  @Test func aChangeAfterAnUndoDiscardsWhatWasUndone() throws {
    let ids = try add(2)
    try fixture.client.call("queue.clear")
    try undo()
    try fixture.client.call("queue.move", #"{"ids":[\#(ids[1])],"to":0}"#)
    #expect(try fixture.client.errorResponse(to: "queue.redo").kind == "nothing_to_redo")
    try undo()
    #expect(try fixture.ids() == ids)
  }

  @Test(arguments: [true, false]) func twentyChangesAreUndoneAfterARestart(isKilled: Bool) throws {
    for _ in 0..<25 { try add(1) }
    let all = try fixture.ids()
    // Half of the changes are undone before the restart.
    for _ in 0..<10 { try undo() }
    try restart(isKilled: isKilled)
    for count in (5..<15).reversed() {
      try undo()
      #expect(try fixture.ids() == Array(all.prefix(count)))
    }
    #expect(try fixture.client.errorResponse(to: "queue.undo").kind == "nothing_to_undo")
    try restart(isKilled: isKilled)
    for count in 6...25 {
      #expect(try redo() == QueueStep(action: .add, tracks: 1))
      #expect(try fixture.ids() == Array(all.prefix(count)))
    }
    #expect(try fixture.client.errorResponse(to: "queue.redo").kind == "nothing_to_redo")
    // Ids of entries that were undone are not assigned again.
    try undo()
    try restart(isKilled: isKilled)
    #expect(try add(1)[0] > all[24])
  }

  @Test func everythingAboutARemovedTrackReturnsAfterAKill() throws {
    let ids = try fixture.add(try fixture.album([44_100, 22_050]))
    let before = try fixture.client.call("list")["tracks"]?.elements ?? []
    try fixture.client.call("queue.clear")
    try restart(isKilled: true)
    try undo()
    let after = try fixture.client.call("list")["tracks"]?.elements ?? []
    #expect(after.map { $0["id"]?.int } == ids)
    for name in ["uri", "duration", "durationKind", "index"] {
      #expect(after.map { $0[name]?.string } == before.map { $0[name]?.string })
      #expect(after.map { $0[name]?.double } == before.map { $0[name]?.double })
    }
  }

  private func restart(isKilled: Bool) throws {
    if isKilled { fixture.daemon.kill() } else { #expect(fixture.daemon.stop() == 0) }
    try fixture.daemon.start()
    try fixture.reconnect()
  }

  // MARK: Long queues

  /// The file of the saved state, without its log, has a size that the changes determine.
  @Test func smallChangesOfALongQueueAreSavedAsSmallChanges() throws {
    let count = 20_000
    let list = try fixture.write("long.m3u8", (0..<count).map { "http://127.0.0.1:9/\($0)\n" }.joined())
    try fixture.client.call("queue.add", #"{"uris":["\#(FileURI.encode(list))"]}"#)
    let first = try #require(try fixture.ids().first)
    let before = try savedSize()
    for index in 1...20 { try fixture.client.call("queue.move", #"{"ids":[\#(first)],"to":\#(index * 900)}"#) }
    #expect(try savedSize() - before < 100_000)
    for _ in 1...20 { try fixture.client.call("queue.undo") }
    #expect(try fixture.ids().first == first)
    try fixture.client.call("queue.clear")
    // The entries have left the queue for the history.
    #expect(try savedSize() - before < before / 3)
    try restart(isKilled: true)
    #expect(try fixture.client.call("queue.undo")["queue"]?["length"]?.int == count)
    let last = try fixture.client.call("list", #"{"offset":\#(count - 2)}"#)["tracks"]?.elements ?? []
    #expect(last.map { $0["id"]?.int } == [first + count - 2, first + count - 1])
    #expect(try fixture.client.call("queue.redo")["queue"]?["length"]?.int == 0)
  }

  /// Restarts the daemon, and returns the size of its saved state in bytes.
  private func savedSize() throws -> Int {
    #expect(fixture.daemon.stop() == 0)
    let size = try AudioFile.read(fixture.daemon.directory.appending("home/.local/state/segue/segue.db")).count
    try fixture.daemon.start()
    try fixture.reconnect()
    return size
  }

  // MARK: The client

  @Test func theClientSaysWhatHasHappened() throws {
    let environment = ["SEGUE_SOCKET": "\(fixture.daemon.socket)"]
    try add(3)
    try fixture.client.call("queue.clear")
    let undo = try ClientProcess.run(["undo"], environment: environment)
    #expect(undo.lines == ["undid the removal of all tracks (3); 3 in the queue"])
    #expect(
      try ClientProcess.run(["undo"], environment: environment).lines == [
        "undid the addition of 3 tracks; 0 in the queue"
      ])
    let failed = try ClientProcess.run(["undo"], environment: environment)
    #expect(failed.code == 1)
    #expect(failed.errorText.contains("there is nothing to undo"))
    #expect(
      try ClientProcess.run(["redo"], environment: environment).lines == [
        "redid the addition of 3 tracks; 3 in the queue"
      ])
  }
}
