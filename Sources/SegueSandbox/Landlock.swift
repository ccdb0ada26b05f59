// Thread: the only one of the process, which calls this once; see Sandbox.swift.
internal import CSegue
internal import SegueSystem
internal import SegueWorkerProtocol

/// The restrictions of file, network and signal access (landlock(7)). The constants are those of linux/landlock.h.
enum Landlock {
  /// The masks of all rights LANDLOCK_ACCESS_FS_* by version of Landlock, from 1 on. The numbers below are how many
  /// rights each version has; their bits are contiguous, from EXECUTE on.
  private static let fileRights: [UInt64] = [13, 14, 15, 15, 16].map { (1 << $0) - 1 }
  static let writeFile: UInt64 = 1 << 1
  static let readFile: UInt64 = 1 << 2
  static let readFolder: UInt64 = 1 << 3
  static let removeFile: UInt64 = 1 << 5
  static let makeFile: UInt64 = 1 << 8
  /// This right exists since version 3.
  static let truncate: UInt64 = 1 << 14
  /// The rights LANDLOCK_ACCESS_NET_*, since version 4.
  private static let bindTCP: UInt64 = 1 << 0
  private static let connectTCP: UInt64 = 1 << 1
  /// The scopes LANDLOCK_SCOPE_*, since version 6: abstract sockets, and signals to processes outside the sandbox.
  private static let scopes: UInt64 = 1 << 0 | 1 << 1

  /// The files that the resolver of glibc and the TLS libraries read. A rule for a file ends when the file is replaced,
  /// so the folders of services that replace resolv.conf are included: systemd-resolved, NetworkManager, resolvconf and
  /// ConnMan. Unix sockets of services such as systemd-resolved and Avahi are not included, because a process with
  /// access to Unix sockets can make the user's session run a program.
  private static let networkFiles = [
    "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services",
    "/etc/protocols", "/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/run/connman",
    // The certificates of Debian, Fedora and their derivatives, and the targets of links in these folders. No folder in
    // this list contains private keys; /etc/ssl and /etc/pki/tls have separate folders for them.
    "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ssl/cert.pem", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/openssl.cnf", "/etc/pki/tls/openssl.d", "/etc/pki/ca-trust/extracted",
    "/etc/ca-certificates/extracted", "/etc/crypto-policies", "/etc/gnutls/config", "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
  ]

  /// Whether the kernel supports Landlock.
  static var isAvailable: Bool { segue_landlock_version() > 0 }

  /// The rights for a file, or for those in a folder.
  struct Rule {
    let path: FilePath
    let rights: UInt64

    init(_ path: FilePath, _ rights: UInt64) {
      self.path = path
      self.rights = rights
    }
  }

  /// Restricts a worker. Returns false if Landlock is not available.
  static func restrict(to role: WorkerRole) -> Bool {
    let rules = role == .fetch ? networkFiles.map { Rule(FilePath($0), readFile) } : []
    return restrict(to: rules, deniesConnections: role != .fetch)
  }

  /// Restricts the process. Files that do not exist are left out. Returns false if Landlock is not available.
  static func restrict(to rules: [Rule], deniesConnections: Bool) -> Bool {
    let version = Int(segue_landlock_version())
    guard version > 0, let files = fileRights.prefix(version).last else { return false }
    let network = version < 4 ? 0 : deniesConnections ? bindTCP | connectTCP : bindTCP
    let descriptor = segue_landlock_ruleset(files, network, version < 6 ? 0 : scopes)
    guard descriptor >= 0 else { return false }
    let ruleset = Descriptor(owning: descriptor)
    for rule in rules { rule.path.withCString { _ = segue_landlock_allow(ruleset.raw, $0, rule.rights & files) } }
    return segue_landlock_restrict(ruleset.raw) == 0
  }
}
