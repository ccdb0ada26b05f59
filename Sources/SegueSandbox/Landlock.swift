// Once, on the only thread; see Sandbox.swift.
internal import CSegue
internal import SegueLink
internal import SegueSystem

/// What of files, network and other processes can be reached (landlock(7)): the kernel's names are in linux/landlock.h.
enum Landlock {
  /// LANDLOCK_ACCESS_FS_*: one bit each from EXECUTE on, and how many of them every version of Landlock knows.
  private static let fileRights: [UInt64] = [13, 14, 15, 15, 16].map { (1 << $0) - 1 }
  private static let readFile: UInt64 = 1 << 2
  /// LANDLOCK_ACCESS_NET_*, since version 4.
  private static let bindTCP: UInt64 = 1 << 0
  private static let connectTCP: UInt64 = 1 << 1
  /// LANDLOCK_SCOPE_*, since version 6: abstract sockets, and signals to processes outside.
  private static let scopes: UInt64 = 1 << 0 | 1 << 1

  /// What glibc's resolver and the TLS libraries read. Services that glibc would ask over a Unix socket (systemd-resolved,
  /// Avahi) are left out: whoever may open one can ask the user's session to run a program.
  private static let readByNetwork = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services",
    "/etc/protocols",
    // Debian and its kin, Fedora and its kin, and where both keep what the folders' links lead to. No folder here has
    // private keys below it: /etc/ssl and /etc/pki/tls have them in folders of their own.
    "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ssl/cert.pem", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/openssl.cnf", "/etc/pki/tls/openssl.d", "/etc/pki/ca-trust/extracted",
    "/etc/ca-certificates/extracted", "/etc/crypto-policies", "/etc/gnutls/config", "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
  ]

  /// False if the kernel has none of it, or not to be had here.
  static func restrict(to role: WorkerRole) -> Bool {
    let version = Int(segue_landlock_version())
    guard version > 0, let files = fileRights.prefix(version).last else { return false }
    let network = version < 4 ? 0 : role == .files ? bindTCP | connectTCP : bindTCP
    let descriptor = segue_landlock_ruleset(files, network, version < 6 ? 0 : scopes)
    guard descriptor >= 0 else { return false }
    let ruleset = Descriptor(owning: descriptor)
    if role == .network {
      // No system has all of them.
      for path in readByNetwork { _ = segue_landlock_allow(ruleset.raw, path, readFile) }
    }
    return segue_landlock_restrict(ruleset.raw) == 0
  }
}
