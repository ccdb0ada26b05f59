import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of chapters. The chapters of chapters.* begin at 0, 1 and 2 s.
@Suite struct ChapterTests {
  private func chapters(_ fixture: DaemonFixture, _ path: FilePath? = nil) throws -> ChapterList {
    let params = path.map { #"{"uri":\#(quoted(FileURI.encode($0)))}"# }
    return ChapterList(try fixture.client.call("chapters", params))
  }

  /// Makes a queue of a file with chapters and one without, and pauses the first at `position`.
  private func fixture(_ name: String, at position: Double) throws -> DaemonFixture {
    let fixture = try DaemonFixture()
    try fixture.add([Repository.fixture("Tags/\(name)"), Repository.fixture("a.wav")])
    try fixture.call("play")
    try fixture.wait { $0.audio != nil }
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":\#(position)}"#)
    return fixture
  }

  private func seconds(_ status: Status) -> Double? { status.position?.seconds }

  /// Playback resumes, and the file is about to be opened.
  @Test func nextDirectlyAfterARestartSkipsOneChapter() throws {
    let fixture = try DaemonFixture(configuration: "[Player]\nRestore=resume\n")
    try fixture.add([Repository.fixture("Tags/chapters.m4a"), Repository.fixture("a.wav")], play: true)
    try fixture.wait { $0.rate == 1 }
    try fixture.call("seek", #"{"position":0.1}"#)
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    let next = try fixture.call("next")
    #expect(next.index == 0)
    // On a slow machine, the first chapter has been played by then.
    #expect([1, 2].contains(seconds(next).map { Int($0) }))
  }

  /// The file is not open at this time.
  @Test func nextAfterARestartSkipsOneChapter() throws {
    let fixture = try fixture("chapters.m4a", at: 1.25)
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    #expect(seconds(try fixture.call("next")) == 2)
    #expect(try fixture.status().state == .paused)
  }

  /// Two clients send `next` at the same time, and the first file is unknown. The second request skips one chapter of
  /// the file that the first request leads to.
  @Test func concurrentNextRequestsSkipNoFileWithChapters() throws {
    let fixture = try DaemonFixture()
    let files = ["long.flac", "Tags/chapters.m4a", "a.wav"].map { Repository.fixture($0) }
    try fixture.add(files, play: true)
    try fixture.wait { $0.audio != nil }
    try fixture.call("pause")
    fixture.daemon.kill()
    try fixture.daemon.start()
    try fixture.reconnect()
    let other = try fixture.daemon.connect()
    let (first, second) = (try fixture.client.sendRequest("next"), try other.sendRequest("next"))
    let responses = [Status(try fixture.client.response(to: first)), Status(try other.response(to: second))]
    #expect(responses.map(\.index) == [1, 1])
    #expect(responses.compactMap { seconds($0) }.sorted() == [0, 1])
  }

  /// The request is executed before the daemon gives up a worker that does not start.
  @Test func nextDoesNotWaitForASilentDecoder() throws {
    let replaceable = try ReplaceableWorkerFixture()
    let fixture = replaceable.fixture
    try fixture.add([Repository.fixture("Tags/chapters.m4a"), Repository.fixture("a.wav")], play: true)
    try fixture.wait { $0.audio != nil }
    try fixture.call("pause")
    fixture.daemon.kill()
    try replaceable.installWorker("exec sleep 100")
    try fixture.daemon.start()
    try fixture.reconnect()
    let next = try fixture.call("next")
    #expect(next.index == 1)
    #expect(next.state == .paused)
    #expect(!fixture.daemon.errors.contains("cannot be probed"), "the daemon still waits for the decoder")
  }
}
