import Glibc
import SegueSystem
import SegueWorkerProtocol
import Testing

@testable import SegueFetch

/// Tests of the channel of a worker.
@Suite struct StreamChannelTests {
  /// Everything else waits meanwhile, so a worker that sends requests without a pause must not be served alone.
  @Test func aFloodOfRequests_isServedInTurns() throws {
    let ends = try LinkSocket.descriptorPair()
    let channel = StreamChannel(
      LinkSocket(Descriptor(owning: ends.nonblocking)), url: "http://127.0.0.1/", namedBy: nil, client: HTTPClient(nil))
    let worker = LinkSocket(Descriptor(owning: ends.blocking))
    let count = 100
    for id in 0..<UInt32(count) { try worker.send(FetchRequest.open(id: id, url: "http://other.invalid/", offset: 0)) }
    var served: [Int] = []
    while served.reduce(0, +) < count, served.count < count {
      channel.handle(Int16(POLLIN))
      var responses = 0
      while hasMessage(worker), try worker.receive() != nil { responses += 1 }
      served.append(responses)
    }
    #expect(served.reduce(0, +) == count)
    #expect(served.count > 1, "\(served)")
    #expect(!channel.isClosed)
  }

  private func hasMessage(_ socket: LinkSocket) -> Bool {
    var state = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}
