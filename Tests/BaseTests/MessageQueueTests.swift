import Glibc
import SegueSystem
import Testing

/// Tests of the queue between threads.
@Suite struct MessageQueueTests {
  private func isReadable(_ queue: MessageQueue<Int>) -> Bool {
    var entries = [pollfd(fd: queue.raw, events: Int16(POLLIN), revents: 0)]
    return poll(&entries, until: .now) > 0
  }

  @Test func messagesAreTakenInTheOrderOfPosting() throws {
    let queue = try MessageQueue<Int>()
    #expect(!isReadable(queue))
    for message in 0..<3 { queue.post(message) }
    #expect(isReadable(queue))
    #expect(queue.takeAll() == [0, 1, 2])
    #expect(!isReadable(queue))
    #expect(queue.takeAll().isEmpty)
    queue.post(3)
    #expect(isReadable(queue))
    #expect(queue.takeAll() == [3])
  }

  @Test func aWakeMakesTheDescriptorReadableWithoutAMessage() throws {
    let queue = try MessageQueue<Int>()
    queue.wake()
    #expect(isReadable(queue))
    #expect(queue.takeAll().isEmpty)
    #expect(!isReadable(queue))
  }

  @Test func noMessageIsLostWhileSeveralThreadsPost() throws {
    let queue = try MessageQueue<Int>()
    let senders = (0..<4).map { sender in
      let thread = SerialThread<Void>(name: "sender") {}
      thread.post { _ in for number in 0..<1_000 { queue.post(sender * 1_000 + number) } }
      return thread
    }
    var received: [Int] = []
    while received.count < 4_000 {
      var entries = [pollfd(fd: queue.raw, events: Int16(POLLIN), revents: 0)]
      #expect(poll(&entries, until: .now + .seconds(30)) == 1)
      received += queue.takeAll()
    }
    #expect(received.sorted() == Array(0..<4_000))
    for sender in 0..<4 {
      let own = received.filter { $0 / 1_000 == sender }
      #expect(own == own.sorted())
    }
    for sender in senders { sender.close() }
  }
}
