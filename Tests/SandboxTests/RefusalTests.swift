import Glibc
import SegueLink
import SegueSystem
import SegueTestKit
import Testing

/// What a locked-in process tries, from inside.
@Suite(.disabled(if: Sanitizer.isOn, "a sanitizer makes calls of its own")) struct RefusalTests {
  enum Outcome: Equatable {
    case done
    case refused(Int32)
    case killed(Int32)
  }

  /// `role` nil: not locked in. `options`: of the probe.
  private func attempt(_ what: String, as role: WorkerRole?, _ options: [String] = []) throws -> Outcome {
    let program = WorkerProcess.product("sandbox-probe").description
    let probe = try ChildProcess([program] + options + [role?.rawValue ?? "free", what], environment: [:])
    let status = probe.wait()
    if status & 0x7F != 0 { return .killed(status & 0x7F) }
    return status >> 8 == 0 ? .done : .refused(status >> 8)
  }

  /// Refused to both kinds of worker, and possible outside: else the refusal would prove nothing.
  @Test(
    arguments: [
      ("run a program", .killed(SIGSYS)), ("trace", .killed(SIGSYS)), ("read a process", .killed(SIGSYS)),
      ("signal the daemon", .killed(SIGSYS)), ("signal a thread of the daemon", .refused(EPERM)),
      ("fork", .refused(EPERM)), ("start a thread", .refused(EPERM)), ("make a counter block", .refused(EPERM)),
      ("have the daemon signalled", .refused(EPERM)), ("outlive the daemon", .refused(EPERM)),
      ("load a filter", .refused(EPERM)), ("map code", .refused(EPERM)), ("make code", .refused(EPERM)),
      ("make a memory file", .refused(EPERM)), ("raise a limit", .refused(EPERM)), ("map a gigabyte", .refused(ENOMEM)),
      ("create a file", .refused(EPERM)), ("write to a device", .refused(EPERM)), ("rename a file", .refused(EPERM)),
      ("serve on a port", nil),
    ] as [(String, Outcome?)])
  func isRefusedToAnyWorker(_ what: String, _ outcome: Outcome?) throws {
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
      ("open a Unix socket", .killed(SIGSYS), .refused(EPERM)),
      ("open a netlink socket", .killed(SIGSYS), .refused(EPERM)),
      ("read the hosts", .refused(EPERM), .done),
      ("open a TCP socket", .killed(SIGSYS), .done),
      ("keep a counter from blocking", .refused(EPERM), .done),
    ] as [(String, Outcome, Outcome)])
  func dependsOnTheRole(_ what: String, _ files: Outcome, _ network: Outcome) throws {
    #expect(try attempt(what, as: nil) == .done)
    #expect(try attempt(what, as: .files) == files)
    #expect(try attempt(what, as: .network) == network)
  }

  /// Nothing tells the resolver's files from others, then, so that none can be opened.
  @Test(arguments: ["read a file", "look into a folder", "open what it has again", "read the hosts"])
  func noFileCanBeOpenedWithoutLandlock(_ what: String) throws {
    #expect(try attempt(what, as: nil, ["--without-landlock"]) == .done)
    for role in WorkerRole.allCases {
      #expect(try attempt(what, as: role, ["--without-landlock"]) == .refused(EPERM), "\(role)")
    }
  }

  @Test(arguments: [[], ["--without-landlock"]])
  func whatStreamingNeedsIsThere(_ options: [String]) throws {
    for what in ["open a TCP socket", "ask the name server", "keep a counter from blocking"] {
      #expect(try attempt(what, as: .network, options) == .done, "\(what)")
    }
  }

  @Test(arguments: WorkerRole.allCases)
  func whatDecodingNeedsIsThere(_ role: WorkerRole) throws {
    #expect(try attempt("map data", as: role) == .done)
    #expect(try attempt("signal itself", as: role) == .done)
  }
}
