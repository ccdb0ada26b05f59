// Thread: the test's, which creates and ends the server; a thread of its own accepts the connections. Shared state is
// constant or guarded by a lock.
internal import CSegue
internal import Glibc
internal import SegueSystem
internal import Synchronization

/// A PulseAudio server that crashes in every handshake: it offers each client shared memory for messages and closes the
/// connection before the client can accept. Each connection gets a new socket, as if a session restarted the server.
///
/// It uses the native protocol, version 35 (PulseAudio 16.1). A frame consists of five words, of which the first is the
/// length and the last the flags, and of a payload. A command is a number and a tag, each after an `L`. All numbers are
/// big-endian.
public final class CrashingPulseServer: Sendable {
  private let shared = Shared()
  private let thread: Mutex<TestThread?>

  /// Returns when the server accepts connections.
  public init(at path: String) throws {
    let shared = shared
    let first = try Self.listen(at: path)
    thread = Mutex(
      TestThread {
        var listener = first
        while let client = Self.accept(from: listener, shared) {
          close(listener)
          if Self.offer(client) { shared.state.withLock { $0.crashes += 1 } }
          close(client)
          guard let next = try? Self.listen(at: path) else { return }
          listener = next
        }
        close(listener)
        unlink(path)
      })
  }

  deinit { end() }

  public var crashes: Int { shared.state.withLock { $0.crashes } }

  /// Ends the server and waits for its thread.
  public func end() {
    shared.state.withLock { $0.isEnded = true }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  /// The state that both threads use.
  private final class Shared: Sendable {
    let state = Mutex((crashes: 0, isEnded: false))
  }

  private static func listen(at path: String) throws(SystemError) -> Int32 {
    unlink(path)
    let listener = try checked("socket") {
      socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    do {
      try checked("bind", path) { withUnixAddress(path.utf8) { bind(listener, $0, $1) } }
      try checked("listen", path) { Glibc.listen(listener, 1) }
    } catch {
      close(listener)
      throw error
    }
    return listener
  }

  /// Returns the next connection; nil when the server is to end.
  private static func accept(from listener: Int32, _ shared: Shared) -> Int32? {
    while !shared.state.withLock({ $0.isEnded }) {
      var wanted = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, 100) == 1 else { continue }
      let client = Glibc.accept(listener, nil, nil)
      if client >= 0 { return client }
    }
    return nil
  }

  private enum Command {
    static let reply: UInt32 = 2
    static let setClientName: UInt32 = 9
    static let enableRing: UInt32 = 101
    static let registerMemory: UInt32 = 103
  }

  /// The flag of a block in a memory file that the other side may write to.
  private static let isShared: UInt32 = 0xA080_0000
  private static let noTag = UInt32.max
  private static let noChannel = UInt32.max
  private static let block: UInt32 = 65_536

  /// Performs the handshake and offers a ring buffer. Returns false if the client disconnects before.
  private static func offer(_ client: Int32) -> Bool {
    // A client that hangs must not block the test.
    segue_set_socket_timeout(client, 10)
    guard let hello = packet(client) else { return false }
    // Version 35; the two highest bits offer shared memory, in memory files.
    guard send(command(Command.reply, tag: hello.tag) + word(0xC000_0023), to: client) else { return false }
    while true {
      guard let next = packet(client) else { return false }
      if next.command == Command.setClientName { break }
    }
    let memory = segue_memfd("ring", Int(Self.block))
    let counters = [segue_eventfd(), segue_eventfd()]
    defer { for descriptor in counters + [memory] { close(descriptor) } }
    let place = [1, 77, 0, Self.block].flatMap { bytes($0) }
    return send(command(Command.registerMemory, tag: Self.noTag) + word(77), [memory], to: client)
      && send(command(Command.enableRing, tag: 5), counters, to: client)
      && send(place, channel: 0, flags: Self.isShared, to: client)
  }

  private static func packet(_ client: Int32) -> (command: UInt32, tag: UInt32)? {
    guard let head = read(20, from: client), case let length = Int(number(head, at: 0)), (10...65_536).contains(length),
      let payload = read(length, from: client)
    else { return nil }
    return (number(payload, at: 1), number(payload, at: 6))
  }

  private static func read(_ count: Int, from client: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(client, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }

  private static func send(
    _ payload: [UInt8], _ descriptors: [Int32] = [], channel: UInt32 = noChannel, flags: UInt32 = 0, to client: Int32
  ) -> Bool {
    let frame = [UInt32(payload.count), channel, 0, 0, flags].flatMap { bytes($0) } + payload
    return segue_send_fds(client, frame, frame.count, descriptors, Int32(descriptors.count)) == frame.count
  }

  private static func command(_ number: UInt32, tag: UInt32) -> [UInt8] { word(number) + word(tag) }
  private static func word(_ value: UInt32) -> [UInt8] { [UInt8(ascii: "L")] + bytes(value) }
  private static func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { $0.map(\.self) } }

  private static func number(_ bytes: [UInt8], at index: Int) -> UInt32 {
    bytes[index..<(index + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
