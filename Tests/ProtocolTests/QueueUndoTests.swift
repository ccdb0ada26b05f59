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
