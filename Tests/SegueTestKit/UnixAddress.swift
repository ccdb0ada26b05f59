public import Glibc
internal import SegueSystem

/// Calls `body` with the address of a Unix socket at `path`, which must not be too long.
public func withUnixAddress<Result>(
  _ path: some Sequence<UInt8>, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  let path = Array(path)
  precondition(path.count <= UnixSocket.maximumPathLength, "the path of the folder for temporary files is too long")
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
  return withUnsafePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
  }
}
