import Glibc
import SegueLink
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of servers that do not answer. The requests wait at the same time, because each takes as long as the process waits
/// for a server.
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
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let requests = try [silent, slow, redirecting].map { server in
      let connection = try FetchConnection(to: fetcher, for: server.url("a"))
      return (connection, try connection.open(server.url("a")))
    }
    for (connection, id) in requests {
      let failure = try connection.wait(for: id, "the failure").failure
      #expect(failure?.kind == .timeout, "\(String(describing: failure))")
      #expect(failure?.message.contains("the server does not answer") == true)
    }
  }
}
