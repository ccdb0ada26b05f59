internal import CSystemd
internal import Glibc
public import SegueSystem

/// The service manager, systemd, which is notified of the daemon's state and may pass a socket to it (sd_notify(3),
/// sd_listen_fds(3)). Without systemd, notifications have no effect. Only the loop thread uses it. A call waits only if
/// the notification must not be lost.
public enum ServiceManager {
  /// A state of the service.
  public enum State: Equatable, Sendable {
    /// The daemon listens; after a reload, the new configuration is in effect.
    case ready
    /// The configuration is being read again.
    case reloading
    case stopping
    /// The line that `systemctl status` shows.
    case status(String)
    /// The interval within which the daemon must send each `watchdogPing`; nil if it need not send any.
    case watchdogTimeout(MediaTime?)
    case watchdogPing
  }

  public static func notify(_ state: State) {
    // Notification fails if no service manager listens. That is not an error.
    switch state {
    // The service manager acts on these states, so they must not be lost.
    case .ready, .reloading, .watchdogTimeout: sd_notify(0, message(of: state))
    case .stopping, .status, .watchdogPing: sendWithoutBlocking(message(of: state))
    }
  }

  /// The timeout of the watchdog that the unit sets (sd_watchdog_enabled(3)); nil if it sets none.
  public static var watchdogTimeout: MediaTime? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return MediaTime(nanoseconds: Int64(clamping: microseconds) * 1_000)
  }

  /// Sends a message that may be lost. sd_notify blocks while the queue of the service manager is full, which would
  /// delay the music.
  private static func sendWithoutBlocking(_ message: String) {
    guard let name = Directories.environment("NOTIFY_SOCKET")?.bytes, let first = name.first else { return }
    var address = sockaddr_un()
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: name)
      // An abstract name, which systemd writes with an @, begins with a zero byte (unix(7)).
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
    case .watchdogTimeout(let timeout): "WATCHDOG_USEC=\(timeout?.microseconds ?? 0)"
    case .watchdogPing: "WATCHDOG=1"
    case .status(let line):
      // A line feed would begin another variable.
      "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
    }
  }

  /// Takes over the listening socket of the socket unit; nil if no socket unit started this process. Called once.
  public static func inheritedSocket() throws(InheritedSocketError) -> Descriptor? {
    let count = sd_listen_fds(1)
    guard count != 0 else { return nil }
    guard count > 0 else { throw InheritedSocketError("cannot read the inherited sockets", code: -count) }
    guard count == 1 else { throw InheritedSocketError("inherited \(count) sockets, expected one") }
    let descriptor = Descriptor(owning: SD_LISTEN_FDS_START)
    guard sd_is_socket_unix(descriptor.raw, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
      throw InheritedSocketError("the inherited descriptor is not a listening Unix stream socket")
    }
    try makeNonblocking(descriptor.raw)
    return descriptor
  }

  /// Takes over the listening TCP sockets of the socket unit; empty if no socket unit started this process. Called
  /// once.
  public static func inheritedNetworkSockets() throws(InheritedSocketError) -> [Int32] {
    let count = sd_listen_fds(1)
    guard count >= 0 else { throw InheritedSocketError("cannot read the inherited sockets", code: -count) }
    let sockets = (0..<count).map { SD_LISTEN_FDS_START + $0 }
    for socket in sockets {
      guard sd_is_socket_inet(socket, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1, 0) > 0 else {
        throw InheritedSocketError("an inherited descriptor is not a listening TCP socket")
      }
      try makeNonblocking(socket)
    }
    return sockets
  }

  /// A socket blocks unless the unit says otherwise (systemd.exec(5), NonBlocking=).
  private static func makeNonblocking(_ socket: Int32) throws(InheritedSocketError) {
    do throws(SystemError) {
      try UnixSocket.makeNonblocking(socket)
    } catch {
      throw InheritedSocketError("cannot use the inherited socket", code: error.code)
    }
  }
}

/// The reason why an inherited socket is not served.
public struct InheritedSocketError: Error, CustomStringConvertible {
  public let description: String

  init(_ message: String) { description = message }
  init(_ message: String, code: Int32) {
    description = "\(message): \(SystemError("sd_listen_fds", code: code).reason)"
  }
}
