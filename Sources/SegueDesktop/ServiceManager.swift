internal import CSystemd
internal import Glibc
public import SegueSystem

/// What systemd is told of us, and what it hands us (sd_notify(3), sd_listen_fds(3)). Without systemd nothing happens.
/// Loop thread: no call waits for an answer.
public enum ServiceManager {
  /// A state of the service.
  public enum State: Equatable, Sendable {
    /// It listens; after a reload, the new configuration holds.
    case ready
    /// The configuration is being read again.
    case reloading
    case stopping
    /// A line for `systemctl status`.
    case status(String)
    /// From now on it is to be told within this time, again and again, that we live; nil: it is not told.
    case watched(within: MediaTime?)
    case alive
  }

  public static func tell(_ state: State) {
    // Failure means that nobody listens, which is no failure of ours.
    switch state {
    // It acts on these: they may not be lost.
    case .ready, .reloading, .watched: sd_notify(0, message(of: state))
    case .stopping, .status, .alive: tellIfThereIsRoom(message(of: state))
    }
  }

  /// sd_notify waits while the manager's queue is full. For what it can do without, the music is not held up.
  private static func tellIfThereIsRoom(_ message: String) {
    guard let name = Directories.environment("NOTIFY_SOCKET")?.bytes, let first = name.first else { return }
    var address = sockaddr_un()
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: name)
      // unix(7): an abstract name, which systemd writes with an @, begins with a zero byte.
      if first == UInt8(ascii: "@") { path[0] = 0 }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let raw = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { return }
    let sender = Descriptor(owning: raw)
    let bytes = Array(message.utf8)
    _ = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(sender.raw, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }

  private static func message(of state: State) -> String {
    switch state {
    case .ready: "READY=1"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now.nanoseconds / 1_000)"
    case .stopping: "STOPPING=1"
    case .watched(let patience): "WATCHDOG_USEC=\((patience?.nanoseconds ?? 0) / 1_000)"
    case .alive: "WATCHDOG=1"
    case .status(let line):
      // A line feed would begin another variable.
      "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
    }
  }

  /// The listening socket of our socket unit; nil when we were not started by one. To be called once.
  public static func inheritedSocket() throws(InheritedSocketError) -> Descriptor? {
    let count = sd_listen_fds(1)
    guard count != 0 else { return nil }
    guard count > 0 else { throw InheritedSocketError("the inherited sockets cannot be read", code: -count) }
    guard count == 1 else { throw InheritedSocketError("\(count) sockets were inherited, and one is served") }
    let descriptor = Descriptor(owning: SD_LISTEN_FDS_START)
    guard sd_is_socket_unix(descriptor.raw, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
      throw InheritedSocketError("the inherited descriptor is no listening Unix stream socket")
    }
    // It comes as one that blocks, unless the unit says otherwise (systemd.exec(5), NonBlocking=).
    do throws(SystemError) {
      try UnixSocket.makeNonblocking(descriptor.raw)
    } catch {
      throw InheritedSocketError("the inherited socket cannot be used", code: error.code)
    }
    return descriptor
  }
}

/// Why an inherited socket is not served.
public struct InheritedSocketError: Error, CustomStringConvertible {
  public let description: String

  init(_ message: String) { description = message }
  init(_ message: String, code: Int32) {
    description = "\(message): \(SystemError("sd_listen_fds", code: code).reason)"
  }
}
