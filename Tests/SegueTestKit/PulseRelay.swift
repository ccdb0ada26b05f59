// Thread: the test's, which creates, controls and ends the relay; a thread of its own passes the bytes on. Shared state
// is constant or guarded by a lock.
internal import Glibc
internal import SegueSystem
internal import Synchronization

/// A socket between one client and a PulseAudio server. It can hold back what the client sends, beginning with a
/// certain command.
///
/// A packet of the native protocol (PulseAudio 16.1) consists of five words, of which the first is the length of the
/// payload and the second the channel, and of the payload. The payload of a command begins with an `L` and the number
/// of the command. All numbers are big-endian.
public final class PulseRelay: Sendable {
  /// A command of the native protocol.
  public enum Command: UInt32, Sendable {
    case getSinkInfo = 21
    case getSinkInputInfo = 29
    case corkPlaybackStream = 41
  }

  private enum State {
    case open
    /// The next such command, and everything after it, is to be held back.
    case waiting(for: Command)
    case holding
    case ended
  }

  /// `PULSE_SERVER` for the client.
  public let address: String
  private let shared = Shared()
  private let thread: Mutex<TestThread?>

  /// Returns when the relay accepts a connection.
  public init(to server: PulseServer) throws {
    let path = server.directory + "/relay"
    let listener = try checked("socket") {
      socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    try checked("bind", path) { withUnixAddress(path.utf8) { bind(listener, $0, $1) } }
    try checked("listen", path) { listen(listener, 1) }
    address = "unix:\(path)"
    let target = FilePath(server.socket)
    thread = Mutex(
      TestThread { [shared] in
        defer { close(listener) }
        while Self.readable(of: [listener]) == nil { if shared.isEnded { return } }
        guard let server = try? UnixSocket.connect(to: target) else { return }
        let client = accept(listener, nil, nil)
        defer { close(client) }
        Self.relay(client, server.raw, shared)
      })
  }

  deinit {
    shared.state.withLock { $0 = .ended }
    thread.withLock { $0?.join() }
  }

  /// Holds back the next `command`, and everything that the client sends after it, until `release`. What is held back
  /// already is released, and commands in it are not held back again.
  public func hold(_ command: Command) { shared.state.withLock { $0 = .waiting(for: command) } }

  public func release() { shared.state.withLock { $0 = .open } }

  /// Whether a command is held back.
  public var isHolding: Bool { shared.isHolding }

  /// The state that both threads use.
  private final class Shared: Sendable {
    let state = Mutex(State.open)

    var isHolding: Bool { state.withLock { if case .holding = $0 { true } else { false } } }
    var isEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

    /// Begins to hold if one of these commands is to be held back, and returns where its packet starts then.
    func handle(_ commands: [(number: UInt32, start: Int)]) -> Int? {
      state.withLock { state in
        guard case .waiting(let awaited) = state,
          let found = commands.first(where: { $0.number == awaited.rawValue })
        else { return nil }
        state = .holding
        return found.start
      }
    }
  }

  private static func relay(_ client: Int32, _ server: Int32, _ shared: Shared) {
    var packets = PacketReader()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    /// The bytes of the client that were not passed on yet.
    var held: [UInt8] = []
    while !shared.isEnded {
      let isHolding = shared.isHolding
      if !isHolding, !held.isEmpty {
        guard write(held, to: server, shared) else { return }
        held = []
      }
      guard let source = readable(of: isHolding ? [server] : [client, server]) else { continue }
      let count = read(source, &buffer, buffer.count)
      guard count > 0 else { return }
      if source == client {
        let start = shared.handle(packets.commands(in: buffer[..<count]))
        held += buffer[..<count]
        // What precedes the command is passed on: nothing else is held back at this time.
        if let start {
          guard write(Array(held[..<start]), to: server, shared) else { return }
          held.removeFirst(start)
        }
      } else {
        guard write(Array(buffer[..<count]), to: client, shared) else { return }
      }
    }
  }

  /// Returns the first of the sockets that is readable; nil if none is within 20 ms.
  private static func readable(of sockets: [Int32]) -> Int32? {
    var wanted = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&wanted, nfds_t(wanted.count), 20) > 0 ? wanted.first { $0.revents != 0 }?.fd : nil
  }

  /// Returns false if the connection is broken, or the relay is to end.
  private static func write(_ bytes: [UInt8], to socket: Int32, _ shared: Shared) -> Bool {
    var sent = 0
    while sent < bytes.count, !shared.isEnded {
      var wanted = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      guard poll(&wanted, 1, 20) > 0 else { continue }
      let count = bytes[sent...].withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return sent == bytes.count
  }
}

/// A reader of the packets that a client sends.
private struct PacketReader {
  private static let headLength = 20
  /// The channel of packets with a command; other packets contain PCM.
  private static let noChannel = UInt32.max

  private var bytes: [UInt8] = []

  /// Returns the numbers of the commands whose packets end in the next bytes of the stream, and where these packets
  /// start in these bytes; 0 if they start before.
  mutating func commands(in next: ArraySlice<UInt8>) -> [(number: UInt32, start: Int)] {
    let known = bytes.count
    bytes += next
    var commands: [(number: UInt32, start: Int)] = []
    var start = 0
    while bytes.count - start >= Self.headLength {
      let length = Int(number(at: start))
      guard bytes.count - start >= Self.headLength + length else { break }
      if number(at: start + 4) == Self.noChannel, length >= 5 {
        commands.append((number(at: start + Self.headLength + 1), max(0, start - known)))
      }
      start += Self.headLength + length
    }
    bytes.removeFirst(start)
    return commands
  }

  private func number(at index: Int) -> UInt32 {
    bytes[index..<(index + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
