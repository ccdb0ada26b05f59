import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Synchronization
import Testing

/// Tests of connections that are lost: files continue with the missing byte, and stations with their current programme.
@Suite struct ReconnectionTests {
  private static let file = numberedBytes(100_000)

  /// Returns the head of a response with the bytes of `file` from `first` on, and with further fields.
  private static func head(from first: Int, size: Int = file.count, fields: String = "") -> String {
    "HTTP/1.1 206 Part\r\n\(fields)Content-Range: bytes \(first)-\(size - 1)/\(size)\r\nContent-Length: \(size - first)\r\n\r\n"
  }

  @Test(arguments: [false, true])
  func aFile_continuesWithTheMissingByte(_ isReset: Bool) throws {
    let server = try WebServer { request, client in
      let first = start(of: request) ?? 0
      if isReset { client.resetAtEnd() }
      _ = client.send(Array(Self.head(from: first).utf8) + Self.file[first..<min(first + 33_333, Self.file.count)])
      return false
    }
    let response = try FetchConnection.response(to: server.url("file"))
    #expect(response.failure == nil)
    #expect(response.bytes == Self.file)
    #expect(response.interruptions > 0 && response.interruptions == response.resumptions)
  }

  /// A server may send less than was requested.
  @Test func aServerThatSendsPartsOnly_isAskedForTheNextOnes() throws {
    let server = try WebServer { request, client in
      let first = start(of: request) ?? 0
      let last = min(first + 39_999, Self.file.count - 1)
      let head =
        "HTTP/1.1 206 Part\r\nContent-Range: bytes \(first)-\(last)/\(Self.file.count)\r\n"
        + "Content-Length: \(last - first + 1)\r\n\r\n"
      return client.send(Array(head.utf8) + Self.file[first...last])
    }
    let response = try FetchConnection.response(to: server.url("file"), at: 10)
    #expect(response.failure == nil)
    #expect(response.bytes == Array(Self.file[10...]))
  }

