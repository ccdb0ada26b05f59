internal import CSegue
internal import Glibc

/// Sockets of AF_UNIX. All descriptors are close-on-exec.
public enum UnixSocket {
  /// The number of bytes that fit into `sun_path` before its NUL (unix(7)).
  public static let maximumPathLength = 107

  /// The type of a pair of sockets.
  public enum PairType {
    /// The sockets pass bytes on (SOCK_STREAM).
    case bytes
    /// The sockets pass packets on in their order (SOCK_SEQPACKET).
    case packets

    fileprivate var raw: Int32 {
      switch self {
      case .bytes: Int32(SOCK_STREAM.rawValue)
      case .packets: Int32(SOCK_SEQPACKET.rawValue)
      }
    }
  }

  /// Returns the descriptors of two sockets that are connected with each other, and that block. The caller has to close
  /// both.
  public static func pair(of type: PairType) throws(SystemError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    try checked("socketpair") { socketpair(AF_UNIX, type.raw | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) }
    return (ends[0], ends[1])
  }

  /// Returns a socket that is connected to `path`. If it is not `blocking`, neither this call nor the socket blocks,
  /// and the call throws `EAGAIN` if the backlog of the listener is full.
  public static func connect(to path: FilePath, blocking: Bool = true) throws(SystemError) -> Descriptor {
    let descriptor = try make(flags: blocking ? 0 : Int32(SOCK_NONBLOCK.rawValue))
    let socket = descriptor.raw
    try withAddress(of: path, "connect") { Glibc.connect(socket, $0, $1) }
    return descriptor
  }

  /// Creates a non-blocking listener at `path`, which must not exist. Only its owner may connect. The call changes the
  /// umask of the process for a moment, so it must precede the first thread.
  public static func listen(at path: FilePath) throws(SystemError) -> Descriptor {
    let descriptor = try make(flags: Int32(SOCK_NONBLOCK.rawValue))
    let socket = descriptor.raw
    let mask = umask(0o177)
    defer { umask(mask) }
    try withAddress(of: path, "bind") { Glibc.bind(socket, $0, $1) }
    try checked("listen", path.description) { Glibc.listen(socket, SOMAXCONN) }
    return descriptor
  }

  /// Makes an inherited listener non-blocking.
  public static func makeNonblocking(_ listener: Int32) throws(SystemError) {
    try checked("fcntl") { segue_set_nonblocking(listener) }
  }

  /// Returns the next connection, which does not block. Throws `EAGAIN` if none is waiting.
  public static func accept(from listener: Int32) throws(SystemError) -> Descriptor {
    Descriptor(owning: try checked("accept4") { segue_accept(listener) })
  }

  /// Returns the id of the process at the other end. For a client, that is the process that called listen(2), which may
  /// have ended.
  public static func peerProcess(of socket: Int32) throws(SystemError) -> Int32 {
    Int32(try checked("getsockopt") { segue_peer_pid(socket) })
  }

  /// Returns the id of the user of the process at the other end.
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
    guard !path.bytes.isEmpty, path.bytes.count <= maximumPathLength else {
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
