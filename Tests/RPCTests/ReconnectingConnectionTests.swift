import Glibc
import SegueRPC
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the connection of programs that never block.
@Suite struct ReconnectingConnectionTests {
  @Test func aResponseWithoutAResultIsAnError() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = try UnixSocket.listen(at: path)
    let link = ReconnectingConnection<Int>(path: path)
    _ = link.handleDeadline()
    let peer = try UnixSocket.accept(from: listener.raw)
    _ = link.send(ToggleRequest(), for: 7)
    let line = Array(#"{"jsonrpc":"2.0","id":1}"#.utf8 + [0x0A])
    #expect(write(peer.raw, line, line.count) == line.count)
    guard case .response(7, .failure(.violation(.noResult)))? = link.handleInput().first else {
      Issue.record("the response is dropped")
      return
    }
  }

  /// Responses to later requests do not make a connection a new one: after some seconds, the next attempt is made at
  /// once.
  @Test func aConnectionThatAnswersIsAcceptedOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = try UnixSocket.listen(at: path)
    let link = ReconnectingConnection<Int>(path: path)
    for attempt in 0..<2 {
      try waitUntil("the link connects") { !link.handleDeadline().isEmpty }
      let peer = try UnixSocket.accept(from: listener.raw)
      for call in 1...3 {
        _ = link.send(ToggleRequest(), for: call)
        let line = Array("{\"jsonrpc\":\"2.0\",\"id\":\(call),\"result\":{}}\n".utf8)
        #expect(write(peer.raw, line, line.count) == line.count)
        guard case .response(call, .success)? = link.handleInput().first else {
          Issue.record("the response is dropped")
          return
        }
      }
      _ = shutdown(peer.raw, Int32(SHUT_RDWR))
      while link.handleInput().isEmpty {}
      #expect(try #require(link.deadline) - .now <= .milliseconds(10 << attempt))
    }
  }

  /// A daemon that hangs does not accept the connections of a full backlog.
  @Test func connectingDoesNotWaitForADaemonThatHangs() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    #expect(withUnixAddress(path.bytes) { bind(listener.raw, $0, $1) } == 0)
    #expect(listen(listener.raw, 0) == 0)
    let first = try UnixSocket.connect(to: path)
    let link = ReconnectingConnection<Int>(path: path)
    // A link would wait for a new socket after eight attempts if no daemon listened.
    for _ in 0..<9 {
      var events: [ReconnectingConnection<Int>.Event] = []
      try waitUntil("the link tries to connect") {
        events = link.handleDeadline()
        return !events.isEmpty
      }
      guard case .disconnected(.unreachable(path, let error)) = events[0] else {
        Issue.record("the connection is made: \(events)")
        return
      }
      #expect(error.code == EAGAIN)
    }
    #expect(link.deadline != nil)
    _ = consume first
  }

  /// A daemon with too many clients sends an error without an id and closes the connection.
  @Test func aDaemonThatRefusesTheConnectionIsAskedAtGrowingIntervals() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = try UnixSocket.listen(at: path)
    let link = ReconnectingConnection<Int>(path: path)
    let line = Array(
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"too many clients","data":{"kind":"too_many_clients"}}}"#
        .utf8 + [0x0A])
    for attempt in 0..<6 {
      var events: [ReconnectingConnection<Int>.Event] = []
      try waitUntil("the link connects") {
        events += link.handleDeadline()
        return !events.isEmpty
      }
      let peer = try UnixSocket.accept(from: listener.raw)
      #expect(line.withUnsafeBytes { write(peer.raw, $0.baseAddress, $0.count) } == line.count)
      _ = shutdown(peer.raw, Int32(SHUT_RDWR))
      // The request fails, or the end of the connection is read.
      events = link.send(SubscribeRequest(), for: attempt)
      while events.isEmpty { events = link.handleInput() }
      guard case .disconnected(.response(let response)) = events[0] else {
        Issue.record("the connection is not lost: \(events)")
        return
      }
      #expect(response.kind == "too_many_clients" && response.message?.text == "too many clients")
      let delay = try #require(link.deadline) - .now
      #expect(delay <= .milliseconds(10 << attempt))
      if attempt == 5 { #expect(delay > .milliseconds(160)) }
    }
  }
}