  @Test func aServerThatIsGoneForAWhile_isFoundAgain() throws {
    var server: WebServer? = try WebServer { request, client in
      _ = client.send(Array(Self.head(from: 0).utf8) + Self.file[..<10_000])
      return false
    }
    let port = server?.port ?? 0
    let url = server?.url("file") ?? ""
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: url)
    let id = try connection.open(url)
    _ = try connection.wait(for: id, "the first bytes") { $0.bytes.count == 10_000 }
    server = nil
    _ = try connection.wait(for: id, "the loss") { $0.interruptions > 1 }
    let next = waitForValue { () -> WebServer? in
      try? WebServer(port: port) { request, client in
        let first = start(of: request) ?? 0
        return client.send(Array(Self.head(from: first).utf8) + Self.file[first...])
      }
    }
    let response = try connection.wait(for: id, "the rest")
    #expect(response.bytes == Self.file)
    #expect(next?.requests.first.flatMap(start) == 10_000)
  }

  /// A seek in a file that plays waits for its server, as the bytes that follow do.
  @Test func aSeekWhileTheServerIsGone_waitsForIt() throws {
    let respond: @Sendable (String, WebServer.Connection) -> Bool = { request, client in
      let first = start(of: request) ?? 0
      return client.send(Array(Self.head(from: first).utf8) + Self.file[first...])
    }
    var server: WebServer? = try WebServer(respond)
    let port = server?.port ?? 0
    let url = server?.url("file") ?? ""
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: url)
    #expect(try connection.response(to: url).bytes == Self.file)
    server = nil
    let id = try connection.open(url, at: 50_000)
    _ = try connection.wait(for: id, "the loss") { $0.interruptions > 0 }
    let next = waitForValue { try? WebServer(port: port, respond) }
    let response = try connection.wait(for: id, "the rest")
    #expect(response.failure == nil)
    #expect(response.bytes == Array(Self.file[50_000...]))
    #expect(response.resumptions == 1)
    withExtendedLifetime(next) {}
  }

  @Test func aFileThatHasChanged_isNotContinued() throws {
    let server = try WebServer { request, client in
      let first = start(of: request) ?? 0
      _ = client.send(
        Array(Self.head(from: first, size: first == 0 ? 100_000 : 90_000).utf8) + Self.file[first..<first + 10])
      return false
    }
    let response = try FetchConnection.response(to: server.url("file"))
    #expect(response.failure == Failure(.badResponse, "the file on the server has changed"))
    #expect(response.bytes == Array(Self.file[..<10]))
  }

  /// The rest of a file that cannot be requested in parts is lost.
  @Test func aFileWithoutRanges_endsWithItsConnection() throws {
    let server = try WebServer { request, client in
      _ = client.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".utf8) + Self.file[..<10_000])
      return false
    }
    let response = try FetchConnection.response(to: server.url("file"))
    #expect(response.failure?.kind == .offline)
    #expect(response.bytes == Array(Self.file[..<10_000]))
    #expect(server.requests.count == 1)
  }

  /// The redirect of a file leads to another address each time, and the last one is valid only.
  @Test func anAddressThatHasExpired_isRequestedAnewHoweverOften() throws {
    let redirects = SharedCounter()
    let server = try WebServer { request, client in
      if path(of: request) == "/file" {
        let next = redirects.increment()
        return client.send("HTTP/1.1 302 Found\r\nLocation: /session/\(next)\r\nContent-Length: 0\r\n\r\n")
      }
      guard path(of: request) == "/session/\(redirects.value)" else {
        return client.send("HTTP/1.1 403 Expired\r\nContent-Length: 0\r\n\r\n")
      }
      let first = start(of: request) ?? 0
      return client.send(Array(Self.head(from: first).utf8) + Self.file[first...])
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("file"))
    let first = try connection.response(to: server.url("file"))
    let url = try #require(first.resource?.url)
    #expect(url == server.url("session/1"))
    for offset in [90_000, 80_000, 70_000] {
      // The address that the last request found has expired.
      redirects.increment()
      let response = try connection.response(to: url, at: Int64(offset))
      #expect(response.failure == nil)
      #expect(response.bytes == Array(Self.file[offset...]))
    }
  }

  /// Waits until the fetch process has requested a station again more than 15 times, whose server disconnects each
  /// time.
  private func waitForManyReconnections(by fetcher: WorkerProcess) throws {
    let station = try WebServer { _, client in
      _ = client.send(Array(Self.stationHead.utf8) + Self.enough)
      return false
    }
    let connection = try FetchConnection(to: fetcher, for: station.url("station"))
    _ = try connection.wait(for: connection.open(station.url("station")), "many connections") { $0.resumptions > 15 }
  }

  /// A file that sends too little each time is requested ever more rarely.
  @Test func aServerThatSendsAByteAtATime_isRequestedRarely() throws {
    let slow = try WebServer { request, client in
      let first = start(of: request) ?? 0
      _ = client.send(Array(Self.head(from: first).utf8) + [Self.file[first]])
      return false
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let first = try FetchConnection(to: fetcher, for: slow.url("file"))
    let id = try first.open(slow.url("file"))
    _ = try first.wait(for: id, "the first loss") { $0.interruptions > 0 }
    try waitForManyReconnections(by: fetcher)
    #expect(slow.requests.count < 12, "\(slow.requests.count)")
    #expect(try first.wait(for: id, "another loss") { $0.interruptions > 2 }.failure == nil)
  }

  /// Some servers describe files by the fields of a station.
  @Test(arguments: ["icy-name: Podcast\r\nicy-br: 128\r\n", "icy-url: http://podcast.example/\r\n"])
  func aFileWithTheFieldsOfAStation_hasAnEnd(_ fields: String) throws {
    let server = try WebServer { request, client in
      let first = start(of: request) ?? 0
      return client.send(Array(Self.head(from: first, fields: fields).utf8) + Self.file[first...])
    }
    let response = try FetchConnection.response(to: server.url("file"))
    #expect(response.resource?.isStation == false && response.resource?.isSeekable == true)
    #expect(response.resource?.size == Int64(Self.file.count))
    #expect(response.bytes == Self.file)
    #expect(response.failure == nil && response.interruptions == 0)
  }

  // MARK: Stations

  private static let stationHead = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: Test\r\n\r\n"
  /// After this many bytes, the connection is established again soon.
  private static let enough = [UInt8](repeating: 0, count: 16 * 1024)

  /// The responses that a station may give while it is restarted.
  @Test(
    arguments: [
      "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 500 Error\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>We will be back soon.</html>", "", "garbage",
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nserver full",
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nicy-name: Test\r\n\r\n{}",
      "HTTP/1.1 302 Found\r\nLocation: /gone\r\nContent-Length: 0\r\n\r\n",
      // A server with the maximum number of listeners.
      "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n",
    ])
  func aStationThatFailsForAWhile_playsOn(_ failure: String) throws {
    let attempts = SharedCounter()
    let server = try WebServer { request, client in
      guard path(of: request) != "/gone" else { return client.send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n") }
      let attempt = attempts.increment()
      let isOff = attempt == 2 || attempt == 3
      _ = client.send(
        Array((isOff ? failure : Self.stationHead + "audio \(attempt) ").utf8) + (isOff ? [] : Self.enough))
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("station"))
    let id = try connection.open(server.url("station"))
    let response = try connection.wait(for: id, "the audio after the failure") {
      String(decoding: $0.bytes, as: UTF8.self).contains("audio 5 ")
    }
    let heard = String(decoding: response.bytes.filter { $0 != 0 }, as: UTF8.self)
    #expect(heard.hasPrefix("audio 1 audio 4 audio 5 "), "\(heard)")
    #expect(response.failure == nil)
    #expect(response.resource?.isStation == true)
  }

  /// Some servers state the size of a file that they do not have, because some players require one.
  @Test func aStationThatStatesASize_hasNoEnd() throws {
    let server = try WebServer { _, client in
      let size = "Content-Range: bytes 0-1073741822/1073741823\r\nContent-Length: 1073741823\r\n"
      _ = client.send(
        Array("HTTP/1.1 206 Part\r\nicy-name: Test\r\nicy-metaint: 16000\r\n\(size)\r\n".utf8) + Self.enough[..<16_000])
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("station"))
    let id = try connection.open(server.url("station"))
    let response = try connection.wait(for: id, "two connections") { $0.resumptions > 0 && $0.bytes.count > 16_000 }
    #expect(response.resource?.isStation == true && response.resource?.size == nil)
    #expect(response.failure == nil)
  }

  /// A station that asks for a minute is not connected before, while another one is connected often.
  @Test func aStationThatAsksForTime_isGivenIt() throws {
    let attempts = SharedCounter()
    let busy = try WebServer { _, client in
      if attempts.increment() == 1 {
        _ = client.send(Array(Self.stationHead.utf8) + Self.enough)
      } else {
        _ = client.send(
          "HTTP/1.1 503 Busy\r\nRetry-After: Thu, 01 Jan 2150 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n")
      }
      return false
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let first = try FetchConnection(to: fetcher, for: busy.url("station"))
    let id = try first.open(busy.url("station"))
    _ = try first.wait(for: id, "the refusal") { $0.interruptions > 1 }
    try waitForManyReconnections(by: fetcher)
    #expect(attempts.value == 2)
    withExtendedLifetime(first) {}
  }

  /// A station whose redirect leads to an address for one listener is asked for a new one.
  @Test func theAddressOfARedirect_isRequestedAnewIfItFails() throws {
    let redirects = SharedCounter()
    let server = try WebServer { request, client in
      if path(of: request) == "/station" {
        return client.send(
          "HTTP/1.1 302 Found\r\nLocation: /session/\(redirects.increment())\r\nContent-Length: 0\r\n\r\n")
      }
      guard path(of: request) == "/session/\(redirects.value)" else {
        return client.send("HTTP/1.1 403 Expired\r\nContent-Length: 0\r\n\r\n")
      }
      let session = redirects.value
      _ = client.send(Array((Self.stationHead + "session \(session) ").utf8) + Self.enough)
      // The session ends with its connection.
      redirects.increment()
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("station"))
    let id = try connection.open(server.url("station"))
    let response = try connection.wait(for: id, "three sessions") { $0.bytes.count > 3 * Self.enough.count }
    #expect(response.failure == nil)
  }

  @Test func aStationThatClosesItsConnections_isHeardWithoutFailure() throws {
    let attempts = SharedCounter()
    let server = try WebServer { _, client in
      _ = client.send(Array(Self.stationHead.utf8) + [UInt8(attempts.increment())] + Self.enough)
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("station"))
    let id = try connection.open(server.url("station"))
    let response = try connection.wait(for: id, "several connections") { $0.bytes.count > 6 * Self.enough.count }
    #expect(response.bytes.filter { $0 != 0 }.starts(with: [1, 2, 3, 4, 5, 6]))
    #expect(response.failure == nil)
  }

  @Test func aStationThatIsClosed_isNotRequestedAgain() throws {
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let closed = try WebServer(sending: Self.stationHead + "audio")
    let connection = try FetchConnection(to: fetcher, for: closed.url("station"))
    let id = try connection.open(closed.url("station"))
    _ = try connection.wait(for: id, "an interruption") { $0.interruptions > 0 }
    try connection.close(id)
    // By the time another station has been connected again several times, the first one would have been too.
    let requests = closed.requests.count
    let other = try WebServer { _, client in
      _ = client.send(Array(Self.stationHead.utf8) + Self.enough)
      return false
    }
    let later = try FetchConnection(to: fetcher, for: other.url("station"))
    _ = try later.wait(for: later.open(other.url("station")), "several connections") { $0.resumptions > 3 }
    #expect(closed.requests.count <= requests + 1)
  }

  /// A worker that does not read its responses for a while still learns the last title, and plays on.
  @Test func aFloodOfTitles_doesNotEndTheStation() throws {
    let attempts = SharedCounter()
    let server = try WebServer { _, client in
      guard attempts.increment() == 1 else {
        guard client.send(Self.stationHead + "audio") else { return false }
        client.waitForEnd()
        return false
      }
      var body = Array("HTTP/1.1 200 OK\r\nicy-name: Test\r\nicy-metaint: 16\r\n\r\n".utf8)
      for number in 0..<600 {
        let title = Array("StreamTitle='\(number)';".utf8)
        body += joined([UInt8](repeating: 1, count: 16), [32], title, [UInt8](repeating: 0, count: 512 - title.count))
      }
      _ = client.send(body)
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("station"))
    let id = try connection.open(server.url("station"))
    try waitUntil("the station is connected again") { attempts.value > 1 }
    let response = try connection.wait(for: id, "both connections") { $0.bytes.count > 16 * 600 && $0.resumptions > 0 }
    #expect(response.failure == nil)
    #expect(response.metadata.count < 600)
    #expect(response.metadata.last == Array("StreamTitle='599';".utf8))
  }

  @Test func repeatedTitles_areSentOnce() throws {
    let server = try WebServer { _, client in
      let title = Array("StreamTitle='One';".utf8) + [UInt8](repeating: 0, count: 14)
      let part = joined("abcd".utf8, [2], title)
      _ = client.send(
        Array("HTTP/1.1 200 OK\r\nicy-name: Test\r\nicy-metaint: 4\r\n\r\n".utf8) + part + part + part)
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("station"))
    let id = try connection.open(server.url("station"))
    let response = try connection.wait(for: id, "two connections") { $0.bytes.count >= 24 }
    #expect(response.metadata == [Array("StreamTitle='One';".utf8)])
  }

  /// A server sends audio as it is made, and does not call itself a station.
  @Test func aLiveStreamWithoutTheFieldsOfAStation_isConnectedAgain() throws {
    let attempts = SharedCounter()
    let server = try WebServer { _, client in
      let attempt = attempts.increment()
      let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nTransfer-Encoding: chunked\r\n\r\n"
      guard client.send(head) else { return false }
      for _ in 0..<110 {
        guard client.send("1\r\n\(attempt)\r\n") else { return false }
        // The stream is live.
        if client.waitForEnd(within: .milliseconds(100)) { return false }
      }
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("live"))
    let id = try connection.open(server.url("live"))
    let response = try connection.wait(for: id, "the second connection") { $0.bytes.last == UInt8(ascii: "2") }
    #expect(response.failure == nil)
    #expect(response.interruptions == 1 && response.resumptions == 1)
    #expect(server.requests.allSatisfy { !$0.contains("Range: bytes=1") }, "\(server.requests)")
  }

  @Test func theMetadataOfAStation_followTheirBytes() throws {
    let server = try WebServer { _, client in
      let title = Array("StreamTitle='One';".utf8) + [UInt8](repeating: 0, count: 14)
      _ = client.send(
        joined(
          "ICY 200 OK\r\nicy-name: Test\r\nicy-metaint: 4\r\n\r\n".utf8, "abcd".utf8, [2], title, "efgh".utf8, [0],
          "ij".utf8))
      return false
    }
    let connection = try FetchConnection(to: WorkerProcess(.fetch, ring: false), for: server.url("station"))
    let id = try connection.open(server.url("station"))
    let response = try connection.wait(for: id, "two connections") { $0.bytes.count >= 20 }
    #expect(Array(response.bytes[..<20]) == Array("abcdefghijabcdefghij".utf8))
    #expect(response.metadata.first == Array("StreamTitle='One';".utf8))
    #expect(response.resource?.stationName == Array("Test".utf8))
  }
}
