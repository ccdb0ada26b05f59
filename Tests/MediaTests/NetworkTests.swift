import Glibc
import SegueLink
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Streams over HTTP: what ends, ends; what breaks off is taken up again, but not for ever.
@Suite struct NetworkTests {
  private func open(_ server: WebServer, start: MediaTime = .zero) throws -> WorkerProcess {
    let worker = try WorkerProcess(.network)
    try worker.send(
      .open(Generation(1), MediaSource(name: server.url("stream"), url: server.url("stream")), start: start))
    return worker
  }

  @Test func aFileOfKnownLengthEnds() throws {
    let file = try Fixture.bytes("a.flac")
    let server = try WebServer(["Content-Length: \(file.count)"], file)
    let take = try open(server).take(1)
    #expect(take.bytes == (try Fixture.samples(ofWave: "a.wav")))
    #expect(server.visits == 1)
  }

  @Test func aFileOfUnknownLengthEndsWhereItsServerHangsUp() throws {
    let server = try WebServer([], try Fixture.bytes("long.aac"))
    let take = try open(server).take(1)
    let (local, _) = try Fixture.decode("long.aac")
    #expect(take.bytes == local.bytes)
    #expect(take.end == local.end)
    #expect(server.visits == 1)
  }

  /// A server that has nothing but one sentence, and hangs up after it, whoever asks.
  @Test func aStationThatHangsUpIsTakenUpAFewTimes() throws {
    let server = try WebServer(["icy-name: Test", "icy-br: 32"], try Fixture.bytes("long.aac"))
    let worker = try open(server)
    try worker.wait(for: "the end of its patience") { $0.failure(of: 1) != nil }
    #expect(worker.failure(of: 1)?.kind == .offline)
    #expect(worker.failure(of: 1)?.message.contains("hangs up") == true)
    #expect(worker.info(of: 1)?.durationKind == .unbounded)
    #expect((3...8).contains(server.visits))
  }

  /// Paused for an hour, a station goes on with what it sends now.
  @Test func aStationIsJoinedWhereItIs() throws {
    let server = try WebServer(["icy-name: Test"], try Fixture.bytes("long.aac"))
    let worker = try open(server, start: .seconds(3600))
    try worker.wait(for: "PCM") { $0.takes.first?.bytes.isEmpty == false }
    #expect(worker.takes.first?.parts.first?.mediaFrame == .zero)
    withExtendedLifetime(server) {}
  }
}
