public import Glibc

/// The address of a client of a server.
public struct ClientAddress: Hashable, Sendable {
  /// The address: 4 bytes of IPv4, or 16 of IPv6; none if it is unknown. One of IPv4 has 4 bytes on a socket for both
  /// versions, too.
  public let bytes: [UInt8]

  /// The address that is not known.
  public static let unknown = ClientAddress(bytes: [])

  /// Creates an address from its 4 or 16 bytes.
  public init(bytes: [UInt8]) {
    // An address of IPv4 on a socket for both (RFC 4291, 2.5.5.2).
    let isMapped = bytes.count == 16 && bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
    self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
  }

  /// Creates an address from a text such as 192.168.1.20 or 2001:db8::1; nil if it is none.
  public init?(_ text: some StringProtocol) {
    let text = String(text)
    var (v4, v6) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &v4) == 1 {
      self.init(bytes: withUnsafeBytes(of: v4) { Array($0) })
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      self.init(bytes: withUnsafeBytes(of: v6) { Array($0) })
    } else {
      return nil
    }
  }

  /// Creates the address of a socket; `unknown` if it is neither one of IPv4 nor one of IPv6.
  public init(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self.init(
        bytes: address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
        })
    case AF_INET6:
      self.init(
        bytes: address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
        })
    default: self = .unknown
    }
  }

  /// The part of the address that a network assigns: an address of IPv4, or the first 64 bits of one of IPv6, because
  /// a machine has as many of these as it likes.
  public var network: [UInt8] { Array(bytes.prefix(bytes.count == 16 ? 8 : 4)) }
}
