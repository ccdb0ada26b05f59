import SegueLink
import SegueTestKit
import SegueWire
import Testing

/// Tests of the environment variables that name a proxy.
@Suite struct ProxyTests {
  private static let audio = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio"

  /// The proxy answers in place of the server, whose name only the proxy could look up.
  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"])
  func requests_areSentToTheProxy(_ variable: String) throws {
    let proxy = try WebServer(sending: Self.audio)
    let fetcher = try WorkerProcess(.fetch, ring: false, variables: [variable: proxy.url("")])
    let response = try FetchConnection.response(to: "http://radio.invalid/x.mp3", by: fetcher)
    #expect(response.bytes == Array("audio".utf8))
    #expect(proxy.paths == ["http://radio.invalid/x.mp3"])
  }

  @Test(arguments: ["https_proxy", "HTTPS_PROXY"])
  func encryptedConnections_areTunnelled(_ variable: String) throws {
    let proxy = try WebServer(sending: "HTTP/1.1 403 No\r\n\r\n")
    let fetcher = try WorkerProcess(.fetch, ring: false, variables: [variable: proxy.url("")])
    let failure = try FetchConnection.response(to: "https://radio.invalid/x.mp3", by: fetcher).failure
    #expect(proxy.requests.first?.hasPrefix("CONNECT radio.invalid:443 ") == true)
    #expect(failure != nil)
    #expect(failure?.message.contains("radio.invalid") == true, "\(String(describing: failure))")
  }

  @Test func hostsWithoutProxy_areConnectedDirectly() throws {
    let proxy = try WebServer(sending: "HTTP/1.1 500 No\r\n\r\n")
    let server = try WebServer(sending: Self.audio)
    let fetcher = try WorkerProcess(
      .fetch, ring: false, variables: ["http_proxy": proxy.url(""), "no_proxy": "example.org,127.0.0.1"])
    #expect(try FetchConnection.response(to: server.url("x"), by: fetcher).bytes == Array("audio".utf8))
    #expect(proxy.connectionCount == 0)
  }

  @Test(
    arguments: [
      "http://127.0.0.1:9/", "http://localhost/", "http://0x7f.1/", "http://[::ffff:10.0.0.1]/", "http://localhost./",
      "http://a.localhost./", "http://127.0.0.1.:9/", "http://0x7f.1./",
    ])
  func aProxy_isNotAskedForNearAddressesThatAServerNames(_ url: String) throws {
    let proxy = try WebServer(sending: "HTTP/1.1 302 Found\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n")
    let fetcher = try WorkerProcess(.fetch, ring: false, variables: ["http_proxy": proxy.url("")])
    let failure = try FetchConnection.response(to: "http://radio.invalid/", by: fetcher).failure
    #expect(failure?.kind == .denied, "\(String(describing: failure))")
    #expect(proxy.requests.count == 1)
  }

  @Test func aProxyThatIsNotThere_isNamedAsTheReason() throws {
    let port = try WebServer(sending: "").port
    let fetcher = try WorkerProcess(.fetch, ring: false, variables: ["http_proxy": "http://127.0.0.1:\(port)"])
    let failure = try FetchConnection.response(to: "http://radio.invalid/", by: fetcher).failure
    #expect(failure?.kind == .offline)
  }
}
