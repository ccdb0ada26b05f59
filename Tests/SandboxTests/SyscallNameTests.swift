import CSeccomp
import SegueWorkerProtocol
import Testing

@testable import SegueSandbox

/// Tests of the names of system calls in the filters, by the tables of libseccomp.
@Suite struct SyscallNameTests {
  /// Calls that only older architectures have, and those by which the C library makes them elsewhere.
  private static let replaced = [
    "open": "openat", "stat": "newfstatat", "poll": "ppoll", "time": "clock_gettime", "fork": nil, "vfork": nil,
  ]

  private static func calls(of role: WorkerRole) -> [SyscallFilter.Action: Set<String>] {
    let filter = SyscallFilter(for: role, allowsOpening: true, emulatesStatus: true)
    return Dictionary(grouping: filter.rules, by: \.action).mapValues { Set($0.map(\.call)) }
  }

  private static let roles: [WorkerRole] = [.files, .stream, .fetch]

  @Test(arguments: roles) func everyCallExistsOnThePC(_ role: WorkerRole) {
    for call in Self.calls(of: role).values.joined() {
      #expect(seccomp_syscall_resolve_name_arch(seccomp_arch_resolve_name("x86_64"), call) >= 0, "\(call)")
    }
  }

  /// The call that replaces one is handled in the same way, so that the worker can do the same on both, and no more.
  @Test(arguments: roles) func everyCallOrItsReplacementExistsOnARM64(_ role: WorkerRole) {
    for (action, calls) in Self.calls(of: role) {
      for call in calls where seccomp_syscall_resolve_name_arch(seccomp_arch_resolve_name("aarch64"), call) < 0 {
        guard let replacement = Self.replaced[call] else {
          Issue.record("\(call) does not exist on arm64")
          continue
        }
        if let replacement { #expect(calls.contains(replacement), "\(replacement) is not in \(action)") }
      }
    }
  }
}
