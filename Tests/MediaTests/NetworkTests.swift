import Glibc
import SegueLink
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of streams over HTTP: which streams end, and how often the worker reconnects.
@Suite struct NetworkTests {
  private func open(_ server: WebServer, start: MediaTime = .zero) throws -> WorkerProcess {
    let worker = try WorkerProcess(.network)
    try worker.send(
      .open(Generation(1), MediaSource(name: server.url("stream"), url: server.url("stream")), start: start))
    return worker
  }

  @Test func fileOfKnownLength_ends() throws {
    let file = try Fixture.bytes("a.flac")
    let server = try WebServer(["Content-Length: \(file.count)"], file)
    let take = try open(server).take(1)
    #expect(take.bytes == (try Fixture.samples(ofWave: "a.wav")))
    #expect(server.visits == 1)
  }

  @Test func fileOfUnknownLength_endsWhenTheServerCloses() throws {
    let server = try WebServer([], try Fixture.bytes("long.aac"))
    let take = try open(server).take(1)
    let (local, _) = try Fixture.decode("long.aac")
    #expect(take.bytes == local.bytes)
    #expect(take.end == local.end)
    #expect(server.visits == 1)
  }

  /// The server responds to every request with one short announcement and closes the connection.
  @Test func stationThatCloses_isReconnectedAFewTimes() throws {
    let server = try WebServer(["icy-name: Test", "icy-br: 32"], try Fixture.bytes("long.aac"))
    let worker = try open(server)
    try worker.wait(for: "the failure after the last attempt") { $0.failure(of: 1) != nil }
    #expect(worker.failure(of: 1)?.kind == .offline)
    #expect(worker.failure(of: 1)?.message.contains("closed the connection") == true)
    #expect(worker.info(of: 1)?.durationKind == .unbounded)
    #expect((3...8).contains(server.visits))
  }

  /// After an hour of pause, a station continues with its current programme.
  @Test func station_startsAtItsCurrentPosition() throws {
    let server = try WebServer(["icy-name: Test"], try Fixture.bytes("long.aac"))
    let worker = try open(server, start: .seconds(3600))
    try worker.wait(for: "PCM") { $0.takes.first?.bytes.isEmpty == false }
    #expect(worker.takes.first?.parts.first?.mediaFrame == .zero)
    withExtendedLifetime(server) {}
  }
}
