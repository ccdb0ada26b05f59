import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of HLS whose server fails while the stream plays.
@Suite struct LiveManifestTests {
  private static let live = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\npart\n"

  private static func ok(_ body: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func error(_ status: Int) -> String { "HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n" }

  /// Opens a manifest, which `respond` sends at the first request, and a part of it. Later requests have higher
  /// numbers.
  private func openStream(
    _ respond: @escaping @Sendable (_ path: String, _ number: Int, WebServer.Connection) -> Bool
  ) throws -> (WebServer, FetchConnection) {
    let (manifests, parts) = (SharedCounter(), SharedCounter())
    let server = try WebServer { request, client in
      let path = path(of: request)
      return respond(path, path == "/live" ? manifests.increment() : parts.increment(), client)
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("live"))
    let manifest = try connection.response(to: server.url("live"))
    #expect(manifest.failure == nil)
    let part = try connection.response(to: server.url("part"))
    #expect(part.failure == nil)
    return (server, connection)
  }

  @Test(
    arguments: [
      error(502), error(404), error(403), "", ok(""), ok("<html>We will be back soon.</html>"), ok("one moment"),
      "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + live,
    ])
  func aManifestThatFailsForAWhile_isReadAgain(_ failure: String) throws {
    let (server, connection) = try openStream { path, number, client in
      guard path == "/live" else { return client.send(Self.ok("audio")) }
      guard number == 2 || number == 3 else { return client.send(Self.ok(Self.live)) }
      _ = client.send(failure)
      return false
    }
    let response = try connection.response(to: server.url("live"))
    #expect(response.failure == nil)
    #expect(response.bytes == Array(Self.live.utf8))
    #expect(response.interruptions > 0 && response.resumptions == 1)
  }

  @Test(arguments: [error(503), ""])
  func aPartThatFailsForAWhile_isRequestedAgain(_ failure: String) throws {
    let (server, connection) = try openStream { path, number, client in
      if path == "/live" { return client.send(Self.ok(Self.live)) }
      guard number == 2 || number == 3 else { return client.send(Self.ok("audio")) }
      _ = client.send(failure)
      return false
    }
    let response = try connection.response(to: server.url("part"))
    #expect(response.failure == nil)
    #expect(response.bytes == Array("audio".utf8))
    #expect(response.interruptions > 0 && response.resumptions == 1)
  }

  /// The server sends the whole part again.
  @Test(arguments: [true, false])
  func aPartThatBreaksOff_continuesWithTheMissingByte(_ isChunked: Bool) throws {
    let audio = numberedBytes(100_000)
    let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(audio.count)"
    let (server, connection) = try openStream { path, number, client in
      if path == "/live" { return client.send(Self.ok(Self.live)) }
      if number == 1 { return client.send(Self.ok("audio")) }
      let sent = number < 4 ? Array(audio[..<(number * 30_000)]) : audio
      let (start, end) = isChunked ? (String(audio.count, radix: 16) + "\r\n", "\r\n0\r\n\r\n") : ("", "")
      _ = client.send("HTTP/1.1 200 OK\r\n\(length)\r\n\r\n\(start)")
      _ = client.send(sent + (number < 4 ? [] : Array(end.utf8)))
      return false
    }
    let response = try connection.response(to: server.url("part"))
    #expect(response.failure == nil)
    #expect(response.bytes == audio)
    #expect(response.interruptions == 2)
  }

  /// A part that the server does not have any more, or that a server refuses, is skipped at once.
  @Test(arguments: [404, 403])
  func aPartThatIsGone_fails(_ status: Int) throws {
    let (server, connection) = try openStream { path, number, client in
      client.send(path == "/live" ? Self.ok(Self.live) : number == 1 ? Self.ok("audio") : Self.error(status))
    }
    let response = try connection.response(to: server.url("part"))
    #expect(response.failure?.message.contains("(\(status))") == true)
    #expect(response.interruptions == 0)
  }

  /// The stream goes on with the next part.
  @Test func aPartOfALiveStreamThatFailsForLong_isGivenUp() throws {
    let (server, connection) = try openStream { path, number, client in
      client.send(path == "/live" ? Self.ok(Self.live) : number == 1 ? Self.ok("audio") : Self.error(503))
    }
    let response = try connection.response(to: server.url("part"))
    #expect(response.failure?.kind == .unavailable)
    #expect(response.interruptions == 3)
  }

  /// Until a part is open, the user waits for the reason.
  @Test func theFirstPartThatFails_isNotRequestedAgain() throws {
    let server = try WebServer { request, client in
      client.send(path(of: request) == "/live" ? Self.ok(Self.live) : Self.error(503))
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("live"))
    _ = try connection.response(to: server.url("live"))
    let response = try connection.response(to: server.url("part"))
    #expect(response.failure?.kind == .unavailable)
    #expect(response.interruptions == 0)
  }

  @Test func aManifestWhoseServerIsNotToBeTrusted_isNotReadAgain() throws {
    let authority = try CertificateAuthority()
    defer { withExtendedLifetime(authority) {} }
    let other = try TLSServer(authority.selfSignedIdentity(), pages: ["live": TLSServer.page([])])
    let redirect = "HTTP/1.1 302 Found\r\nLocation: \(other.url("live"))\r\nContent-Length: 0\r\n\r\n"
    let (server, connection) = try openStream { path, number, client in
      client.send(path == "/part" ? Self.ok("audio") : number == 1 ? Self.ok(Self.live) : redirect)
    }
    let response = try connection.response(to: server.url("live"))
    #expect(response.failure?.kind == .certificate)
    #expect(response.interruptions == 0)
  }

  /// Only a station is asked for metadata.
  @Test func theBytesOfAPartWithTheFieldOfMetadata_areAllPassedOn() throws {
    let part = "HTTP/1.1 200 OK\r\nicy-metaint: 2\r\nContent-Length: 8\r\n\r\nau\u{1}dio.."
    let (server, connection) = try openStream { path, _, client in
      client.send(path == "/live" ? Self.ok(Self.live) : part)
    }
    #expect(try connection.response(to: server.url("part")).bytes == Array("au\u{1}dio..".utf8))
  }
}
