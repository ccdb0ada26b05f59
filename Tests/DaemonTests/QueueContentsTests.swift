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
    worker = try #require(Processes.children(of: daemon).first, "no worker is kept ready")
    kill(worker, SIGSTOP)
    let streams = (0..<3).map { "http://127.0.0.1:9/\($0)\n" }.joined()
    uris = [FileURI.encode(try fixture.write("streams.m3u8", streams)), FileURI.encode(file)]
  }

  /// Starts to add `uris`, and returns when some of them are in the queue and the request is pending.
  private func startAdding() throws -> Int {
    let request = try fixture.client.sendRequest("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    _ = try fixture.watcher.event(of: "queue") { $0["length"]?.int == 3 }
    return request
  }

  private func errorResponse(to request: Int) throws -> SocketClient.ErrorResponse? {
    do {
      _ = try fixture.client.response(to: request)
      return nil
    } catch let error as SocketClient.ErrorResponse {
      return error
    }
  }

  @Test func aClearedQueueStaysEmptyAfterARestart() throws {
    let request = try startAdding()
    let other = try fixture.daemon.connect()
    // The second addition waits for the first one.
    let third = try fixture.daemon.connect()
    let next = try third.sendRequest("queue.add", #"{"uris":\#(fixture.list(uris))}"#)
    _ = try other.call("status")
    try other.call("queue.clear")
    let error = try #require(try errorResponse(to: request))
    #expect(error.kind == "cancelled")
    #expect(error.message.contains("cleared"))
    #expect(throws: SocketClient.ErrorResponse.self) { try third.response(to: next) }
    // This request comes after all pending ones.
    try other.call("queue.add", #"{"uris":[]}"#)
    #expect(try fixture.ids().isEmpty)
  }

  @Test func anUndoneAdditionAddsNothingMore() throws {
    let request = try startAdding()
    let other = try fixture.daemon.connect()
    let result = try other.call("queue.undo")
    #expect(result["step"].flatMap(QueueStep.init) == QueueStep(action: .add, tracks: 3))
    let error = try #require(try errorResponse(to: request))
    #expect(error.kind == "cancelled")
    #expect(error.message.contains("undone"))
    // This request comes after all pending ones.
    try other.call("queue.add", #"{"uris":[]}"#)
    #expect(try fixture.ids().isEmpty)
    try other.call("queue.redo")
    #expect(try fixture.ids().count == 3)
  }

  @Test func aReplacedQueueContainsOnlyTheNewTracks() throws {
    let request = try startAdding()
    let other = try fixture.daemon.connect()
    let response = try other.call("queue.replace", #"{"uris":\#(fixture.list(["http://127.0.0.1:9/other"]))}"#)
    #expect(try #require(try errorResponse(to: request)).kind == "cancelled")
    try other.call("queue.add", #"{"uris":[]}"#)
    #expect(try fixture.ids() == response["added"]?.elements?.compactMap(\.int))
    #expect(try fixture.ids().count == 1)
  }

  @Test func savingAPlaylistDoesNotChangeTheQueue() throws {
    let request = try fixture.client.sendRequest("playlists.save", #"{"name":"x","uris":\#(fixture.list(uris))}"#)
    let other = try fixture.daemon.connect()
    _ = try other.call("status")
    try other.call("queue.clear")
    kill(worker, SIGCONT)
    #expect(PlaylistResult(try fixture.client.response(to: request)).playlist.trackCount == 4)
  }

  @Test func aTrackStoppedDuringOpeningDoesNotPlay() throws {
    let request = try fixture.client.sendRequest("play", #"{"uri":\#(quoted(FileURI.encode(file)))}"#)
    let other = try fixture.daemon.connect()
    // Both requests are sent in this order on separate connections.
    _ = try other.call("status")
    try other.call("stop")
    kill(worker, SIGCONT)
    let status = Status(try fixture.client.response(to: request))
    #expect(status.length == 1)
    #expect(status.state == .stopped)
  }
}
