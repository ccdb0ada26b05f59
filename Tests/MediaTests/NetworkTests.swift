import Glibc
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of streams over HTTP: which streams end, and which are requested again.
@Suite struct NetworkTests {
  private let fetcher: WorkerProcess

  init() throws { fetcher = try WorkerProcess(.fetch, ring: false) }

  private func open(_ server: WebServer, start: MediaTime = .zero) throws -> WorkerProcess {
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("stream"), start: start, through: fetcher)
    return worker
  }

  @Test func fileOfKnownLength_ends() throws {
    let file = try Fixture.bytes("a.flac")
    let server = try WebServer(["Content-Length: \(file.count)"], file)
    let decoded = try open(server).decodedGeneration(1)
    #expect(try decoded.bytes == Fixture.samples(ofWave: "a.wav"))
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
  @Test func stationThatCloses_isReconnectedForAsLongAsItIsPlayed() throws {
    let server = try WebServer(["icy-name: Test", "icy-br: 32"], try Fixture.bytes("long.aac"))
    let worker = try open(server)
    try worker.wait(for: "the PCM of several connections") { _ in server.connectionCount > 8 }
    #expect(worker.failure(of: 1) == nil)
    #expect(worker.info(of: 1)?.durationKind == .unbounded)
  }

  /// After an hour of pause, a station continues with its current programme.
  @Test func station_startsAtItsCurrentPosition() throws {
    let server = try WebServer(["icy-name: Test"], try Fixture.bytes("long.aac"))
    let worker = try open(server, start: .seconds(3600))
    try worker.wait(for: "PCM") { $0.decodedGenerations.first?.bytes.isEmpty == false }
    #expect(worker.decodedGenerations.first?.parts.first?.mediaFrame == .zero)
    withExtendedLifetime(server) {}
  }

  @Test func fileOfKnownSizeWithoutRanges_isNotLive() throws {
    let file = try Fixture.bytes("long.untagged.mp3")
    let server = try WebServer(["Content-Length: \(file.count)"], file)
    let worker = try open(server)
    _ = try worker.decodedGeneration(1)
    let info = try #require(worker.info(of: 1))
    #expect(info.durationKind != .unbounded)
    #expect(!info.seekable)
    withExtendedLifetime(server) {}
  }

  /// The index of this file is at its end.
  @Test func fileThatNeedsRanges_failsWithThatReason() throws {
    let file = try Fixture.bytes("long.alac.m4a")
    let index = try #require(file.range(of: "moov".utf8)).lowerBound
    #expect(index > file.count / 2)
    let server = try WebServer(["Content-Length: \(file.count)"], file)
    let worker = try open(server)
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    let message = try #require(worker.failure(of: 1)?.message)
    #expect(message.contains("its server cannot send parts of a file"))
    withExtendedLifetime(server) {}
  }
}
