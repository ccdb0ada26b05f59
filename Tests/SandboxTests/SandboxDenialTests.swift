import Glibc
import SegueSystem
import SegueTestKit
import SegueWorkerProtocol
import Testing

/// Tests of the actions that the sandbox denies and permits, with a program that attempts them inside the sandbox.
@Suite(.disabled(if: Sanitizer.isOn, "sanitizers make system calls that the sandbox denies"))
struct SandboxDenialTests {
  enum Outcome: Equatable {
    case succeeded
    /// The action failed with this errno.
    case denied(Int32)
    /// This signal ended the process.
    case killed(Int32)
  }

  /// Runs the probe. Without `role`, it runs outside the sandbox.
  private func attempt(_ action: String, as role: WorkerRole?, _ options: [String] = []) throws -> Outcome {
    let program = WorkerProcess.product("sandbox-probe").description
    let probe = try ChildProcess([program] + options + [role?.rawValue ?? "free", action], environment: [:])
    let status = probe.wait()
    if status & 0x7F != 0 { return .killed(status & 0x7F) }
    return status >> 8 == 0 ? .succeeded : .denied(status >> 8)
  }

  /// The sandbox denies these actions to every worker. They succeed outside the sandbox; otherwise the denial would
  /// prove nothing.
  @Test(
    arguments: [
      ("run a program", .killed(SIGSYS)), ("request to be traced", .killed(SIGSYS)),
      ("read process memory", .killed(SIGSYS)),
      ("signal the daemon", .killed(SIGSYS)), ("signal a thread of the daemon", .denied(EPERM)),
      ("fork", .denied(EPERM)), ("make an eventfd blocking", .denied(EPERM)),
      ("make the daemon own an eventfd", .denied(EPERM)), ("remove the parent-death signal", .denied(EPERM)),
      ("load a seccomp filter", .denied(EPERM)), ("map executable memory", .denied(EPERM)),
      ("make memory executable", .denied(EPERM)),
      ("make an eventfd send signals", .denied(EPERM)), ("make an eventfd append", .denied(EPERM)),
      ("stat a file with statx(2)", .denied(EPERM)), ("check the access to a file", .denied(EPERM)),
      ("create a memory file", .denied(EPERM)), ("change a resource limit", .denied(EPERM)),
      ("map a gigabyte", .denied(ENOMEM)),
      ("create a file", .denied(EPERM)), ("write to a device", .denied(EPERM)), ("rename a file", .denied(EPERM)),
      ("bind a TCP port", nil),
    ] as [(String, Outcome?)])
  func action_isDeniedToEveryWorker(_ action: String, _ outcome: Outcome?) throws {
    #expect(try attempt(action, as: nil) == .succeeded)
    for role in WorkerRole.allCases {
      let found = try attempt(action, as: role)
      if let outcome { #expect(found == outcome, "\(role)") } else { #expect(found != .succeeded, "\(role)") }
    }
  }

  @Test(
    arguments: [
      ("read a file", .denied(EPERM), .denied(EACCES)),
      ("open a folder", .denied(EPERM), .denied(EACCES)),
      ("reopen its executable", .denied(EPERM), .denied(EACCES)),
      ("stat a file", .denied(EPERM), .denied(EACCES)),
      ("stat a file with AT_EMPTY_PATH", .denied(EPERM), .denied(EACCES)),
      ("stat a file with stat(2)", .denied(EPERM), .denied(EACCES)),
      ("stat /etc/hosts", .denied(EPERM), .succeeded),
      ("open a Unix socket", .killed(SIGSYS), .denied(EPERM)),
      ("open a netlink socket", .killed(SIGSYS), .denied(EPERM)),
      ("read /etc/hosts", .denied(EPERM), .succeeded),
      ("open a TCP socket", .killed(SIGSYS), .succeeded),
      // Datagrams could be sent to the services behind Unix sockets.
      ("pair datagram sockets", .killed(SIGSYS), .denied(EPERM)),
      // libcurl looks up names on threads.
      ("start a thread", .denied(EPERM), .succeeded),
      ("make an eventfd nonblocking", .denied(EPERM), .succeeded),
    ] as [(String, Outcome, Outcome)])
  func action_dependsOnRole(_ action: String, _ decoding: Outcome, _ fetching: Outcome) throws {
    #expect(try attempt(action, as: nil) == .succeeded)
    #expect(try attempt(action, as: .files) == decoding)
    #expect(try attempt(action, as: .stream) == decoding)
    #expect(try attempt(action, as: .fetch) == fetching)
  }

  /// Without Landlock, the files of the resolver cannot be distinguished from others, so no file can be opened.
  @Test(
    arguments: [
      "read a file", "open a folder", "reopen its executable", "read /etc/hosts", "stat a file",
      "stat a file with AT_EMPTY_PATH", "stat a file with stat(2)", "stat /etc/hosts",
    ])
  func files_cannotBeOpenedWithoutLandlock(_ action: String) throws {
    #expect(try attempt(action, as: nil, ["--without-landlock"]) == .succeeded)
    for role in WorkerRole.allCases {
      #expect(try attempt(action, as: role, ["--without-landlock"]) == .denied(EPERM), "\(role)")
    }
  }

  @Test(arguments: [[], ["--without-landlock"]])
  func actionsOfFetching_arePermitted(_ options: [String]) throws {
    for action in ["open a TCP socket", "query the name server", "make an eventfd nonblocking"] {
      #expect(try attempt(action, as: .fetch, options) == .succeeded, "\(action)")
    }
  }

  @Test(arguments: WorkerRole.allCases)
  func actionsOfDecoding_arePermitted(_ role: WorkerRole) throws {
    #expect(try attempt("map memory", as: role) == .succeeded)
    #expect(try attempt("stat a descriptor with fstat(3)", as: role) == .succeeded)
    #expect(try attempt("stat a descriptor with newfstatat(2)", as: role) == .succeeded)
    #expect(try attempt("signal itself", as: role) == .succeeded)
  }

  /// The folders of private keys lie beside those of certificates, at different places on different systems.
  @Test(.enabled(if: Etc.isReplaceable, "requires root or the right to create user namespaces"))
  func certificates_canBeReadAndPrivateKeysCannot() throws {
    let etc = try Etc()
    for key in ["read a key in /etc/pki", "read a key in /etc/ssl"] {
      #expect(try attempt(key, as: nil, etc.options) == .succeeded)
      #expect(try attempt(key, as: .fetch, etc.options) == .denied(EACCES), "\(key)")
    }
    #expect(try attempt("read a certificate", as: .fetch, etc.options) == .succeeded)
    #expect(try attempt("read a certificate", as: .files, etc.options) == .denied(EPERM))
  }

  /// A DHCP client replaces the file while a station plays.
  @Test(.enabled(if: Etc.isReplaceable, "requires root or the right to create user namespaces"))
  func theNameServer_isKnownAfterItsFileWasReplaced() throws {
    let etc = try Etc()
    #expect(try attempt("query the name server after its file was replaced", as: .fetch, etc.options) == .succeeded)
  }

  /// A temporary folder with the structure of /etc on several systems.
  private final class Etc {
    private let folder: TemporaryFolder

    /// The options that make the probe use this folder.
    var options: [String] { ["--with-etc", folder.path.description] }

    init() throws {
      folder = try TemporaryFolder()
      for name in ["pki", "pki/tls", "pki/tls/certs", "pki/tls/private", "ssl", "ssl/certs", "ssl/private"] {
        try folder.makeFolder(name)
      }
      for name in ["pki/tls/certs/ca-bundle.crt", "pki/tls/private/localhost.key", "ssl/private/localhost.key"] {
        try folder.write(name)
      }
      for (name, address) in [("resolv.conf", "127.0.0.2"), ("resolv.conf.new", "127.0.0.3")] {
        try folder.write(name, Array("nameserver \(address)\n".utf8))
      }
    }

    static let isReplaceable: Bool = {
      guard !Sanitizer.isOn, let etc = try? Etc() else { return false }
      let program = WorkerProcess.product("sandbox-probe").description
      let command = [program] + etc.options + ["free", "read a certificate"]
      return (try? ChildProcess(command, environment: [:]).end(0)) == 0
    }()
  }
}
