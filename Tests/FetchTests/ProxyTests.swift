import SegueTestKit
import SegueWire
import SegueWorkerProtocol
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
    let text = "radio.invalid: the proxy 127.0.0.1:\(proxy.port) does not connect to the server (403)"
    #expect(failure?.message == text, "\(String(describing: failure))")
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
    for (scheme, value) in [
      ("http", "http://user:secret@127.0.0.1:\(port)"), ("http", "127.0.0.1:\(port)"), ("https", "127.0.0.1:\(port)/"),
      ("http", "socks5h://127.0.0.1:\(port)"),
    ] {
      let fetcher = try WorkerProcess(.fetch, ring: false, variables: ["\(scheme)_proxy": value])
      let failure = try FetchConnection.response(to: "\(scheme)://radio.invalid/", by: fetcher).failure
      #expect(failure?.kind == .offline)
      #expect(failure?.message == "cannot connect to the proxy 127.0.0.1:\(port)", "\(value)")
    }
  }

  @Test func aProxyWithoutAnAddress_isNamedAsTheReason() throws {
    let fetcher = try WorkerProcess(.fetch, ring: false, variables: ["http_proxy": "http://proxy.invalid:8080"])
    let failure = try FetchConnection.response(to: "http://radio.invalid/", by: fetcher).failure
    #expect(failure?.message == "the proxy proxy.invalid:8080: unknown host, or no connection to the network")
  }

  @Test func aPasswordThatAProxyRequires_isNamedAsTheReason() throws {
    let proxy = try WebServer(sending: "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
    let fetcher = try WorkerProcess(
      .fetch, ring: false, variables: ["http_proxy": proxy.url(""), "https_proxy": proxy.url("")])
    for scheme in ["http", "https"] {
      let failure = try FetchConnection.response(to: "\(scheme)://radio.invalid/", by: fetcher).failure
      let text = "the proxy 127.0.0.1:\(proxy.port) requires a password (407)"
      #expect(ExpectedFailure(.denied, text).matches(failure), "\(String(describing: failure))")
    }
  }
}
