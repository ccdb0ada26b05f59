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
    let decoded = try open(server).decodedGeneration(1)
    #expect(decoded.bytes == (try Fixture.samples(ofWave: "a.wav")))
    #expect(server.connectionCount == 1)
  }

  @Test func fileOfUnknownLength_endsWhenTheServerCloses() throws {
    let server = try WebServer([], try Fixture.bytes("long.aac"))
    let decoded = try open(server).decodedGeneration(1)
    let (local, _) = try Fixture.decode("long.aac")
    #expect(decoded.bytes == local.bytes)
    #expect(decoded.end == local.end)
    #expect(server.connectionCount == 1)
  }

  /// The server responds to every request with one short announcement and closes the connection.
  @Test func stationThatCloses_isReconnectedAFewTimes() throws {
    let server = try WebServer(["icy-name: Test", "icy-br: 32"], try Fixture.bytes("long.aac"))
    let worker = try open(server)
    try worker.wait(for: "the failure after the last attempt") { $0.failure(of: 1) != nil }
    #expect(worker.failure(of: 1)?.kind == .offline)
    #expect(worker.failure(of: 1)?.message.contains("closed the connection") == true)
    #expect(worker.info(of: 1)?.durationKind == .unbounded)
    #expect((3...8).contains(server.connectionCount))
  }

  /// After an hour of pause, a station continues with its current programme.
  @Test func station_startsAtItsCurrentPosition() throws {
    let server = try WebServer(["icy-name: Test"], try Fixture.bytes("long.aac"))
    let worker = try open(server, start: .seconds(3600))
    try worker.wait(for: "PCM") { $0.decodedGenerations.first?.bytes.isEmpty == false }
    #expect(worker.decodedGenerations.first?.parts.first?.mediaFrame == .zero)
    withExtendedLifetime(server) {}
  }
}
