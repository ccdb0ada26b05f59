import SegueCatalog
import SegueLink
import SegueLoop
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueOnline

/// Tests of requests while the fetch process ends. The other end of the channel is the test.
@MainActor @Suite(.timeLimit(.minutes(1))) struct CatalogFetcherTests {
  /// The processes that serve one channel after another. The first one ends after one response, when it has received as many
  /// requests as are sent at a time.
  @MainActor private final class FetchProcesses {
    private let loop: EventLoop
    private var source: IOSource?
    private(set) var count = 0
    private var requestCount = 0

    init(_ loop: EventLoop) { self.loop = loop }

    /// Returns the daemon's end of a new channel.
    func open() throws -> Descriptor {
      let ends = try LinkSocket.descriptorPair()
      let daemon = Descriptor(owning: ends.nonblocking)
      let socket = LinkSocket(Descriptor(owning: ends.blocking))
      count += 1
      source = try IOSource(on: loop, descriptor: socket.raw, of: socket, for: .readable) { [weak self] _ in
        self?.respond(over: socket)
      }
      return daemon
    }

    private func respond(over socket: LinkSocket) {
      guard let packet = try? socket.receive(), case .picture(let id, _, _)? = CatalogFetchRequest(packet) else {
        source = nil
        return
      }
      requestCount += 1
      guard count > 1 || requestCount == 8 else { return }
      try? socket.send(CatalogFetchResponse.picture(id: id, size: 0))
      if count == 1 { source = nil }
    }
  }

  /// The requests that wait for room are sent when a response arrives, before the end of the channel is found.
  @Test func requestsToAProcessThatEnds_areSentToAnother() throws {
    let loop = try EventLoop()
    let processes = FetchProcesses(loop)
    let connection = CatalogConnection(
      open: { () throws(Failure) in
        do { return try processes.open() } catch { throw Failure(.unavailable, "\(error)") }
      }, checkAuthorities: { _ in }, kill: { _ in Issue.record("the process was killed") }, abandon: {})
    let fetcher = try CatalogFetcher(loop: loop, connection: connection)
    var results: [Result<UInt32, Failure>] = []
    for _ in 0..<20 {
      let make = { (id: UInt32) in CatalogFetchRequest.picture(id: id, url: "http://192.0.2.1/a", namedBy: .public) }
      _ = fetcher.send(.pictures, "http://192.0.2.1/a", size: 1, make) { result in
        results.append(result.map(\.response.id))
        if results.count == 20 { loop.exit(0) }
      }
    }
    _ = try loop.run()
    #expect(try Set(results.map { try $0.get() }) == Set(1...20))
    #expect(processes.count == 2)
  }
}
