internal import Glibc
internal import SegueSystem

/// The routes of this machine to other networks.
enum NetworkRoute {
  /// Returns whether there is no route to a host, which a port may follow, so that a request would fail. No packet is
  /// sent.
  ///
  /// For a name, this is true if there is no route to the internet. A name without a dot, or in a domain for local
  /// networks, may be that of a host of the local network, which needs no such route.
  static func isMissing(to host: String) -> Bool {
    let bare = bareName(of: host)
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, bare, &v4) == 1 { return !canReach(v4) }
    if inet_pton(AF_INET6, bare, &v6) == 1 { return !canReach(v6) }
    guard bare.contains("."), !localDomains.contains(where: bare.lowercased().hasSuffix) else { return false }
    // Addresses for documentation (RFC 5737, RFC 3849), to which the default route leads.
    inet_pton(AF_INET, "192.0.2.1", &v4)
    inet_pton(AF_INET6, "2001:db8::1", &v6)
    return !canReach(v4) && !canReach(v6)
  }

  /// Returns whether a host, which a port may follow, is this machine.
  static func isLoopback(_ host: String) -> Bool {
    let bare = bareName(of: host)
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, bare, &v4) == 1 { return UInt32(bigEndian: v4.s_addr) >> 24 == 127 }
    if inet_pton(AF_INET6, bare, &v6) == 1 {
      return withUnsafeBytes(of: v6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
    return bare.lowercased() == "localhost"
  }

  /// The domains of local networks (RFC 6762, RFC 6761, RFC 8375), the one that is reserved for private use, and the
  /// usual one of routers.
  private static let localDomains = [".local", ".localhost", ".home.arpa", ".internal", ".lan"]

  /// Returns a host without its port and the brackets of an address of IPv6.
  private static func bareName(of host: String) -> String {
    (try? URLAuthority(host[...])).map { String($0.host) } ?? host
  }

  private static func canReach(_ address: in_addr) -> Bool {
    var socket = sockaddr_in()
    socket.sin_family = sa_family_t(AF_INET)
    socket.sin_port = UInt16(80).bigEndian
    socket.sin_addr = address
    return canConnect(AF_INET, &socket, MemoryLayout<sockaddr_in>.size)
  }

  private static func canReach(_ address: in6_addr) -> Bool {
    var socket = sockaddr_in6()
    socket.sin6_family = sa_family_t(AF_INET6)
    socket.sin6_port = UInt16(80).bigEndian
    socket.sin6_addr = address
    return canConnect(AF_INET6, &socket, MemoryLayout<sockaddr_in6>.size)
  }

  /// Connecting a socket of UDP only looks up the route.
  private static func canConnect(_ family: Int32, _ address: UnsafeRawPointer, _ size: Int) -> Bool {
    let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return connect(descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(size)) == 0
  }
}
