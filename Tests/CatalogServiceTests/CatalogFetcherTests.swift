import SegueCatalogProviders
import SegueLoop
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SegueCatalogService

/// Tests of requests while the fetch process ends. The other end of the channel is the test.
@MainActor @Suite(.timeLimit(.minutes(1))) struct CatalogFetcherTests {
  /// The requests that wait for room are sent when a response arrives, before the end of the channel is found.
  @Test func requestsToAProcessThatEnds_areSentToAnother() throws {
    let loop = try EventLoop()
    var requestCount = 0
    // The first process ends after one response, when it has received as many requests as are sent at a time.
    let peer = CatalogPeer(loop) { packet, socket, channel in
      guard case .picture(let id, _, _)? = CatalogFetchRequest(packet) else { return false }
      requestCount += 1
      guard channel > 1 || requestCount == 8 else { return true }
      try? socket.send(CatalogFetchResponse.picture(id: id, size: 0))
      return channel > 1
    }
    let fetcher = try CatalogFetcher(loop: loop, connection: peer.connection)
    var results: [Result<UInt32, Failure>] = []
    for _ in 0..<20 {
      requestPicture(from: fetcher) { result in
        results.append(result)
        if results.count == 20 { loop.exit(0) }
      }
    }
    _ = try loop.run()
    #expect(try Set(results.map { try $0.get() }) == Set(1...20))
    #expect(peer.channelCount == 2)
  }

  /// The process crashes before it has read all requests, and the user searches before the end of the channel is found.
  /// The first write to a socket whose other end was closed with unread packets fails with "Connection reset by peer".
  @Test func aRequestAfterACrash_isSentToAnotherProcess() throws {
    let loop = try EventLoop()
    var results: [Result<UInt32, Failure>] = []
    var fetcher: CatalogFetcher?
    let handle: @MainActor (Result<UInt32, Failure>) -> Void = { result in
      results.append(result)
      if results.count == 4 { loop.exit(0) }
    }
    let mailbox = loop.mailbox
    let peer = CatalogPeer(loop) { packet, socket, channel in
      guard case .picture(let id, _, _)? = CatalogFetchRequest(packet) else { return false }
      if channel > 1 {
        try? socket.send(CatalogFetchResponse.picture(id: id, size: 0))
      } else {
        mailbox.post { if let fetcher { requestPicture(from: fetcher, then: handle) } }
      }
      return channel > 1
    }
    let created = try CatalogFetcher(loop: loop, connection: peer.connection)
    fetcher = created
    for _ in 0..<3 { requestPicture(from: created, then: handle) }
    _ = try loop.run()
    #expect(try Set(results.map { try $0.get() }) == Set(1...4))
    #expect(peer.channelCount == 2)
  }

  /// Requests a picture, and calls `then` with the number of the response.
  private func requestPicture(
    from fetcher: CatalogFetcher, then: @escaping @MainActor (Result<UInt32, Failure>) -> Void
  ) {
    let url = "http://192.0.2.1/a"
    let make = { (id: UInt32) in CatalogFetchRequest.picture(id: id, url: url, namedBy: .public) }
    _ = fetcher.send(.pictures, url, size: 1, make) { result in then(result.map(\.response.id)) }
  }
}
