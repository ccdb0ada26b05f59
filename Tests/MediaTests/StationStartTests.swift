import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the beginning of a station, which a listener joins in the middle of a frame.
@Suite struct StationStartTests {
  /// The format is recognised by the first kilobytes, and not only after seconds of audio. The station sends nothing
  /// else.
  @Test(arguments: ["long.cbr.mp3", "long.untagged.mp3", "long.aac"], [1, 2])
  func aStationIsOpenedByItsFirstFrames(_ name: String, _ part: Int) throws {
    let file = try Fixture.bytes(name)
    let start = file.count / 4 * part + 1
    let body = Array(file[start...].prefix(6 * 1024))
    let head = Array("HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Test\r\n\r\n".utf8)
    let server = try WebServer { _, client in
      if client.send(head + body) { client.waitForEnd() }
      return false
    }
    let worker = try WorkerProcess(.stream)
    let fetcher = try WorkerProcess(.fetch, ring: false)
    try worker.open(server.url("radio"), through: fetcher)
    try worker.wait(for: "the stream") { $0.info(of: 1) != nil }
    #expect(worker.info(of: 1)?.audio.codec == (name.hasSuffix("aac") ? "aac" : "mp3"))
    #expect(server.requestCount == 1)
  }
}
