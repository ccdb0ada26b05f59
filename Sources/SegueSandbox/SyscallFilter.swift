// Thread: the only thread of the process, which calls this once; see Sandbox.swift.
internal import CSeccomp
internal import Glibc
internal import SegueLink

/// A filter for the system calls of a worker (seccomp(2)). A call that is not listed fails with EPERM, so that a
/// library can use a fallback. A call that only an attacker would make ends the process.
struct SyscallFilter: ~Copyable {
  private let context: UnsafeMutableRawPointer
  private var isComplete = true

  /// Installs the filter for `role`. If `allowsOpening` is true, the fetch process may open files, which
  /// Landlock limits. Returns false if seccomp is not available.
  static func load(for role: WorkerRole, allowsOpening: Bool) -> Bool {
    guard var filter = SyscallFilter() else { return false }
    filter.kill(fatal)
    filter.allow(common)
    filter.allowRestrictedCalls()
    filter.replaceStatusCalls()
    switch role {
    case .files, .stream: filter.confineToDecoding()
    case .fetch:
      filter.openToNetwork()
      if allowsOpening { filter.allowOpening() }
    }
    return filter.isComplete && seccomp_load(filter.context) == 0
  }

  private init?() {
    guard let context = seccomp_init(segue_scmp_refuse) else { return nil }
    self.context = context
  }

  deinit { seccomp_release(context) }

  // MARK: Rules

  /// A condition on one argument of a call.
  struct Condition {
    fileprivate let raw: scmp_arg_cmp

    /// Creates a condition on the lower 32 bits of the argument `index` (from 0).
    private init(_ index: UInt32, _ mask: UInt64, _ value: UInt64) {
      raw = scmp_arg_cmp(arg: index, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
    }

    static func argument(_ index: UInt32, is value: Int32) -> Condition {
      Condition(index, 0xFFFF_FFFF, UInt64(UInt32(bitPattern: value)))
    }

    static func argument(_ index: UInt32, has bits: Int32) -> Condition {
      let bits = UInt64(UInt32(bitPattern: bits))
      return Condition(index, bits, bits)
    }

    static func argument(_ index: UInt32, lacks bits: Int32) -> Condition {
      Condition(index, UInt64(UInt32(bitPattern: bits)), 0)
    }

    /// Returns a condition that the argument equals `value` when `bits` are ignored.
    static func argument(_ index: UInt32, without bits: Int32, is value: Int32) -> Condition {
      Condition(index, UInt64(~UInt32(bitPattern: bits)), UInt64(UInt32(bitPattern: value)))
    }
  }

  mutating func allow(_ calls: [String]) { for call in calls { add(segue_scmp_allow, call, []) } }

  /// Allows a call if all `conditions` are met. Several rules for one call are alternatives.
  mutating func allow(_ call: String, where conditions: Condition...) { add(segue_scmp_allow, call, conditions) }

  /// Makes calls raise SIGSYS, whose handler emulates them.
  mutating func trap(_ calls: [String]) { for call in calls { add(segue_scmp_trap, call, []) } }

  /// Makes calls fail as on a kernel without them.
  mutating func hide(_ calls: [String]) { for call in calls { add(segue_scmp_hide, call, []) } }

  mutating func kill(_ calls: [String]) { for call in calls { add(segue_scmp_kill, call, []) } }

  private mutating func add(_ action: UInt32, _ call: String, _ conditions: [Condition]) {
    // A call that does not exist on this architecture, or in this version of libseccomp, needs no rule.
    let number = seccomp_syscall_resolve_name(call)
    guard number >= 0 else { return }
    let result = seccomp_rule_add_array(context, action, number, UInt32(conditions.count), conditions.map(\.raw))
    if result != 0 { isComplete = false }
  }
}
