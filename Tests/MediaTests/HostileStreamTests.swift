import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of streams whose content names other addresses, and of connections that are lost while they are decoded.
@Suite struct HostileStreamTests {
  private let fetcher: WorkerProcess

  init() throws { fetcher = try WorkerProcess(.fetch, ring: false) }

  private func open(_ url: String) throws -> WorkerProcess {
    let worker = try WorkerProcess(.stream)
    try worker.open(url, through: fetcher)
    return worker
  }

  private static func path(of request: String) -> String {
    request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
  }

  private static func response(_ body: [UInt8]) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  private static func manifest(_ segments: [String]) -> [UInt8] {
    let lines = segments.map { "#EXTINF:1,\n\($0)\n" }.joined()
    return response(Array("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n\(lines)#EXT-X-ENDLIST\n".utf8))
  }

  /// The audio is that of the local file, although every connection ends early.
  @Test(arguments: ["a.flac", "a.wav", "a.mp3", "a.ogg"])
  func aFileOverLostConnections_isDecodedCompletely(_ name: String) throws {
    let file = try Fixture.bytes(name)
    let server = try WebServer { request, client in
      let first = request.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) } ?? 0
      guard first < file.count else { return client.send("HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n") }
      let head =
        "HTTP/1.1 206 Part\r\nContent-Range: bytes \(first)-\(file.count - 1)/\(file.count)\r\n"
        + "Content-Length: \(file.count - first)\r\n\r\n"
      _ = client.send(Array(head.utf8) + file[first..<min(first + file.count / 3, file.count)])
      return false
    }
    let decoded = try open(server.url(name)).decodedGeneration(1)
    let (local, _) = try Fixture.decode(name)
    #expect(decoded.bytes == local.bytes)
    #expect(server.requests.count > 2)
  }

  @Test func ofSeveralQualities_oneIsRequestedOnce() throws {
    let audio = try Fixture.bytes("long.aac")
    let server = try WebServer { request, client in
      switch Self.path(of: request) {
      case "/master":
        client.send(
          Self.response(
            Array(
              """
              #EXTM3U
              #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
              /low
              #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
              /high
              #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401e,mp4a.40.2"
              /video

              """.utf8)))
      case "/high": client.send(Self.manifest(["/high/1.aac", "/high/2.aac"]))
      case "/high/1.aac", "/high/2.aac": client.send(Self.response(audio))
      default: client.send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let decoded = try open(server.url("master")).decodedGeneration(1)
    #expect(decoded.bytes.count > 0)
    #expect(server.paths.filter { $0 == "/master" }.count == 1)
    #expect(server.paths.filter { $0 == "/high" }.count == 1)
    #expect(!server.paths.contains("/low") && !server.paths.contains("/video"))
    #expect(server.paths.filter { $0.hasSuffix(".aac") }.count <= 4, "\(server.paths)")
  }

  @Test(arguments: ["404 Not Found", "503 Service Unavailable"])
  func aQualityThatIsMissing_isReplacedByTheNextOne(_ status: String) throws {
    let audio = try Fixture.bytes("long.aac")
    let server = try WebServer { request, client in
      switch Self.path(of: request) {
      case "/master":
        client.send(
          Self.response(
            Array(
              """
              #EXTM3U
              #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
              /low
              #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
              /high

              """.utf8)))
      case "/low": client.send(Self.manifest(["/1.aac"]))
      case "/1.aac": client.send(Self.response(audio))
      default: client.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let decoded = try open(server.url("master")).decodedGeneration(1)
    #expect(decoded.bytes.count > 0)
    #expect(server.paths.starts(with: ["/master", "/high", "/low"]))
  }

  /// Each manifest names the other one as a segment.
  @Test func manifestsThatIncludeEachOther_failAfterFewRequests() throws {
    let server = try WebServer { request, client in
      client.send(Self.manifest([Self.path(of: request) == "/a.m3u8" ? "/b.m3u8" : "/a.m3u8"]))
    }
    let worker = try open(server.url("a.m3u8"))
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    #expect(worker.failure(of: 1)?.message.isEmpty == false)
    #expect(server.requests.count < 50, "\(server.requests.count)")
  }

  @Test func aSegmentWithoutTrustedCertificate_isTheReasonOfTheFailure() throws {
    let authority = try CertificateAuthority()
    let segments = try TLSServer(
      authority.selfSignedIdentity(), pages: ["1.aac": TLSServer.page(try Fixture.bytes("long.aac"))])
    let segment = segments.url("1.aac")
    let server = try WebServer { _, client in client.send(Self.manifest([segment])) }
    let worker = try open(server.url("a.m3u8"))
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    let failure = try #require(worker.failure(of: 1))
    #expect(failure.kind == .certificate, "\(failure)")
    #expect(failure.message.contains("127.0.0.1:\(segments.port)"), "\(failure)")
  }

  /// The bytes are not decompressed, and a decoder is not given them.
  @Test func aCompressedBody_isRefused() throws {
    let server = try WebServer { _, client in
      guard client.send("HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Encoding: gzip\r\n\r\n") else {
        return false
      }
      while client.send([UInt8](repeating: 0x1F, count: 10_000)) {}
      return false
    }
    let worker = try open(server.url("song.mp3"))
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    #expect(worker.failure(of: 1)?.kind == .badResponse)
  }

  /// A station is decoded on although every connection is short.
  @Test func aStationWithLostConnections_isDecodedOn() throws {
    let audio = try Fixture.bytes("long.untagged.mp3")
    let server = try WebServer { _, client in
      _ = client.send(Array("HTTP/1.1 200 OK\r\nicy-name: Test\r\n\r\n".utf8) + audio)
      return false
    }
    let worker = try open(server.url("station"))
    let (local, _) = try Fixture.decode("long.untagged.mp3")
    try worker.wait(for: "the audio of four connections") {
      $0.decodedGenerations.first?.bytes.count ?? 0 > 4 * local.bytes.count
    }
    #expect(worker.failure(of: 1) == nil)
    #expect(server.requests.count >= 4)
  }

  /// A recording of which a segment is missing is played to its end, and reported as incomplete.
  @Test func aMissingSegment_isReportedAtTheEnd() throws {
    let audio = try Fixture.bytes("long.aac")
    let server = try WebServer { request, client in
      switch Self.path(of: request) {
      case "/a.m3u8": client.send(Self.manifest(["/1.aac", "/2.aac", "/3.aac", "/4.aac"]))
      case "/2.aac": client.send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
      default: client.send(Self.response(audio))
      }
    }
    let worker = try open(server.url("a.m3u8"))
    let decoded = try worker.decodedGeneration(1)
    #expect(decoded.bytes.count > 0)
    #expect(worker.failure(of: 1) == nil)
    let failure = try #require(worker.interruption(of: 1))
    #expect(failure.kind == .decodingStopped)
    #expect(failure.message.contains("404"), "\(failure)")
  }

  @Test func encryptedHLS_isRefusedWithThatReason() throws {
    let server = try WebServer { request, client in
      guard Self.path(of: request) == "/a.m3u8" else { return client.send(Self.response([UInt8](1...16))) }
      let key = ##"#EXT-X-KEY:METHOD=AES-128,URI="/key""##
      let segments = "#EXTINF:1,\n/1.aac\n#EXTINF:1,\n/2.aac\n#EXT-X-ENDLIST\n"
      return client.send(Self.response(Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(key)\n\(segments)".utf8)))
    }
    let worker = try open(server.url("a.m3u8"))
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    #expect(worker.failure(of: 1) == Failure(.unplayable, "encrypted HLS is not supported"))
  }
}
