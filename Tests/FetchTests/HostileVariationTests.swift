import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// A test with a thousand responses that are variations of valid and hostile ones.
@Suite struct HostileVariationTests {
  private static let count = 1_000
  /// The number of bytes that are read of each response.
  private static let maximumBytes = 256 * 1_024

  @Test func everyVariation_endsWithinLimits() throws {
    // The server is given the number of the variation by the path.
    let server = try WebServer { request, client in
      let number = UInt64(path(of: request).filter(\.isNumber).prefix(4)) ?? 0
      _ = client.send(Self.response(number))
      return false
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    // The process reports each time that it has nothing to do, which nobody reads here. This channel prevents that.
    let idle = try FetchConnection(to: fetcher, for: server.url("idle"))
    defer { withExtendedLifetime(idle) {} }
    var kinds: [Failure.Kind: Int] = [:]
    var opened = 0
    for number in 0..<Self.count {
      let url = server.url("\(number)/")
      let connection = try FetchConnection(to: fetcher, for: url)
      // A station goes on for ever.
      let id = try connection.open(url)
      let response = try connection.wait(for: id, "variation \(number): \(text(number))") {
        $0.isComplete || $0.interruptions > 0 || $0.bytes.count >= Self.maximumBytes
      }
      if let failure = response.failure {
        kinds[failure.kind, default: 0] += 1
        #expect(!failure.message.isEmpty)
      }
      if response.resource != nil { opened += 1 }
    }
    #expect(try fetcher.isWithinItsMemory)
    // The variations are of many kinds.
    #expect(kinds.count > 4, "\(kinds)")
    #expect(opened > 50)
    let next = try WebServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\naudio")
    #expect(try FetchConnection.response(to: next.url("next"), by: fetcher).bytes == Array("audio".utf8))
  }

  private static let starts = [
    "HTTP/1.1 200 OK\r\n", "HTTP/1.0 200 OK\r\n", "ICY 200 OK\r\n", "HTTP/1.1 206 Partial Content\r\n",
    "HTTP/1.1 302 Found\r\n", "HTTP/1.1 404 Not Found\r\n", "HTTP/1.1 503 Busy\r\n", "HTTP/2 200\r\n",
    "HTTP/9.9 1000 X\r\n",
    "RTSP/1.0 200 OK\r\n", "",
  ]
  private static let fields = [
    "Content-Length: 100\r\n", "Content-Length: 9223372036854775807\r\n", "Content-Length: x\r\n",
    "Content-Range: bytes 0-99/100\r\n", "Content-Range: bytes 9-8/7\r\n", "Content-Range: bytes */0\r\n",
    "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n", "Content-Encoding: gzip\r\n",
    "icy-name: \u{FF}\u{FE}\r\n", "icy-metaint: 1\r\n", "icy-metaint: -1\r\n", "icy-metaint: 99999999999999999999\r\n",
    "Content-Type: text/html\r\n", "Content-Type: audio/x-mpegurl\r\n", "Content-Type: application/xspf+xml\r\n",
    "Location: /1\r\n", "Location: file:///etc/passwd\r\n", "Location: http://[::\r\n", "Location:\r\n",
    "Retry-After: x\r\n",
    "Set-Cookie: a=b\r\n", ": no name\r\n", "no colon\r\n", "Connection: upgrade\r\nUpgrade: h2c\r\n", " folded\r\n",
    "Trailer: x\r\n", "Accept-Ranges: bytes\r\n", "\0\0\0\r\n",
  ]
  private static let bodies = [
    "", "audio", "#EXTM3U\n/1\n", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=x,CODECS=\"\n/2\n",
    "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\n",
    "[playlist]\nFile1=/3\nFile-1=\n", "<asx><ref href='",
    "<asx><ref href=\"/4\"/><entryref href=\"&amp;&#0;\"/></asx>",
    "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><playlist><location>&b;</location>",
    "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>file:///x</location></track></trackList></playlist>",
    "[reference]\nRef1=http://\n", "5\r\naudio\r\n0\r\nX: y\r\n\r\n", "fffffffff\r\n", "\u{1}StreamTitle='", "<html>",
  ]

  /// Returns the beginning of variation `number`, for messages.
  private func text(_ number: Int) -> String {
    String(decoding: Self.response(UInt64(number)).prefix(400), as: UTF8.self)
  }

  /// Returns variation `number`: the same one for the same number.
  private static func response(_ number: UInt64) -> [UInt8] {
    var random = RandomNumbers(seed: number)
    var head = starts[random.next(below: number % 4 == 0 ? starts.count : 4)]
    for _ in 0..<random.next(below: 5) { head += fields[random.next(below: fields.count)] }
    if random.next(below: 20) != 0 { head += "\r\n" }
    var body = Array(bodies[random.next(below: bodies.count)].utf8)
    if random.next(below: 4) == 0 {
      let part = body.isEmpty ? [0] : body
      while body.count < 64 * 1_024 { body += part }
    }
    var bytes = Array(head.utf8) + body
    for _ in 0..<random.next(below: 4) where !bytes.isEmpty {
      let index = random.next(below: bytes.count)
      switch random.next(below: 3) {
      case 0: bytes[index] = UInt8(random.next(below: 256))
      case 1: bytes.removeSubrange(index...)
      default: bytes.insert(contentsOf: bytes[..<min(bytes.count, 64)], at: index)
      }
    }
    return bytes
  }

  /// A generator of the same numbers for the same seed (SplitMix64).
  private struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(below limit: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((value ^ (value >> 31)) % UInt64(limit))
    }
  }
}
