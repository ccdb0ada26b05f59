import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the heads of responses.
@Suite struct ResponseHeadTests {
  @Test func aBodyThatIsEncodedAsIdentity_hasASize() throws {
    let server = try WebServer(
      sending: "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 5\r\n\r\naudio")
    let response = try FetchConnection.response(to: server.url("file"))
    #expect(response.resource?.size == 5)
    #expect(response.bytes == Array("audio".utf8))
  }

  /// The worker could not name the resource in its next request.
  @Test func aRedirectToAVeryLongURL_isRefused() throws {
    let long = String(repeating: "x", count: FetchRequest.maximumURLSize)
    let server = try WebServer { request, client in
      client.send(
        path(of: request) == "/file"
          ? "HTTP/1.1 302 Found\r\nLocation: /\(long)\r\nContent-Length: 0\r\n\r\n"
          : "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio")
    }
    let response = try FetchConnection.response(to: server.url("file"))
    #expect(response.failure?.kind == .badResponse)
    #expect(response.failure?.message.contains("a URL of more than 16384 bytes") == true)
  }

  /// Sixty resources have heads of thousands of fields, each as many as are allowed.
  @Test func manyHeadsOfManyFields_takeLittleMemory() throws {
    let few = (0..<900).map { "a\($0):b\r\n" }.joined()
    let many = (0..<30_000).map { "a\($0):b\r\n" }.joined()
    let server = try WebServer { request, client in
      switch path(of: request) {
      case "/live": client.send("HTTP/1.1 200 OK\r\n\r\n#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfew\n") && false
      case "/few": client.send("HTTP/1.1 200 OK\r\n\(few)Content-Length: 1000\r\n\r\naudio")
      default: client.send("HTTP/1.1 200 OK\r\n\(many)Content-Length: 1000\r\n\r\naudio")
      }
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let connection = try FetchConnection(to: fetcher, for: server.url("live"))
    _ = try connection.response(to: server.url("live"))
    let before = try fetcher.peakMemory
    let requests = try (0..<60).map { try connection.open(server.url($0 % 2 == 0 ? "few" : "many")) }
    for (index, id) in requests.enumerated() {
      let response = try connection.wait(for: id, "a head") { $0.bytes.count == 5 || $0.isComplete }
      #expect((response.failure == nil) == (index % 2 == 0), "\(String(describing: response.failure))")
    }
    // Sanitizers need a multiple.
    let used = try fetcher.peakMemory - before
    #expect(Sanitizer.isOn || used < 32 << 20)
  }
}
