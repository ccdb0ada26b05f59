import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of additions that are cancelled by later requests.
@Suite struct QueueContentsTests {
  let fixture: DaemonFixture
  /// A stopped daemon that has probed only `file`.
  private let worker: Int32
  private let file: FilePath
  /// Returns streams, which are not probed, and a file after them.
  private let uris: [String]

  init() throws {
    fixture = try DaemonFixture()
    file = try fixture.track("1", 0..<(10 * Signal.rate))
    try fixture.add([file])
    try fixture.client.call("queue.clear")
    let daemon = try #require(fixture.daemon.pid)
    worker = try #require(Processes.children(of: daemon).first, "none is kept warm")
    kill(worker, SIGSTOP)
    let streams = (0..<3).map { "http://127.0.0.1:9/\($0)\n" }.joined()
    uris = [FileURI.encode(try fixture.write("streams.m3u8", streams)), FileURI.encode(file)]
  }

  /// Begins to add `uris` and returns when a part of them is in the queue.
  private func begin() throws -> Int {
    let request = try fixture.client.begin("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    _ = try fixture.watcher.event(of: "queue") { $0["length"]?.int == 3 }
    return request
  }

  private func refusal(of request: Int) throws -> SocketClient.ErrorResponse? {
    do {
      _ = try fixture.client.answer(to: request)
      return nil
    } catch let refusal as SocketClient.ErrorResponse {
      return refusal
    }
  }

  @Test func aClearedQueueStaysEmptyAfterARestart() throws {
    let request = try begin()
    let other = try fixture.daemon.connect()
    // This addition has not begun yet.
    let third = try fixture.daemon.connect()
    let next = try third.begin("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    _ = try other.call("status")
    try other.call("queue.clear")
    let refusal = try #require(try refusal(of: request))
    #expect(refusal.kind == "cancelled")
    #expect(refusal.message.contains("cleared"))
    #expect(throws: SocketClient.ErrorResponse.self) { try third.answer(to: next) }
    // This request comes after all pending ones.
    try other.call("queue.add", #"{"uris":[]}"#)
    #expect(try fixture.ids().isEmpty)
  }

  @Test func aReplacedQueueContainsOnlyTheNewTracks() throws {
    let request = try begin()
    let other = try fixture.daemon.connect()
    let answer = try other.call("queue.replace", #"{"uris":\#(fixture.list(["http://127.0.0.1:9/other"]))}"#)
    #expect(try #require(try refusal(of: request)).kind == "cancelled")
    try other.call("queue.add", #"{"uris":[]}"#)
    #expect(try fixture.ids() == answer["added"]?.elements?.compactMap(\.int))
    #expect(try fixture.ids().count == 1)
  }

  @Test func savingAPlaylistDoesNotChangeTheQueue() throws {
    let request = try fixture.client.begin("playlists.save", #"{"name":"x","uris":\#(fixture.list(uris))}"#)
    let other = try fixture.daemon.connect()
    _ = try other.call("status")
    try other.call("queue.clear")
    kill(worker, SIGCONT)
    #expect(PlaylistResult(try fixture.client.answer(to: request)).playlist.trackCount == 4)
  }

  @Test func aTrackStoppedDuringOpeningDoesNotPlay() throws {
    let request = try fixture.client.begin("play", #"{"uri":\#(quoted(FileURI.encode(file)))}"#)
    let other = try fixture.daemon.connect()
    // Both requests are sent in this order on separate connections.
    _ = try other.call("status")
    try other.call("stop")
    kill(worker, SIGCONT)
    let status = Status(try fixture.client.answer(to: request))
    #expect(status.length == 1)
    #expect(status.state == .stopped)
  }
}
