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
}
