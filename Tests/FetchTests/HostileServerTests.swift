import CCurl
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of servers that send something other than what was requested. Each request ends with a kind and a sentence,
/// and the process goes on.
@Suite struct HostileServerTests {
  /// A response to every request, and the failure that it causes.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let failure: ExpectedFailure
    let respond: @Sendable (String, WebServer.Connection) -> Bool

    init(
      _ name: String, _ kind: Failure.Kind, _ text: String,
      _ respond: @escaping @Sendable (String, WebServer.Connection) -> Bool
    ) {
      (testDescription, failure, self.respond) = (name, ExpectedFailure(kind, text), respond)
    }

    /// Creates a case in which the server sends `response` and closes the connection.
    init(_ name: String, _ kind: Failure.Kind, _ text: String, sending response: String) {
      self.init(name, kind, text) { _, client in
        _ = client.send(response)
        return false
      }
    }

    /// Creates a case in which the server sends `response`, and then `part` until the client disconnects.
    init(_ name: String, _ kind: Failure.Kind, _ text: String, sending response: String, endless part: String) {
      self.init(name, kind, text) { _, client in
        guard client.send(response) else { return false }
        while client.send(part) {}
        return false
      }
    }
  }

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let longLine = "X-Field: " + String(repeating: "x", count: 4_000) + "\r\n"

  static let cases = statuses + heads + bodies + redirects

  private static let statuses =
    [
      (401, .denied, "denied access (401)"), (403, .denied, "denied access (403)"),
      (404, .notFound, "no such file (404)"),
      (407, .denied, "(407)"), (410, .notFound, "no such file (410)"), (416, .notSeekable, "no such part"),
      (429, .rateLimited, "too many requests (429)"), (500, .unavailable, "an error (500)"),
      (503, .unavailable, "an error (503)"), (599, .unavailable, "an error (599)"),
      (300, .badResponse, "unexpected status 300"), (302, .badResponse, "unexpected status 302"),
      (304, .badResponse, "unexpected status 304"), (204, .badResponse, "empty response"),
      (999, .unavailable, "an error (999)"),
    ].map { (status: Int, kind: Failure.Kind, text: String) in
      Case("status \(status)", kind, text, sending: "HTTP/1.1 \(status) Status\r\nContent-Length: 0\r\n\r\n")
    } + [
      Case(
        "status 429 for a very long time", .rateLimited, "try again in 60 min",
        sending: "HTTP/1.1 429 No\r\nRetry-After: 100000000000000000000\r\nContent-Length: 0\r\n\r\n"),
      Case("status 000", .badResponse, "the response is not HTTP", sending: "HTTP/1.1 000 Status\r\n\r\n"),
      Case(
        "endless body of an error", .notFound, "no such file (404)", sending: "HTTP/1.1 404 No\r\n\r\n",
        endless: String(repeating: "<html>nothing</html>", count: 500)),
    ]

  /// libcurl 8.14 uses the last one of two lengths, and 8.23 refuses the response.
  private static let refusesTwoLengths = LIBCURL_VERSION_NUM >= 0x08_17_00

  private static let heads = [
    Case("endless fields", .badResponse, "head of the response is too large", sending: ok, endless: longLine),
    Case(
      "endless field", .badResponse, "head of the response is too large", sending: ok + "X: ",
      endless: String(repeating: "x", count: 10_000)),
    Case(
      "endless status line", .badResponse, "", sending: "HTTP/1.1 200 ", endless: String(repeating: "OK ", count: 3_000)
    ),
    Case(
      "endless provisional responses", .badResponse, "head of the response is too large", sending: "",
      endless: "HTTP/1.1 100 Continue\r\nX: \(String(repeating: "x", count: 1_000))\r\n\r\n"),
    Case("no response", .offline, "connection was lost", sending: ""),
    Case("end in the status line", .offline, "connection was lost", sending: "HTTP/1.1 2"),
    Case("end in the head", .badResponse, "empty response", sending: "HTTP/1.1 200 OK\r\nContent-Type: audio/mpe"),
    Case("other protocol", .badResponse, "is not HTTP", sending: "SSH-2.0-OpenSSH_9.2\r\n"),
    Case("binary data", .badResponse, "is not HTTP", sending: "\u{0}\u{1}\u{2}\u{3}\u{0}\u{0}\u{0}\u{0}"),
    Case("negative length", .badResponse, "", sending: ok + "Content-Length: -5\r\n\r\naudio"),
    Case(
      "two lengths", refusesTwoLengths ? .badResponse : .offline,
      refusesTwoLengths ? "Invalid Content-Length" : "connection was lost",
      sending: ok + "Content-Length: 5\r\nContent-Length: 9\r\n\r\naudio"),
  ]

  private static let page = "<!DOCTYPE html><html><head><title>Login</title></head></html>"

  private static let bodies = [
    Case("no body", .badResponse, "empty response", sending: ok + "Content-Length: 0\r\n\r\n"),
    Case("no body without length", .badResponse, "empty response", sending: ok + "\r\n"),
    Case(
      "web page", .badResponse, "a web page instead of audio", sending: ok + "Content-Type: text/html\r\n\r\n" + page),
    Case(
      "web page that claims to be audio", .badResponse, "a web page instead of audio",
      sending: ok + "Content-Type: audio/mpeg\r\n\r\n\n " + page),
    Case(
      "web page in pieces", .badResponse, "a web page instead of audio",
      { _, client in
        guard client.send(ok + "Content-Type: audio/mpeg\r\n\r\n<ht") else { return false }
        // The end of the page shall arrive by itself.
        _ = client.send("ml><body>" + String(repeating: "nothing ", count: 1_000))
        return false
      }),
    Case(
      "compressed body", .badResponse, "compressed", sending: ok + "Content-Encoding: gzip\r\n\r\n",
      endless: String(repeating: "\u{1F}\u{0}", count: 5_000)),
    Case(
      "other part", .badResponse, "another part of the file",
      sending: "HTTP/1.1 206 Part\r\nContent-Range: bytes 5-9/10\r\nContent-Length: 5\r\n\r\naudio"),
    Case(
      "enormous size", .badResponse, "implausible size",
      sending: "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-9223372036854775806/9223372036854775807\r\n\r\naudio"),
    Case(
      "enormous length", .badResponse, "implausible size",
      sending: ok + "Content-Length: 1125899906842625\r\n\r\naudio"),
    Case("short body", .offline, "connection was lost", sending: ok + "Content-Length: 50\r\n\r\naudio"),
    Case(
      "wrong chunk", .offline, "connection was lost", sending: ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\naudio\r\n"),
    Case(
      "chunk of enormous size", .offline, "connection was lost",
      sending: ok + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\naudio\r\n"),
    Case(
      "playlist of twenty megabytes", .tooLarge, "the playlist has more than 1048576 bytes",
      { _, client in
        _ = client.send(ok + "\r\n#EXTM3U\n" + String(repeating: "http://127.0.0.1:1/a.mp3\n", count: 800_000))
        return false
      }),
    Case(
      "endless playlist", .tooLarge, "the playlist has more than", sending: ok + "\r\n#EXTM3U\n",
      endless: String(repeating: "#\n", count: 5_000)),
    Case(
      "playlist of a megabyte of short lines", .unplayable, "the playlist includes itself",
      sending: playlist([String](repeating: "b", count: 520_000))),
    Case(
      "numbered playlist of a megabyte", .unplayable, "the playlist includes itself",
      sending: page(of: "[playlist]\n" + (0..<80_000).map { "File\($0)=b\n" }.joined())),
    Case(
      "manifest of enormous times", .unplayable, "implausible times",
      sending: manifest(
        "",
        #"<SegmentTemplate media="$Time$"><SegmentTimeline><S d="4503599627370496" r="3000"/></SegmentTimeline></SegmentTemplate>"#
      )),
    Case(
      "manifest whose addresses are enormous", .tooLarge, "a URL of more than",
      sending: manifest(
        "id=\"\(String(repeating: "x", count: 400_000))\"",
        #"<SegmentTemplate duration="1" media="\#(String(repeating: "$RepresentationID$", count: 25_000))"/>"#)),
    Case(
      "manifest with many long addresses", .tooLarge, "too many segments",
      sending: manifest(
        "", #"<SegmentTemplate timescale="10" duration="1" media="\#(String(repeating: "x", count: 14_000))$Number$"/>"#
      )),
    Case("empty playlist", .unplayable, "the playlist is empty", sending: ok + "\r\n#EXTM3U\n"),
    Case(
      "playlist of local files", .unplayable, "names nothing that can be played",
      sending: ok + "\r\n#EXTM3U\nfile:///etc/passwd\nsmb://host/x\nconcat:/etc/passwd\n"),
    Case(
      "playlist in pieces", .unplayable, "names nothing that can be played",
      { _, client in
        guard client.send(ok + "\r\n#EXT") else { return false }
        _ = client.send("M3U\nfile:///etc/passwd\n")
        return false
      }),
    Case(
      "playlist that includes itself", .unplayable, "the playlist includes itself",
      { request, client in client.send(playlist([path(of: request)])) }),
    Case(
      "two playlists that include each other", .unplayable, "the playlist includes itself",
      { request, client in client.send(playlist([path(of: request) == "/a" ? "/b" : "/a"])) }),
    Case(
      "manifests that include each other", .unplayable, "the playlist includes itself",
      { request, client in
        let next = path(of: request) == "/a" ? "/b" : "/a"
        return client.send(
          page(of: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(next)\n"))
      }),
    Case(
      "playlist that includes itself through a redirect", .unplayable, "the playlist includes itself",
      { request, client in
        path(of: request) == "/redirect"
          ? client.send("HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n")
          : client.send(playlist(["/redirect"]))
      }),
    Case(
      "endless chain of playlists", .unplayable, "too many playlists",
      { request, client in client.send(playlist([path(of: request) + "x"])) }),
  ]

  private static let redirects =
    [
      Case(
        "endless redirects", .badResponse, "too many redirects",
        { request, client in client.send(redirect(to: path(of: request) + "x")) }),
      Case(
        "redirect to itself", .badResponse, "too many redirects",
        { request, client in client.send(redirect(to: path(of: request))) }),
      Case(
        "two redirects to each other", .badResponse, "too many redirects",
        { request, client in client.send(redirect(to: path(of: request) == "/a" ? "/b" : "/a")) }),
      Case(
        "redirect to a very long URL", .badResponse, "",
        sending: redirect(to: "/" + String(repeating: "x", count: 200_000))),
    ]
    + ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://127.0.0.1/", "scp://127.0.0.1/x"].map {
      Case("redirect to \($0)", .denied, "neither http nor https", sending: redirect(to: $0))
    }

  private static func redirect(to location: String) -> String {
    "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
  }

  static func playlist(_ urls: [String]) -> String { page(of: "#EXTM3U\n" + urls.joined(separator: "\n") + "\n") }

  /// Returns a manifest of DASH whose only representation has `attributes` and `addressing`.
  private static func manifest(_ attributes: String, _ addressing: String) -> String {
    page(
      of: "<MPD mediaPresentationDuration=\"PT1H\"><Period><AdaptationSet contentType=\"audio\">"
        + "<Representation \(attributes)>\(addressing)</Representation></AdaptationSet></Period></MPD>")
  }

  static func page(of text: String) -> String { ok + "Content-Length: \(text.utf8.count)\r\n\r\n" + text }

  @Test(arguments: cases)
  func everyResponse_endsWithAReason(_ hostile: Case) throws {
    let server = try WebServer(hostile.respond)
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let response = try FetchConnection.response(to: server.url("a"), by: fetcher)
    #expect(hostile.failure.matches(response.failure), "\(String(describing: response.failure))")
    #expect(server.requests.count <= 20)
    #expect(try fetcher.isWithinItsMemory)
    // The process serves the next request.
    let next = try WebServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio")
    #expect(try FetchConnection.response(to: next.url("next"), by: fetcher).bytes == Array("audio".utf8))
  }

  @Test func fiveRedirectsAreFollowed() throws {
    let server = try WebServer { request, client in
      let name = path(of: request)
      return client.send(
        name == "/xxxxx"
          ? "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio" : Self.redirect(to: name + "x"))
    }
    let response = try FetchConnection.response(to: server.url(""))
    #expect(response.bytes == Array("audio".utf8))
    #expect(response.resource?.url == server.url("xxxxx"))
  }

  @Test func bytesBeyondTheStatedSize_areIgnored() throws {
    let long = try WebServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio and more")
    #expect(try FetchConnection.response(to: long.url("a")).bytes == Array("audio".utf8))
    // The chunks never end.
    let endless = try WebServer { _, client in
      guard
        client.send(
          "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-4/5\r\nTransfer-Encoding: chunked\r\n\r\n9\r\naudio and\r\n")
      else { return false }
      let more = String(repeating: "5\r\n more\r\n", count: 1_000)
      while client.send(more) {}
      return false
    }
    let response = try FetchConnection.response(to: endless.url("a"))
    #expect(response.bytes == Array("audio".utf8))
    #expect(response.failure == nil)
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio", ExpectedFailure(.notSeekable, "cannot send a part")),
      (
        "HTTP/1.1 206 Part\r\nContent-Length: 5\r\n\r\naudio",
        ExpectedFailure(.notSeekable, "cannot send a part")
      ),
      (
        "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-4/5000\r\nContent-Length: 5\r\n\r\naudio",
        ExpectedFailure(.badResponse, "another part")
      ),
      (
        "HTTP/1.1 206 Part\r\nContent-Range: bytes -1000-4/5000\r\nContent-Length: 5\r\n\r\naudio",
        ExpectedFailure(.notSeekable, "cannot send a part")
      ),
      (
        "HTTP/1.1 206 Part\r\nContent-Range: bytes 99999999999999999999-4/5\r\nContent-Length: 5\r\n\r\naudio",
        ExpectedFailure(.notSeekable, "cannot send a part")
      ),
      ("HTTP/1.1 416 Range Not Satisfiable\r\n\r\n", ExpectedFailure(.notSeekable, "no such part")),
    ])
  func aRangeThatIsNotTheRequestedOne_isAnError(_ response: String, _ failure: ExpectedFailure) throws {
    let server = try WebServer(sending: response)
    let response = try FetchConnection.response(to: server.url("a"), at: 1_000)
    #expect(failure.matches(response.failure), "\(String(describing: response.failure))")
    #expect(response.bytes.isEmpty)
  }

  @Test func ofAPlaylistWithManyEntries_onlySomeAreTried() throws {
    let server = try WebServer { request, client in
      path(of: request) == "/list"
        ? client.send(Self.playlist((0..<10_000).map { "/\($0)" }))
        : client.send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
    }
    let response = try FetchConnection.response(to: server.url("list"))
    #expect(response.failure?.kind == .notFound)
    #expect((2...20).contains(server.requests.count), "\(server.requests.count)")
  }

  @Test func theFirstEntryThatPlays_isOpened() throws {
    let server = try WebServer { request, client in
      switch path(of: request) {
      case "/list": client.send(Self.playlist(["/1", "/2", "/3"]))
      case "/2": client.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio")
      default: client.send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let response = try FetchConnection.response(to: server.url("list"))
    #expect(response.bytes == Array("audio".utf8))
    #expect(server.paths == ["/list", "/1", "/2"])
  }

  // MARK: Limits

  @Test func atMostSixtyFourResources_areOpenAtATime() throws {
    let server = try WebServer { request, client in
      guard client.send("HTTP/1.1 200 OK\r\n\r\naudio") else { return false }
      client.waitForEnd()
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("stream"))
    let first = try connection.open(server.url("stream"))
    _ = try connection.wait(for: first, "the first bytes") { $0.bytes.count == 5 }
    let parts = try (0..<63).map { try connection.open(server.url("\($0)")) }
    for part in parts { _ = try connection.wait(for: part, "the bytes of a part") { $0.bytes.count == 5 } }
    let refused = try connection.response(to: server.url("more"))
    #expect(refused.failure?.kind == .unplayable)
    #expect(refused.failure?.message == "the stream refers to too many addresses")
    try connection.close(parts[0])
    let allowed = try connection.open(server.url("allowed"))
    _ = try connection.wait(for: allowed, "the bytes of a part") { $0.bytes.count == 5 }
  }

  /// A worker may request the manifest of its stream again and again and not read it.
  @Test(.disabled(if: Sanitizer.isOn, "sanitizers need more memory than the process may use"))
  func manifestsThatNobodyReads_areRefused() throws {
    let server = try WebServer { _, client in
      client.send(
        Self.manifest(
          "", #"<SegmentTemplate timescale="10" duration="2" media="\#(String(repeating: "x", count: 200))$Number$"/>"#)
      )
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let connection = try FetchConnection(to: fetcher, for: server.url("live"))
    let size = try connection.response(to: server.url("live")).bytes.count
    #expect(size > 4 << 20)
    let requests = try (0..<16).map { _ in try connection.open(server.url("live")) }
    try waitUntil("all are requested") { server.requests.count == 17 }
    var time = MediaTime.zero
    try waitUntil("the process has read the manifests", every: .milliseconds(200)) {
      defer { time = (try? fetcher.processorTime) ?? .zero }
      return try fetcher.processorTime == time
    }
    #expect(try fetcher.isWithinItsMemory)
    let failures = try requests.compactMap { try connection.wait(for: $0, "the end of a manifest").failure?.message }
    #expect((1..<16).contains(failures.count))
    #expect(failures.allSatisfy { $0 == "too many manifests wait to be read" }, "\(failures)")
  }

  @Test func whileAStreamStarts_theNumberOfRequestsIsLimited() throws {
    let server = try WebServer { _, client in client.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio") }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("stream"))
    var failure: Failure?
    var count = 0
    while failure == nil, count < 2_000 {
      count += 1
      failure = try connection.response(to: server.url("stream")).failure
    }
    #expect(failure?.message == "the stream refers to too many addresses")
    #expect(count > 500)
  }

  /// A worker that reads neither the bytes nor the metadata of a station costs only a limited amount of memory.
  @Test func metadataThatNobodyReads_areDropped() throws {
    let sent = SharedCounter()
    let server = try WebServer { _, client in
      guard client.send("HTTP/1.1 200 OK\r\nicy-name: Test\r\nicy-metaint: 1\r\n\r\n") else { return false }
      while true {
        let title = "StreamTitle='\(sent.increment())';"
        let padding = (16 - title.utf8.count % 16) % 16
        let metadata = Array(title.utf8) + [UInt8](repeating: 0, count: padding)
        guard client.send([0x61, UInt8(metadata.count / 16)] + metadata) else { return false }
        // The rest of the station is audio.
        if sent.value == 5_000 {
          _ = client.send([0x62, 0, 0x63])
          return false
        }
      }
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let connection = try FetchConnection(to: fetcher, for: server.url("a"))
    let id = try connection.open(server.url("a"))
    try waitUntil("the station has sent its metadata") { sent.value == 5_000 }
    var time = MediaTime.zero
    try waitUntil("the process has taken what it can", every: .milliseconds(50)) {
      defer { time = (try? fetcher.processorTime) ?? .zero }
      return try fetcher.processorTime == time
    }
    let response = try connection.wait(for: id, "the audio after the metadata") { $0.bytes.contains(0x63) }
    #expect(response.failure == nil)
    #expect((10..<5_000).contains(response.metadata.count), "\(response.metadata.count)")
  }

  @Test func aBodyThatNobodyReads_costsLimitedMemory() throws {
    let server = try WebServer { _, client in
      guard client.send("HTTP/1.1 200 OK\r\nicy-name: Test\r\n\r\n") else { return false }
      while client.send([UInt8](repeating: 0, count: 64 * 1_024)) {}
      return false
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let connection = try FetchConnection(to: fetcher, for: server.url("a"))
    for _ in 0..<8 { _ = try connection.open(server.url("a")) }
    try waitUntil("all are connected") { server.requests.count == 8 }
    try fetcher.waitUntilIdle()
    #expect(try fetcher.isWithinItsMemory)
    withExtendedLifetime(connection) {}
  }
}
