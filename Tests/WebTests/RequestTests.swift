import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of what the gateway accepts from strangers, over raw sockets.
@Suite struct RequestTests {
  private let fixture: WebFixture

  init() throws { fixture = try WebFixture() }

  /// Sends bytes and returns the status of the response; nil if the connection is closed without one.
  private func status(_ text: String) throws -> Int? {
    let client = try fixture.connect()
    try client.send(text)
    return (try? client.response())?.status
  }

  private func request(_ lines: String...) -> String { lines.joined(separator: "\r\n") + "\r\n\r\n" }

  /// Returns a call with a body. The headers are those that the page sends, unless others are given.
  private func post(
    _ body: String = #"{"method":"web.state"}"#, host: String? = nil, origin: String?,
    type: String? = "application/json", more: [String] = []
  ) -> String {
    let lines =
      ["POST /rpc HTTP/1.1", "Host: \(host ?? fixture.host)", "Content-Length: \(body.utf8.count)"]
      + (origin.map { ["Origin: \($0)"] } ?? []) + (type.map { ["Content-Type: \($0)"] } ?? []) + more
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  private var own: String { "http://\(fixture.host)" }

  @Test func namesThatTheMachineDoesNotHaveAreRefused() throws {
    for host in [
      "evil.example", "evil.example:\(fixture.port)", "127.0.0.1.evil.example", "", "[::1", "127.0.0.1@evil", "[]",
      "evil@127.0.0.1", "+127.0.0.1", "127.0.0.01", "127.0.0.1:\u{663}", "::1", "[fe80::1%25eth0]",
    ] {
      #expect(try status(request("GET / HTTP/1.1", "Host: \(host)")) != 200, "\(host)")
    }
    for host in ["localhost:\(fixture.port)", "127.0.0.1", "LOCALHOST", "[::1]:80", "192.168.1.20:7348"] {
      #expect(try status(request("GET / HTTP/1.1", "Host: \(host)")) == 200, "\(host)")
    }
    #expect(try status(request("GET / HTTP/1.1")) == 400)
    #expect(try status(request("GET / HTTP/1.1", "Host: 127.0.0.1", "Host: evil.example")) != 200)
  }

  @Test func aCallComesFromThePageItself() throws {
    #expect(try status(post(origin: own)) == 200)
    #expect(try status(post(origin: own, more: ["Sec-Fetch-Site: same-origin"])) == 200)
    for origin in ["http://evil.example", "null", "file://", "http://127.0.0.1", "\(own)0", "\(own)/", ""] {
      #expect(try status(post(origin: origin)) == 403, "\(origin)")
    }
    #expect(try status(post(origin: nil)) == 403)
    #expect(try status(post(origin: own, more: ["Origin: \(own)"])) == 403)
    for site in ["cross-site", "same-site", "none"] {
      #expect(try status(post(origin: own, more: ["Sec-Fetch-Site: \(site)"])) == 403, "\(site)")
    }
    #expect(try status(post(host: "localhost:\(fixture.port)", origin: own)) == 403)
  }

  @Test func onlyJSONIsReadAndOnlyByPost() throws {
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", nil] {
      #expect(try status(post(origin: own, type: type)) == 415, "\(type ?? "none")")
    }
    #expect(try status(post(origin: own, type: "application/json; charset=utf-8")) == 200)
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "FOO"] {
      let answer = try status(request("\(method) /rpc HTTP/1.1", "Host: \(fixture.host)", "Origin: \(own)"))
      #expect(answer != 200, "\(method)")
    }
    #expect(try fixture.get("/rpc").status == 405)
    for text in ["", "{", "[]", "null", #""method""#, #"{"method":5}"#, #"{"method":"status","params":5}"#] {
      #expect(try status(post(text, origin: own)) == 400, "\(text)")
    }
  }

  @Test func noResponsePermitsOtherPagesToReadIt() throws {
    let response = try fixture.get("/", headers: ["Origin: http://evil.example"])
    #expect(response.headers.allSatisfy { !$0.name.hasPrefix("access-control") })
    let policy = try #require(response.header("content-security-policy"))
    for part in [
      "default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ] {
      #expect(policy.contains(part), "\(part)")
    }
    let browser = try fixture.register()
    let responses = [
      response, try fixture.get("/missing"), try fixture.post("status"), try fixture.post("status", as: browser),
      try fixture.get("/art/ab/cd.jpeg", as: browser),
    ]
    for response in responses {
      #expect(response.headers.count { $0 == ("x-content-type-options", "nosniff") } == 1)
      #expect(response.headers.count { $0 == ("cross-origin-resource-policy", "same-origin") } == 1)
      #expect(response.headers.count { $0 == ("referrer-policy", "no-referrer") } == 1)
    }
  }

  @Test func strangersMayNotSendMoreThanAPageDoes() throws {
    let client = try fixture.connect()
    var statuses: Set<Int> = []
    for _ in 0..<400 {
      try client.send(post(origin: own))
      statuses.insert(try client.response().status)
    }
    #expect(statuses == [200, 429])
  }

  /// A proxy states from where a request comes, and everybody else could make that up.
  @Test func onlyATrustedProxyStatesTheAddressOfAClient() throws {
    let proxied = try WebFixture(configuration: "[Web]\nProxy=127.0.0.1\n")
    for (fixture, isTrusted) in [(proxied, true), (fixture, false)] {
      var refused = 0
      for number in 0..<12 {
        let body = #"{"method":"web.pair","params":{"token":"\#(String(repeating: "A", count: 43))"}}"#
        let client = try fixture.connect()
        try client.send(
          post(
            body, host: fixture.host, origin: "http://\(fixture.host)",
            more: ["X-Forwarded-For: 10.0.0.1, 192.168.1.\(number)"]))
        if try client.response().kind == "rate_limited" { refused += 1 }
      }
      #expect((refused == 0) == isTrusted, "\(refused)")
    }
  }

  @Test func behindAProxyWithTLSTheCookieIsSentOverTLSOnly() throws {
    try fixture.web("registration", "open")
    let body = #"{"method":"web.register","params":\#(WebFixture.anna)}"#
    let client = try fixture.connect()
    try client.send(post(body, origin: "https://\(fixture.host)"))
    let response = try client.response()
    let cookie = try #require(response.header("set-cookie"))
    #expect(cookie.hasPrefix("__Host-segue=") && cookie.contains("; Secure"))
    let browser = try WebFixture.Browser(response)
    #expect(try fixture.post("status", as: browser).status == 200)
  }

  @Test func twoLengthsAndChunksAreNotTakenForTwoRequests() throws {
    let second = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
    for headers in [
      ["Content-Length: 0", "Content-Length: \(second.utf8.count)"],
      ["Content-Length: \(second.utf8.count)", "Transfer-Encoding: chunked"],
      ["Content-Length: 0", "Content-Length: 0"], ["Transfer-Encoding: chunked"], ["Transfer-Encoding: xchunked"],
      ["Transfer-Encoding: chunked, identity"], ["Transfer-Encoding : chunked"], ["Content-Length: +0"],
      ["Content-Length: -1"], ["Content-Length: 0x10"], ["Content-Length: 99999999999999999999"],
    ] {
      let client = try fixture.connect()
      try client.send(
        (["POST /rpc HTTP/1.1", "Host: \(fixture.host)", "Origin: \(own)", "Content-Type: application/json"] + headers)
          .joined(separator: "\r\n") + "\r\n\r\n" + second)
      // Nothing may follow an error: the connection is closed.
      let first = try? client.response()
      #expect(first.map { $0.status >= 400 } ?? true, "\(headers)")
      #expect((try? client.response()) == nil, "\(headers)")
    }
    #expect(try fixture.call("web.state")["registration"] != nil)
  }

  @Test func longHeadersAndBodiesAreRefused() throws {
    let long = String(repeating: "a", count: 100_000)
    #expect(try status(request("GET /\(long) HTTP/1.1", "Host: \(fixture.host)")).map { $0 >= 400 } ?? true)
    #expect(try status(request("GET / HTTP/1.1", "Host: \(fixture.host)", "X: \(long)")).map { $0 >= 400 } ?? true)
    #expect(try status(post(long, origin: own)) == 413)
    #expect(
      try status(
        request(
          "POST /rpc HTTP/1.1", "Host: \(fixture.host)", "Origin: \(own)", "Content-Type: application/json",
          "Content-Length: 4000000000")) == 413)
    #expect(try fixture.call("web.state")["registration"] != nil)
  }

  @Test func aClientThatSendsItsHeaderSlowlyIsDisconnected() throws {
    let client = try fixture.connect()
    try client.send("GET / HTTP/1.1\r\nHost: ")
    #expect(client.isClosedByServer())
  }

  @Test func malformedRequestsEndNothingButTheirConnection() throws {
    var generator = SeededGenerator(seed: 7)
    let valid = Array(post(origin: own).utf8)
    for _ in 0..<300 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(contentsOf: bytes[index..<min(index + 20, bytes.count)], at: index)
        }
      }
      let client = try fixture.connect()
      try? client.send(bytes)
    }
    #expect(try fixture.call("web.state")["registration"] != nil)
    #expect(fixture.isRunning)
  }

  @Test func noAddressLeadsToAFileOfTheMachine() throws {
    let browser = try fixture.register()
    for path in [
      "/etc/passwd", "/../../etc/passwd", "/static/../../etc/passwd", "/art/../../../../../../etc/passwd",
      "/art/ab/../../../../etc/passwd", "/art/%2e%2e/%2e%2e/etc/passwd", "/art//etc/passwd", "/art/ab/", "/art/ab",
      "/art/ab/.hidden", "/art/ab/x%00.jpeg", "/static/", "/favicon.ico",
    ] {
      #expect(try fixture.get(path, as: browser).status == 404, "\(path)")
    }
  }

  @Test func longAnswersAreCompressed() throws {
    let browser = try fixture.register()
    let client = try fixture.connect()
    try client.send(
      post(
        #"{"method":"rpc.discover"}"#, origin: own,
        more: ["Accept-Encoding: br, gzip;q=0.5", "Cookie: \(browser.cookie)"]))
    let response = try client.response()
    #expect(response.header("content-encoding") == "gzip")
    let plain = try fixture.post("rpc.discover", as: browser)
    #expect(plain.header("content-encoding") == nil)
    #expect(response.body.count * 5 < plain.body.count)
    #expect(response.body.starts(with: [0x1F, 0x8B]))
  }

  @Test func thePageIsCompressedAndKeptUnderTheNameOfItsContent() throws {
    let start = try fixture.get("/", headers: ["Accept-Encoding: gzip"])
    #expect(start.header("content-encoding") == "gzip")
    #expect(start.header("cache-control") == "no-cache")
    let version = try #require(start.header("etag"))
    let again = try fixture.get("/", headers: ["If-None-Match: \(version)"])
    #expect(again.status == 304 && again.body.isEmpty)
    let plain = try fixture.get("/").text
    let link = try #require(plain.firstMatch(of: /\/static\/[0-9a-f]{16}\/page\.js/))
    let script = try fixture.get(String(link.output))
    #expect(script.status == 200)
    #expect(script.header("cache-control")?.contains("immutable") == true)
    #expect(script.header("content-type") == "text/javascript; charset=utf-8")
  }
}
