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
    guard case .response(7, .failure(.violation(.noResult)))? = link.handleDescriptor().first else {
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
        guard case .response(call, .success)? = link.handleDescriptor().first else {
          Issue.record("the response is dropped")
          return
        }
      }
      _ = shutdown(peer.raw, Int32(SHUT_RDWR))
      while link.handleDescriptor().isEmpty {}
      #expect(try #require(link.interest.deadline) - .now <= .milliseconds(10 << attempt))
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
    #expect(link.interest.deadline != nil)
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
      while events.isEmpty { events = link.handleDescriptor() }
      guard case .disconnected(.response(let response))? = events.last else {
        Issue.record("the connection is not lost: \(events)")
        return
      }
      #expect(response.kind == "too_many_clients" && response.message?.text == "too many clients")
      let delay = try #require(link.interest.deadline) - .now
      #expect(delay <= .milliseconds(10 << attempt))
      if attempt == 5 { #expect(delay > .milliseconds(160)) }
    }
  }

  // MARK: Calls without a connection

  /// A link that is connected to the test, which plays the daemon.
  private final class Line {
    let link: ReconnectingConnection<Int>
    let peer: Descriptor
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      let path = folder.path.appending("socket")
      let listener = try UnixSocket.listen(at: path)
      link = ReconnectingConnection(path: path)
      _ = link.handleDeadline()
      peer = try UnixSocket.accept(from: listener.raw)
    }
  }

  @Test func pendingCallsFailWhenTheConnectionIsLost() throws {
    let line = try Line()
    for call in 1...3 { #expect(line.link.send(ToggleRequest(), for: call).isEmpty) }
    send("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n", to: line.peer)
    _ = shutdown(line.peer.raw, Int32(SHUT_RDWR))
    #expect(names(events(of: line.link)) == ["response 2", "closed 1", "closed 3", "disconnected"])
  }

  @Test func aCallWithoutAConnectionFailsAtOnce() throws {
    let folder = try TemporaryFolder()
    let link = ReconnectingConnection<Int>(path: folder.path.appending("socket"))
    #expect(names(link.send(ToggleRequest(), for: 1)) == ["closed 1"])
    _ = link.handleDeadline()
    #expect(names(link.send(ToggleRequest(), for: 2)) == ["closed 2"])
  }

  /// A request that cannot be sent any more takes nothing away from what the daemon has sent before its end.
  @Test func eventsThatArriveBeforeTheEndAreDeliveredAfterAFailedCall() throws {
    let line = try Line()
    #expect(line.link.send(ToggleRequest(), for: 1).isEmpty)
    for version in 1...3 {
      send(
        "{\"method\":\"event\",\"params\":{\"topic\":\"ratings\",\"data\":{\"version\":\(version)}}}\n", to: line.peer)
    }
    send("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", to: line.peer)
    _ = shutdown(line.peer.raw, Int32(SHUT_RDWR))
    let sent = names(line.link.send(ToggleRequest(), for: 2))
    #expect(
      sent + names(events(of: line.link)) == [
        "ratings 1", "ratings 2", "ratings 3", "response 1", "closed 2", "disconnected",
      ])
  }

  /// A daemon that only stops reading never answers, so its connection is of no use.
  @Test func aDaemonThatReadsNoMoreRequestsLosesTheConnection() throws {
    let line = try Line()
    _ = shutdown(line.peer.raw, Int32(SHUT_RD))
    let sent = names(line.link.send(ToggleRequest(), for: 1))
    #expect(sent + names(events(of: line.link)) == ["closed 1", "disconnected"])
  }

  // MARK: Large requests

  /// The daemon reads a request of 1 MiB in many parts, which do not fit the buffer of the socket at once.
  @Test func aRequestThatIsLargerThanTheSocketBufferIsSentCompletely() throws {
    let line = try Line()
    let uris = [String](repeating: String(repeating: "a", count: 990), count: 1_000)
    let sent = line.link.send(QueueAddRequest(uris: uris), for: 1)
    #expect(sent.isEmpty)
    #expect(line.link.send(ToggleRequest(), for: 2).isEmpty)
    #expect(line.link.interest.events == Int16(POLLIN | POLLOUT))
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    try waitUntil("the daemon has received both requests") {
      let count = read(line.peer.raw, &buffer, buffer.count)
      if count > 0 { received += buffer[..<count] }
      #expect(line.link.handleDescriptor().isEmpty)
      return received.count { $0 == 0x0A } == 2
    }
    #expect(line.link.interest.events == Int16(POLLIN))
    let lines = received.split(separator: 0x0A).map { try? JSON(parsing: Array($0)) }
    #expect(lines.map { $0?["id"]?.int } == [1, 2])
    #expect(lines[0]?["params"]?["uris"]?.elements?.count == 1_000)
  }

  /// The calls that do not fit fail, and the others are answered as soon as the daemon reads again.
  @Test func aCallFailsIfTheDaemonHasLeftTooManyUnread() throws {
    let line = try Line()
    let request = QueueAddRequest(uris: [String](repeating: String(repeating: "a", count: 1_000), count: 1_000))
    var sent = 0
    while line.link.send(request, for: sent).isEmpty { sent += 1 }
    #expect(sent > 10)
    #expect(names(line.link.send(ToggleRequest(), for: 100)) == ["unread 100"])
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var lines = 0
    try waitUntil("the daemon has received the requests") {
      let count = read(line.peer.raw, &buffer, buffer.count)
      if count > 0 { lines += buffer[..<count].count { $0 == 0x0A } }
      #expect(line.link.handleDescriptor().isEmpty)
      return lines == sent
    }
    send("{\"jsonrpc\":\"2.0\",\"id\":\(sent),\"result\":{}}\n", to: line.peer)
    #expect(names(line.link.handleDescriptor()) == ["response \(sent - 1)"])
  }

  // MARK: What the program waits for

  /// The descriptors of two connections may have the same number, so an event loop compares what owns them.
  @Test func eachConnectionIsAnotherInterest() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("socket")
    let listener = try UnixSocket.listen(at: path)
    let link = ReconnectingConnection<Int>(path: path)
    var owners: [AnyObject] = [try #require(link.interest.owner)]
    #expect(link.interest.deadline != nil)
    for _ in 0..<2 {
      try waitUntil("the link connects") { !link.handleDeadline().isEmpty }
      #expect(link.interest.deadline == nil)
      let peer = try UnixSocket.accept(from: listener.raw)
      owners.append(try #require(link.interest.owner))
      _ = shutdown(peer.raw, Int32(SHUT_RDWR))
      #expect(names(events(of: link)) == ["disconnected"])
      #expect(link.interest.owner === owners[0])
    }
    #expect(Set(owners.map(ObjectIdentifier.init)).count == 3)
  }

  private func send(_ text: String, to peer: borrowing Descriptor) {
    let bytes = Array(text.utf8)
    #expect(write(peer.raw, bytes, bytes.count) == bytes.count)
  }

  /// Returns the events of the link until it has lost the connection.
  private func events(of link: ReconnectingConnection<Int>) -> [ReconnectingConnection<Int>.Event] {
    var events: [ReconnectingConnection<Int>.Event] = []
    for _ in 0..<10 {
      events += link.handleDescriptor()
      if case .disconnected? = events.last { break }
    }
    return events
  }

  /// Returns the events as words that are compared in one step.
  private func names(_ events: [ReconnectingConnection<Int>.Event]) -> [String] {
    events.map { event in
      switch event {
      case .connected: "connected"
      case .disconnected: "disconnected"
      case .response(let call, .success): "response \(call)"
      case .response(let call, .failure(.closed)): "closed \(call)"
      case .response(let call, .failure(.unread)): "unread \(call)"
      case .response(let call, .failure): "failed \(call)"
      case .changed(let event): "\(event["topic"]?.string ?? "") \(event["data"]?["version"]?.int ?? 0)"
      case .changeNotSaved: "not saved"
      }
    }
  }
}
