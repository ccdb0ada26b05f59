// The test's thread makes it and ends it; its own thread takes the connections and answers them. What they share is
// constant, or under the lock.
internal import CSegue
internal import Glibc
internal import Synchronization

/// A sound server of which nothing works but dying: it offers every client to exchange messages through shared memory, and
/// is gone before the client can say yes. As often as it is asked, each time on a new socket, as one that a session
/// starts again.
///
/// Speaks what libpulse speaks (protocol 35 of PulseAudio 16.1): a frame is five words, of which the first is the length
/// and the last the flags, and a payload; a command is a number and a tag, each behind an `L`. All are big-endian.
public final class DyingServer: Sendable {
  private let path: String
  private let state = Mutex((deaths: 0, isOver: false))
  private let thread = Mutex<TestThread?>(nil)

  public init(at path: String) {
    self.path = path
    thread.withLock { $0 = TestThread { [unowned self] in run() } }
  }

  public var deaths: Int { state.withLock { $0.deaths } }

  /// Ends it, and waits for that. Once; it must have been told before it goes.
  public func end() {
    state.withLock { $0.isOver = true }
    thread.withLock { $0?.join() }
  }

  private func run() {
    while !state.withLock({ $0.isOver }) {
      unlink(path)
      let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { close(listener) }
      guard withUnixAddress(path.utf8, { bind(listener, $0, $1) }) == 0, listen(listener, 1) == 0 else { return }
      var wanted = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, 100) == 1 else { continue }
      let client = accept(listener, nil, nil)
      guard client >= 0 else { continue }
      if offer(client) { state.withLock { $0.deaths += 1 } }
      close(client)
    }
    unlink(path)
  }

  private enum Command {
    static let reply: UInt32 = 2
    static let setClientName: UInt32 = 9
    static let enableRing: UInt32 = 101
    static let registerMemory: UInt32 = 103
  }

  /// Memory in a memory file that the other side may write to.
  private static let isShared: UInt32 = 0xA080_0000
  private static let noTag = UInt32.max
  private static let noChannel = UInt32.max
  private static let block: UInt32 = 65_536

  /// Takes the client in, and sends it what a ring consists of. False if it goes before.
  private func offer(_ client: Int32) -> Bool {
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
    let place = [1, 77, 0, Self.block].flatMap { self.bytes($0) }
    return send(command(Command.registerMemory, tag: Self.noTag) + word(77), [memory], to: client)
      && send(command(Command.enableRing, tag: 5), counters, to: client)
      && send(place, channel: 0, flags: Self.isShared, to: client)
  }

  private func packet(_ client: Int32) -> (command: UInt32, tag: UInt32)? {
    guard let head = read(20, from: client), case let length = Int(number(head, at: 0)), (10...65_536).contains(length),
      let payload = read(length, from: client)
    else { return nil }
    return (number(payload, at: 1), number(payload, at: 6))
  }

  private func read(_ count: Int, from client: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(client, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }

  private func send(
    _ payload: [UInt8], _ descriptors: [Int32] = [], channel: UInt32 = noChannel, flags: UInt32 = 0, to client: Int32
  ) -> Bool {
    let frame = [UInt32(payload.count), channel, 0, 0, flags].flatMap { self.bytes($0) } + payload
    return segue_send_fds(client, frame, frame.count, descriptors, Int32(descriptors.count)) == frame.count
  }

  private func command(_ number: UInt32, tag: UInt32) -> [UInt8] { word(number) + word(tag) }
  private func word(_ value: UInt32) -> [UInt8] { [UInt8(ascii: "L")] + bytes(value) }
  private func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { $0.map(\.self) } }

  private func number(_ bytes: [UInt8], at index: Int) -> UInt32 {
    bytes[index..<(index + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
