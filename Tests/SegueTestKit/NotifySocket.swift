internal import Glibc
public import SegueSystem

/// The socket of a service manager, to which a daemon sends its state (sd_notify(3)).
public final class NotifySocket {
  private let descriptor: Descriptor

  public init(at path: FilePath) throws(SystemError) {
    let raw = try checked("socket") {
      socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }
    descriptor = Descriptor(owning: raw)
    try checked("bind", path.description) { withUnixAddress(path.bytes) { bind(raw, $0, $1) } }
  }

  /// Returns the next message; nil if none arrives within `milliseconds`.
  public func next(waiting milliseconds: Int32) throws(SystemError) -> String? {
    var wanted = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    guard try checked("poll", "", { poll(&wanted, 1, milliseconds) }) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = try checked("recv") { recv(descriptor.raw, &buffer, buffer.count, 0) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
