internal import CAttempts
internal import Glibc
public import SegueSystem
internal import Synchronization

/// A network of its own for a test, without access to any other. Its only interface is the loopback interface, which
/// also has other addresses, so that connections to addresses of the internet and of local networks can be tested. It
/// needs root.
public enum NetworkNamespace {
  /// The addresses of the internet that the interface has.
  public static let publicAddress = "93.184.216.34"
  public static let otherPublicAddress = "198.51.100.7"
  /// An address of a local network that the interface has.
  public static let privateAddress = "192.168.7.7"

  private static let addresses = [
    publicAddress, otherPublicAddress, privateAddress, "10.1.2.3", "172.16.0.9", "100.64.1.1", "169.254.7.7",
    "2606:2800:220:1::1", "fd00::7",
  ]

  /// Whether this process may create one.
  public static let isAllowed: Bool = {
    let isAllowed = Outcome<Bool>()
    TestThread { isAllowed.value.withLock { $0 = .success(attempt_replace_network() == 0) } }.join()
    return (try? isAllowed.value.withLock { $0 }?.get()) ?? false
  }()

  /// Runs `body` on a thread in a new network. Processes and servers that it starts are in the network.
  /// - Parameters:
  ///   - hosts: The contents of /etc/hosts.
  ///   - usesNameServer: Whether the resolver asks a name server at 127.0.0.1.
  ///   - certificates: A file with the certificates of the authorities that the system trusts; nil for those of the
  ///     machine.
  public static func run<Result: Sendable>(
    hosts: String = "127.0.0.1 localhost\n::1 localhost\n", usesNameServer: Bool = false, certificates: FilePath? = nil,
    _ body: @escaping @Sendable () throws -> Result
  ) throws -> Result {
    let outcome = Outcome<Result>()
    TestThread {
      do {
        try enter(hosts: hosts, usesNameServer: usesNameServer)
        if let certificates { try replace("/etc/ssl/certs/ca-certificates.crt", by: certificates) }
        let result = try body()
        outcome.value.withLock { $0 = .success(result) }
      } catch {
        outcome.value.withLock { $0 = .failure(error) }
      }
    }.join()
    guard let result = outcome.value.withLock({ $0 }) else { throw Unexpected("the thread has no result") }
    return try result.get()
  }

  private final class Outcome<Success: Sendable>: Sendable {
    let value = Mutex<Result<Success, any Error>?>(nil)
  }

  /// Moves the calling thread into a new network with its own files of the resolver.
  private static func enter(hosts: String, usesNameServer: Bool) throws {
    try checked("unshare") { attempt_replace_network() }
    let folder = try TemporaryFolder()
    try command("mount", "--make-rprivate", "/")
    try replace("/etc/hosts", by: folder.write("hosts", Array(hosts.utf8)))
    let resolver = usesNameServer ? "nameserver 127.0.0.1\noptions timeout:2 attempts:1\n" : ""
    try replace("/etc/resolv.conf", by: folder.write("resolv.conf", Array(resolver.utf8)))
    try command("ip", "link", "set", "lo", "up")
    for address in addresses {
      let length = address.contains(":") ? 128 : 32
      try command("ip", "address", "add", "\(address)/\(length)", "dev", "lo")
    }
  }

  private static func replace(_ path: String, by file: FilePath) throws {
    chmod(file.description, 0o644)
    try command("mount", "--bind", file.description, path)
  }

  private static func command(_ words: String...) throws {
    let (code, text) = try ChildProcess.run(words, environment: ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"], errors: true)
    guard code == 0 else { throw Unexpected("\(words.joined(separator: " ")): \(text)") }
  }
}
