internal import Glibc
internal import SegueSystem

/// The addresses by which other machines in the network reach this one.
enum MachineAddress {
  /// The address from which packets to other networks are sent; nil without a network.
  static var outgoing: String? {
    let raw = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { return nil }
    let probe = Descriptor(owning: raw)
    // An address for documentation (RFC 5737). Connecting a datagram socket sends nothing.
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(9).bigEndian
    address.sin_addr.s_addr = UInt32(0xC000_0201).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(probe.raw, $0, length) == 0 && getsockname(probe.raw, $0, &length) == 0
      }
    }
    guard isKnown else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    guard inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The name with which Avahi answers for this machine in the network; nil if Avahi does not run.
  static var localName: String? {
    guard FilePath("/run/avahi-daemon/socket").exists else { return nil }
    return CurrentProcess.nameOfMachine.split(separator: ".").first.map { "\($0).local" }
  }
}
