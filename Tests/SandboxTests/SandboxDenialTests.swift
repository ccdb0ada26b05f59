import Glibc
import SegueLink
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the actions that the sandbox denies and permits, by a program that attempts them inside the sandbox.
@Suite(.disabled(if: Sanitizer.isOn, "a sanitizer makes calls of its own")) struct SandboxDenialTests {
  enum Outcome: Equatable {
    case done
    case refused(Int32)
    case killed(Int32)
  }

  /// Runs the probe. Without `role`, it runs outside the sandbox.
  private func attempt(_ what: String, as role: WorkerRole?, _ options: [String] = []) throws -> Outcome {
    let program = WorkerProcess.product("sandbox-probe").description
    let probe = try ChildProcess([program] + options + [role?.rawValue ?? "free", what], environment: [:])
    let status = probe.wait()
    if status & 0x7F != 0 { return .killed(status & 0x7F) }
    return status >> 8 == 0 ? .done : .refused(status >> 8)
  }

  /// The sandbox denies these actions to every worker. They succeed outside the sandbox; otherwise the denial would
  /// prove nothing.
  @Test(
    arguments: [
      ("run a program", .killed(SIGSYS)), ("trace", .killed(SIGSYS)), ("read a process", .killed(SIGSYS)),
      ("signal the daemon", .killed(SIGSYS)), ("signal a thread of the daemon", .refused(EPERM)),
      ("fork", .refused(EPERM)), ("start a thread", .refused(EPERM)), ("make a counter block", .refused(EPERM)),
      ("have the daemon signalled", .refused(EPERM)), ("outlive the daemon", .refused(EPERM)),
      ("load a filter", .refused(EPERM)), ("map code", .refused(EPERM)), ("make code", .refused(EPERM)),
      ("have a counter signal", .refused(EPERM)), ("have a counter append", .refused(EPERM)),
      ("look at a file by statx", .refused(EPERM)), ("ask for access to a file", .refused(EPERM)),
      ("make a memory file", .refused(EPERM)), ("raise a limit", .refused(EPERM)), ("map a gigabyte", .refused(ENOMEM)),
      ("create a file", .refused(EPERM)), ("write to a device", .refused(EPERM)), ("rename a file", .refused(EPERM)),
      ("serve on a port", nil),
    ] as [(String, Outcome?)])
  func action_isDeniedToEveryWorker(_ what: String, _ outcome: Outcome?) throws {
    #expect(try attempt(what, as: nil) == .done)
    for role in WorkerRole.allCases {
      let found = try attempt(what, as: role)
      if let outcome { #expect(found == outcome, "\(role)") } else { #expect(found != .done, "\(role)") }
    }
  }

  @Test(
    arguments: [
      ("read a file", .refused(EPERM), .refused(EACCES)),
      ("look into a folder", .refused(EPERM), .refused(EACCES)),
      ("open what it has again", .refused(EPERM), .refused(EACCES)),
      ("look at a file", .refused(EPERM), .refused(EACCES)),
      ("look at a file as at a descriptor", .refused(EPERM), .refused(EACCES)),
      ("look at a file by stat", .refused(EPERM), .refused(EACCES)),
      ("look at the hosts", .refused(EPERM), .done),
      ("open a Unix socket", .killed(SIGSYS), .refused(EPERM)),
      ("open a netlink socket", .killed(SIGSYS), .refused(EPERM)),
      ("read the hosts", .refused(EPERM), .done),
      ("open a TCP socket", .killed(SIGSYS), .done),
      ("keep a counter from blocking", .refused(EPERM), .done),
    ] as [(String, Outcome, Outcome)])
  func action_dependsOnRole(_ what: String, _ files: Outcome, _ network: Outcome) throws {
    #expect(try attempt(what, as: nil) == .done)
    #expect(try attempt(what, as: .files) == files)
    #expect(try attempt(what, as: .network) == network)
  }

  /// Without Landlock, the files of the resolver cannot be distinguished from others, so no file can be opened.
  @Test(
    arguments: [
      "read a file", "look into a folder", "open what it has again", "read the hosts", "look at a file",
      "look at a file as at a descriptor", "look at a file by stat", "look at the hosts",
    ])
  func files_cannotBeOpenedWithoutLandlock(_ what: String) throws {
    #expect(try attempt(what, as: nil, ["--without-landlock"]) == .done)
    for role in WorkerRole.allCases {
      #expect(try attempt(what, as: role, ["--without-landlock"]) == .refused(EPERM), "\(role)")
    }
  }

  @Test(arguments: [[], ["--without-landlock"]])
  func actionsOfStreaming_arePermitted(_ options: [String]) throws {
    for what in ["open a TCP socket", "ask the name server", "keep a counter from blocking"] {
      #expect(try attempt(what, as: .network, options) == .done, "\(what)")
    }
  }

  @Test(arguments: WorkerRole.allCases)
  func actionsOfDecoding_arePermitted(_ role: WorkerRole) throws {
    #expect(try attempt("map data", as: role) == .done)
    #expect(try attempt("look at what it has", as: role) == .done)
    #expect(try attempt("look at a descriptor", as: role) == .done)
    #expect(try attempt("signal itself", as: role) == .done)
  }

  /// The folders of private keys lie beside those of certificates, at different places on different systems.
  @Test(.enabled(if: Etc.isReplaceable, "requires root or the right to create user namespaces"))
  func certificates_canBeReadAndPrivateKeysCannot() throws {
    let etc = try Etc()
    for key in ["read a key in pki", "read a key in ssl"] {
      #expect(try attempt(key, as: nil, etc.options) == .done)
      #expect(try attempt(key, as: .network, etc.options) == .refused(EACCES), "\(key)")
    }
    #expect(try attempt("read a certificate", as: .network, etc.options) == .done)
    #expect(try attempt("read a certificate", as: .files, etc.options) == .refused(EPERM))
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
    }

    static let isReplaceable: Bool = {
      guard let etc = try? Etc() else { return false }
      let program = WorkerProcess.product("sandbox-probe").description
      let command = [program] + etc.options + ["free", "read a certificate"]
      return (try? ChildProcess(command, environment: [:]).end(0)) == 0
    }()
  }
}
