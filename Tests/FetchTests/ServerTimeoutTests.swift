import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of servers that do not answer. The requests wait at the same time, because each takes as long as the process
/// waits for a server.
@Suite struct ServerTimeoutTests {
  @Test func serversThatDoNotAnswer_areGivenUp() throws {
    let silent = try WebServer { _, client in
      client.waitForEnd()
      return false
    }
    let slow = try WebServer { _, client in
      guard client.send("HTTP/1.1 200 OK\r\n") else { return false }
      // A field at a time keeps the connection alive.
      while client.send("X-Field: x\r\n"), !client.waitForEnd(within: .milliseconds(100)) {}
      return false
    }
    let redirecting = try WebServer { request, client in
      path(of: request) == "/a" ? client.send("HTTP/1.1 302 Found\r\nLocation: \(silent.url("x"))\r\n\r\n") : false
    }
    // A byte now and then, of a playlist and of audio.
    let dripping = try ["#", "\u{1}"].map { byte in
      try WebServer { _, client in
        guard client.send("HTTP/1.1 200 OK\r\n\r\n\(byte == "#" ? "#EXTM3U\n" : byte)") else { return false }
        let start = String(repeating: byte, count: byte == "#" ? 1024 : 1)
        guard client.send(start) else { return false }
        while client.send(byte), !client.waitForEnd(within: .milliseconds(100)) {}
        return false
      }
    }
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let requests = try ([silent, slow, redirecting] + dripping).map { server in
      let connection = try FetchConnection(to: fetcher, for: server.url("a"))
      return (connection, try connection.open(server.url("a")))
    }
    let silence = "the server does not answer"
    let expected = [silence, silence, silence, "the server sends its playlist too slowly", "or sends too slowly"]
    for ((connection, id), text) in zip(requests, expected) {
      let failure = try connection.wait(for: id, "the failure").failure
      #expect(ExpectedFailure(.timeout, text).matches(failure), "\(String(describing: failure))")
    }
  }

  /// The proxy has answered before over the same connection, so the server behind it is the reason.
  @Test func serverThatDoesNotAnswerBehindAProxy_isNamedAsTheReason() throws {
    let proxy = try WebServer { request, client in
      if request.contains("/first") { return client.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\u{1}") }
      client.waitForEnd()
      return false
    }
    let fetcher = try WorkerProcess(.fetch, ring: false, variables: ["http_proxy": proxy.url("")])
    let connection = try FetchConnection(to: fetcher, for: "http://radio.invalid/first")
    #expect(try connection.response(to: "http://radio.invalid/first").bytes == [1])
    let failure = try connection.response(to: "http://radio.invalid/second").failure
    #expect(proxy.connectionCount == 1)
    #expect(failure?.message == "radio.invalid: the server does not answer", "\(String(describing: failure))")
  }
}
