import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

/// Tests of servers that work in an unusual way, but send audio in the end.
@Suite struct UnusualServerTests {
  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let audio = [UInt8](repeating: 0xFF, count: 5)
  private static let body = "Content-Length: 5\r\n\r\n"

  private static func send(_ head: String, to client: WebServer.Connection) -> Bool {
    client.send(Array((head + body).utf8) + audio)
  }

  // MARK: Ranges

  @Test(arguments: ["400 Bad Request", "416 Range Not Satisfiable", "501 Not Implemented"])
  func aServerThatRefusesRanges_isAskedWithoutOne(_ status: String) throws {
    let server = try WebServer { request, client in
      if request.contains("Range:") { return client.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n") }
      return Self.send(Self.ok, to: client)
    }
    let response = try FetchConnection.response(to: server.url("file"))
    #expect(response.bytes == Self.audio)
    #expect(response.resource?.isSeekable == false)
    #expect(server.requestCount == 2)
  }

  @Test func aServerThatRefusesEverything_isAskedTwice() throws {
    let server = try WebServer(sending: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    #expect(try FetchConnection.response(to: server.url("file")).failure?.kind == .badResponse)
    #expect(server.requestCount == 2)
  }

  @Test func segmentsOfAServerThatRefusesRanges_areRequestedWithoutThem() throws {
    let manifest = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na\n#EXTINF:1,\nb\n#EXT-X-ENDLIST\n"
    let server = try WebServer { request, client in
      if request.contains("Range:") { return client.send("HTTP/1.1 416 No\r\nContent-Length: 0\r\n\r\n") }
      guard path(of: request) == "/list" else { return Self.send(Self.ok, to: client) }
      return client.send("\(Self.ok)Content-Length: \(manifest.utf8.count)\r\n\r\n\(manifest)")
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("list"))
    _ = try connection.response(to: server.url("list"))
    for name in ["a", "b"] { #expect(try connection.response(to: server.url(name)).bytes == Self.audio) }
    #expect(server.paths == ["/list", "/list", "/a", "/b"])
  }

  // MARK: Used connections

  /// How a server spoils a connection that is used again.
  enum SpoiledConnection: CaseIterable, Sendable {
    /// The response before was longer than it stated.
    case excess
    case garbage
    case end
    case reset
  }

  /// Bytes after the end of a response. They are more than libcurl reads at once.
  private static let excess = [UInt8](repeating: 0x55, count: 100_000)

  @Test(arguments: SpoiledConnection.allCases)
  func aRequestThatFailsOnAUsedConnection_isRepeatedOnANewOne(_ fault: SpoiledConnection) throws {
    let isSpoiled = Mutex(false)
    let server = try WebServer { request, client in
      if path(of: request) == "/first" {
        return Self.send(Self.ok, to: client) && (fault != .excess || client.send(Self.excess))
      }
      if fault == .excess || isSpoiled.withLock(\.self) { return Self.send(Self.ok, to: client) }
      isSpoiled.withLock { $0 = true }
      if fault == .garbage { _ = client.send(Self.excess) }
      if fault == .reset { client.resetAtEnd() }
      return false
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    #expect(try FetchConnection.response(to: server.url("first"), by: fetcher).bytes == Self.audio)
    let response = try FetchConnection.response(to: server.url("second"), by: fetcher)
    #expect(response.bytes == Self.audio && response.failure == nil, "\(String(describing: response.failure))")
    #expect(server.connectionCount == 2)
  }

  @Test func aRedirectThatIsLongerThanItStates_isFollowed() throws {
    let server = try WebServer { request, client in
      guard path(of: request) == "/first" else { return Self.send(Self.ok, to: client) }
      return client.send("HTTP/1.1 302 Found\r\nLocation: /second\r\nContent-Length: 0\r\n\r\n")
        && client.send(Self.excess)
    }
    let response = try FetchConnection.response(to: server.url("first"))
    #expect(response.bytes == Self.audio && response.failure == nil, "\(String(describing: response.failure))")
  }

  @Test func aServerThatSendsNoHTTPOnANewConnectionEither_isAskedTwice() throws {
    let server = try WebServer { request, client in
      if path(of: request) == "/first" { return Self.send(Self.ok, to: client) }
      _ = client.send(Self.excess)
      return false
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    #expect(try FetchConnection.response(to: server.url("first"), by: fetcher).bytes == Self.audio)
    let failure = try FetchConnection.response(to: server.url("second"), by: fetcher).failure
    #expect(ExpectedFailure(.badResponse, "the response is not HTTP").matches(failure))
    #expect(server.connectionCount == 2)
  }

  // MARK: Compression

  /// Some servers compress playlists for every client.
  @Test func aPlaylistThatIsCompressedWithoutBeingAsked_isRead() throws {
    // "#EXTM3U\nfile\n", compressed by gzip.
    let list: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x76, 0x8D, 0x08, 0xF1, 0x35, 0x0E, 0xE5,
      0x4A, 0xCB, 0xCC, 0x49, 0xE5, 0x02, 0x00, 0x6E, 0x90, 0xA5, 0xC6, 0x0D, 0x00, 0x00, 0x00,
    ]
    let server = try WebServer { request, client in
      guard path(of: request) == "/list" else { return Self.send(Self.ok, to: client) }
      let head = "\(Self.ok)Content-Encoding: gzip\r\nContent-Length: \(list.count)\r\n\r\n"
      return client.send(Array(head.utf8) + list)
    }
    let response = try FetchConnection.response(to: server.url("list"))
    #expect(response.bytes == Self.audio && response.failure == nil)
    #expect(server.paths == ["/list", "/list", "/file"])
  }

  // MARK: Cookies

  /// Sends the audio only to clients with the cookie, which a redirect sets.
  private static func respond(_ request: String, _ client: WebServer.Connection) -> Bool {
    if path(of: request) == "/start" {
      return client.send(
        "HTTP/1.1 302 Found\r\nSet-Cookie: id=\(Int.random(in: 1...9)); Path=/\r\nLocation: /file\r\n"
          + "Content-Length: 0\r\n\r\n")
    }
    guard request.contains("Cookie: id=") else { return client.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n") }
    let first = start(of: request) ?? 0
    return client.send(
      Array(
        "HTTP/1.1 206 Part\r\nContent-Range: bytes \(first)-4/5\r\nContent-Length: \(5 - first)\r\n\r\n".utf8)
        + audio[first...])
  }

  @Test func cookiesOfARedirect_areSentForTheWholePlayback() throws {
    let server = try WebServer(Self.respond)
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("start"))
    #expect(try connection.response(to: server.url("start")).bytes == Self.audio)
    // A position in the file is requested without the redirect.
    #expect(try connection.response(to: server.url("file"), at: 3).bytes == Array(Self.audio[3...]))
  }

  @Test func cookiesOfAnotherPlayback_areNotSent() throws {
    let server = try WebServer(Self.respond)
    let fetcher = try WorkerProcess(.fetch, ring: false)
    #expect(try FetchConnection.response(to: server.url("start"), by: fetcher).bytes == Self.audio)
    #expect(try FetchConnection.response(to: server.url("file"), by: fetcher).failure?.kind == .denied)
  }

  @Test func cookiesOfAnotherHost_areNotSent() throws {
    let other = try WebServer(at: "127.0.0.2") { _, client in Self.send(Self.ok, to: client) }
    let server = try WebServer { _, client in
      client.send(
        "HTTP/1.1 302 Found\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2; Domain=127.0.0.2\r\nLocation: \(other.url("x"))\r\n"
          + "Content-Length: 0\r\n\r\n")
    }
    #expect(try FetchConnection.response(to: server.url("a")).bytes == Self.audio)
    #expect(other.requests.count == 1 && !other.requests[0].contains("Cookie"))
  }

  /// The jar of a server that sets other cookies with every segment must not grow.
  @Test func manyCookies_takeLittleMemory() throws {
    let value = String(repeating: "x", count: 3_000)
    let manifest = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n0\n#EXT-X-ENDLIST\n"
    let server = try WebServer { request, client in
      if path(of: request) == "/list" {
        return client.send("\(Self.ok)Content-Length: \(manifest.utf8.count)\r\n\r\n\(manifest)")
      }
      let name = path(of: request).dropFirst()
      let fields = (0..<20).map { "Set-Cookie: c\(name)x\($0)=\(value)\r\n" }.joined()
      return Self.send(Self.ok + fields, to: client)
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let connection = try FetchConnection(to: fetcher, for: server.url("list"))
    _ = try connection.response(to: server.url("list"))
    _ = try connection.response(to: server.url("0"))
    let before = try fetcher.peakMemory
    for number in 1...300 { #expect(try connection.response(to: server.url("\(number)")).bytes == Self.audio) }
    // Together, the cookies have 18 MB. Sanitizers need a multiple.
    let used = try fetcher.peakMemory - before
    #expect(Sanitizer.isOn || used < 4 << 20, "\(used)")
  }

  // MARK: Redirects

  /// Creates a server that redirects `count` times before it sends audio.
  private func server(redirecting count: Int) throws -> WebServer {
    try WebServer { request, client in
      let number = Int(path(of: request).dropFirst()) ?? 0
      guard number < count else { return Self.send(Self.ok, to: client) }
      return client.send("HTTP/1.1 302 Found\r\nLocation: /\(number + 1)\r\nContent-Length: 0\r\n\r\n")
    }
  }

  @Test func tenRedirects_areFollowed() throws {
    let patient = try server(redirecting: 10)
    #expect(try FetchConnection.response(to: patient.url("0")).bytes == Self.audio)
    let endless = try server(redirecting: 11)
    let failure = try FetchConnection.response(to: endless.url("0")).failure
    #expect(ExpectedFailure(.badResponse, "too many redirects").matches(failure))
    #expect(endless.requestCount == 11)
  }

  // MARK: Media types

  @Test(arguments: ["text/html", "text/html; charset=utf-8", "text/plain", "application/json"])
  func audioThatIsCalledText_isPlayed(_ type: String) throws {
    let mp3: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + (0..<2_000).map { UInt8(truncatingIfNeeded: $0) }
    let tagged = joined("ID3".utf8, [3, 0, 0, 0, 0, 0, 0], mp3)
    for body in [mp3, tagged, Array("OggS".utf8) + [0, 2] + mp3, Array("fLaC".utf8) + [0, 0, 0, 34] + mp3] {
      let head = "\(Self.ok)Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n\r\n"
      let server = try WebServer { _, client in client.send(Array(head.utf8) + body) }
      #expect(try FetchConnection.response(to: server.url("stream")).bytes == body)
    }
  }

  @Test(
    arguments: [
      (#"{"error": "offline"}"#, "audio/mpeg", "JSON"), (#"[{"error": 1}]"#, "application/octet-stream", "JSON"),
      (#""offline""#, "application/json", "JSON"),
      ("<?xml version=\"1.0\"?><rss><channel/></rss>", "audio/mpeg", "XML"),
      ("<Error><Code>AccessDenied</Code></Error>", "application/xml", "XML"),
      ("<!DOCTYPE html><title>x</title>", "audio/mpeg", "a web page"),
      ("The station is offline.", "text/html", "a web page"),
      ("The station is offline.", "text/plain", "a text"),
    ])
  func otherTexts_areNamed(_ text: String, _ type: String, _ name: String) throws {
    let server = try WebServer(
      sending: "\(Self.ok)Content-Type: \(type)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
    let failure = try FetchConnection.response(to: server.url("stream")).failure
    #expect(
      ExpectedFailure(.badResponse, "the server sends \(name) instead of audio").matches(failure), "\(failure as Any)")
  }

  @Test func aSegmentThatIsAWebPage_isNamed() throws {
    let manifest = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na\n#EXT-X-ENDLIST\n"
    let server = try WebServer { request, client in
      let body = path(of: request) == "/list" ? manifest : "<html>Log in</html>"
      return client.send("\(Self.ok)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("list"))
    _ = try connection.response(to: server.url("list"))
    let failure = try connection.response(to: server.url("a")).failure
    #expect(ExpectedFailure(.badResponse, "the server sends a web page instead of audio").matches(failure))
  }
}
