// Thread: the test's. A thread of its own, which owns every connection, is started by it; the test reads the counts,
// and ends it.
import Glibc
import SegueSystem
import SegueTestKit
import Synchronization

/// Hostile clients that run at the same time. Each kind repeats one kind of misuse until `end`.
final class HostileClients: Sendable {
  /// The counts of actions so far.
  struct Counts: Sendable {
    /// Connections that were opened and closed.
    var connections = 0
    /// Complete lines of a megabyte, and of one byte more.
    var longLines = 0
    var overlongLines = 0
    var batches = 0
    /// Bytes from clients that never read.
    var flood = 0
  }

  private let isOver = TestEvent()
  private let counts = Mutex(Counts())
  // Proof: set in `init` and used once in `end`.
  nonisolated(unsafe) private var thread: TestThread?

  init(around socket: FilePath) throws {
    let isReady = BlockingPromise<String?>()
    thread = TestThread { [self] in
      let members: Members
      do { members = try Members(socket) } catch { return isReady.fulfill("\(error)") }
      isReady.fulfill(nil)
      // Without a pause, the CPU load would be the problem and not the clients.
      while !isOver.wait(for: .milliseconds(5)) {
        members.act()
        counts.withLock { $0 = members.counts }
      }
    }
    if let failure = isReady.wait() { throw Unexpected("the hostile clients cannot connect: \(failure)") }
  }

  var soFar: Counts { counts.withLock { $0 } }

  /// Disconnects all clients at once.
  func end() {
    isOver.happen()
    thread?.join()
    thread = nil
  }
}

/// The clients by kind.
private final class Members {
  private let socket: FilePath
  private(set) var counts = HostileClients.Counts()
  private let idle: [NonblockingClient]
  private let halfLines: [NonblockingClient]
  private let neverReading: [NonblockingClient]
  private let silentSubscribers: [NonblockingClient]
  private let byteByByte: [NonblockingClient]
  private let long: RepeatingClient
  private let overlong: RepeatingClient
  private let batch: RepeatingClient
  private var ticks = 0

  private static let flood = Array(String(repeating: "{\"id\":1,\"method\":\"rpc.discover\"}\n", count: 200).utf8)
  private static let slowRequest = Array(#"{"id":1,"method":"status"}"#.utf8) + [0x0A]
  private static let longest = 1 << 20
  private static let longLine =
    Array(#"{"id":1,"method":"status"}"#.utf8)
    + [UInt8](repeating: UInt8(ascii: " "), count: longest - 26) + [0x0A]
  private static let overlongLine = [UInt8](repeating: UInt8(ascii: "x"), count: longest + 1)
  private static let batch = Array(("[" + String(repeating: "1,", count: 50_000) + "1]\n").utf8)

  init(_ socket: FilePath) throws {
    self.socket = socket
    func callers(_ count: Int, saying text: String = "") throws -> [NonblockingClient] {
      try (0..<count).map { _ in
        let client = try NonblockingClient(to: socket)
        client.enqueue(Array(text.utf8))
        return client
      }
    }
    idle = try callers(750)
    halfLines = try callers(50, saying: #"{"id":1,"method":"sta"#)
    neverReading = try callers(100)
    silentSubscribers = try callers(20, saying: "{\"id\":1,\"method\":\"subscribe\"}\n")
    byteByByte = try callers(20)
    long = RepeatingClient(socket, Self.longLine)
    overlong = RepeatingClient(socket, Self.overlongLine)
    batch = RepeatingClient(socket, Self.batch)
  }

  /// Performs the actions of five milliseconds.
  func act() {
    ticks += 1
    for client in neverReading {
      if client.unsent.isEmpty { client.enqueue(Self.flood) }
      counts.flood += client.send()
    }
    for client in halfLines + silentSubscribers { _ = client.send() }
    if ticks.isMultiple(of: 200) {
      for client in byteByByte {
        client.enqueue([Self.slowRequest[ticks / 200 % Self.slowRequest.count]])
        _ = client.send()
      }
    }
    for talker in [long, overlong, batch] { talker.act() }
    (counts.longLines, counts.overlongLines, counts.batches) = (long.count, overlong.count, batch.count)
    connectAndDisconnect()
  }

  /// Connects 12,000 times a minute. Every other client disconnects during a response; the rest send nothing.
  private func connectAndDisconnect() {
    guard let client = try? NonblockingClient(to: socket) else { return }
    if ticks.isMultiple(of: 2) {
      client.enqueue(Array(String(repeating: "{\"id\":1,\"method\":\"rpc.discover\"}\n", count: 20).utf8))
      _ = client.send()
    }
    counts.connections += 1
  }
}

/// A client that sends the same line after each response, on a new connection if necessary.
private final class RepeatingClient {
  private let socket: FilePath
  private let line: [UInt8]
  private var client: NonblockingClient?
  private var isAnswered = false
  /// The number of answered lines.
  private(set) var count = 0

  init(_ socket: FilePath, _ line: [UInt8]) {
    self.socket = socket
    self.line = line
  }

  func act() {
    if client == nil {
      client = try? NonblockingClient(to: socket)
      client?.enqueue(line)
    }
    guard let client else { return }
    _ = client.send()
    if client.receive() { isAnswered = true }
    if isAnswered, client.unsent.isEmpty || client.isDisconnected {
      count += 1
      isAnswered = false
      client.enqueue(line)
    }
    if client.isDisconnected { self.client = nil }
  }
}

/// A connection that never blocks.
private final class NonblockingClient {
  private let descriptor: Descriptor
  private(set) var unsent: ArraySlice<UInt8> = []
  private(set) var isDisconnected = false

  init(to socket: FilePath) throws { descriptor = try UnixSocket.connect(to: socket, blocking: false) }

  func enqueue(_ bytes: [UInt8]) { unsent = bytes[...] }

  /// Sends as much as possible and returns the number of bytes.
  func send() -> Int {
    let count = unsent.withUnsafeBytes { Glibc.send(descriptor.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard count > 0 else { return 0 }
    unsent = unsent.dropFirst(count)
    return count
  }

  /// Reads the available bytes and returns whether a line ended.
  func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    let count = recv(descriptor.raw, &buffer, buffer.count, 0)
    isDisconnected = count == 0 || count < 0 && errno != EAGAIN
    return count > 0 && buffer[..<count].contains(0x0A)
  }
}
