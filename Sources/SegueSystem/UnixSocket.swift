internal import CSegue
internal import Glibc

/// Stream sockets of AF_UNIX. The descriptors made here are close-on-exec.
public enum UnixSocket {
  /// What fits into `sun_path` beside its NUL (unix(7)).
  public static let longestPath = 107

  /// A socket connected to `path`. Unless it `waits`, neither this nor what is done with it blocks, and a listener whose
  /// queue is full is `EAGAIN`.
  public static func connect(to path: FilePath, waits: Bool = true) throws(SystemError) -> Descriptor {
    let descriptor = try make(flags: waits ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    let socket = descriptor.raw
    try withAddress(of: path, "connect") { Glibc.connect(socket, $0, $1) }
    return descriptor
  }

  /// A listening socket at `path`, which must not exist. It does not block, and only its owner may connect.
  /// While it is made the process' umask is changed: call it before there are threads.
  public static func listen(at path: FilePath) throws(SystemError) -> Descriptor {
    let descriptor = try make(flags: Int32(SOCK_NONBLOCK.rawValue))
    let socket = descriptor.raw
    let mask = umask(0o177)
    defer { umask(mask) }
    try withAddress(of: path, "bind") { Glibc.bind(socket, $0, $1) }
    try checked("listen", path.description) { Glibc.listen(socket, SOMAXCONN) }
    return descriptor
  }

  /// A listener that somebody else has made: from now on `accept` does not wait at it.
  public static func makeNonblocking(_ listener: Int32) throws(SystemError) {
    try checked("fcntl") { segue_set_nonblocking(listener) }
  }

  /// The next connection, which does not block; `EAGAIN` when none waits.
  public static func accept(from listener: Int32) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("accept4") { segue_accept(listener) })
  }

  /// The process at the other end; of a listener's, the one that began to listen, though it may be gone.
  public static func peerProcess(of socket: Int32) throws(SystemError) -> Int32 {
    Int32(try checked("getsockopt") { segue_peer_pid(socket) })
  }

  /// Who started the process at the other end.
  public static func peerUser(of socket: Int32) throws(SystemError) -> UInt32 {
    UInt32(try checked("getsockopt") { segue_peer_uid(socket) })
  }

  private static func make(flags: Int32) throws(SystemError) -> Descriptor {
    Descriptor(
      owning: try checked("socket") {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags, 0)
      })
  }

  private static func withAddress(
    of path: FilePath, _ call: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(SystemError) {
    guard !path.bytes.isEmpty, path.bytes.count <= longestPath else {
      throw SystemError(call, path.description, code: ENAMETOOLONG)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes) }
    try checked(call, path.description) {
      withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    }
  }
}
