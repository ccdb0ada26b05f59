internal import Glibc
internal import SegueWorkerProtocol

extension AddressScope {
  /// Creates the scope of a socket address. An address of an unknown family counts as `loopback`.
  init(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        AddressScope(ipv4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
      }
    case AF_INET6:
      self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { socket in
        withUnsafeBytes(of: socket.pointee.sin6_addr) { AddressScope(ipv6: Array($0)) }
      }
    default: self = .loopback
    }
  }

  /// Creates the scope of a numeric address, such as "192.0.2.1" or "2001:db8::1". Returns nil if it is not numeric.
  init?(_ text: String) {
    var v4 = in_addr()
    var v6 = in6_addr()
    // A link-local address may have a zone, as in "fe80::1%eth0".
    let bare = text.prefix { $0 != "%" }
    if inet_pton(AF_INET, String(bare), &v4) == 1 {
      self.init(ipv4: UInt32(bigEndian: v4.s_addr))
    } else if inet_pton(AF_INET6, String(bare), &v6) == 1 {
      self = withUnsafeBytes(of: v6) { AddressScope(ipv6: Array($0)) }
    } else {
      return nil
    }
  }

  /// The ranges that are not of the internet, by address and length of the prefix (IANA, special-purpose addresses).
  private static let privateIPv4: [(address: UInt32, length: UInt32)] = [
    (0x0A00_0000, 8), (0x6440_0000, 10), (0xA9FE_0000, 16), (0xAC10_0000, 12), (0xC000_0000, 24), (0xC0A8_0000, 16),
    (0xC612_0000, 15), (0xE000_0000, 3),
  ]

  private init(ipv4 address: UInt32) {
    switch address >> 24 {
    // The kernel connects 0.0.0.0 to this machine.
    case 0, 127: self = .loopback
    default:
      self =
        Self.privateIPv4.contains { address >> (32 - $0.length) == $0.address >> (32 - $0.length) }
        ? .private : .public
    }
  }

  private init(ipv6 bytes: [UInt8]) {
    let isZeroTo = { (count: Int) in bytes[..<count].allSatisfy { $0 == 0 } }
    let embedded = { (at: Int) in bytes[at..<at + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    if isZeroTo(15), bytes[15] <= 1 {
      self = .loopback
    } else if isZeroTo(10), bytes[10] == 0xFF, bytes[11] == 0xFF {
      // An IPv4 address in the form ::ffff:192.0.2.1.
      self.init(ipv4: embedded(12))
    } else if bytes[0] == 0x20, bytes[1] == 0x02 {
      // 6to4: the address of the relay follows the prefix.
      self.init(ipv4: embedded(2))
    } else if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
      // NAT64 (RFC 6052). Other prefixes of it are those of a local network (RFC 8215).
      self.init(ipv4: embedded(12))
    } else if bytes[0] & 0xE0 == 0x20 {
      // 2000::/3 is the part of the address space that is in use on the internet.
      self = .public
    } else {
      self = .private
    }
  }
}
