// Thread: the only one of the process, which calls this once; see Sandbox.swift.
internal import CSeccomp
internal import Glibc
internal import SegueWorkerProtocol

/// A filter for the system calls of a worker (seccomp(2)): a list of rules. A call that is not listed fails with EPERM,
/// so that a library can use a fallback. A call that only an attacker would make ends the process.
struct SyscallFilter {
  private(set) var rules: [Rule] = []

  /// Creates a filter without rules, which refuses everything.
  init() {}

  /// Creates the filter for `role`. If `allowsOpening` is true, the fetch process may open files, which Landlock
  /// limits. If `emulatesStatus` is true, a handler of SIGSYS returns the status of files.
  init(for role: WorkerRole, allowsOpening: Bool, emulatesStatus: Bool) {
    kill(Self.fatal)
    allow(Self.common)
    allowRestrictedCalls()
    replaceStatusCalls(emulated: emulatesStatus)
    switch role {
    case .files, .stream: confineToDecoding()
    case .fetch:
      openToNetwork()
      if allowsOpening { allowOpening() }
    }
  }

  /// Installs the filter. Returns false if seccomp is not available.
  func load() -> Bool {
    guard let context = seccomp_init(segue_scmp_refuse) else { return false }
    defer { seccomp_release(context) }
    for rule in rules {
      // A call that does not exist on this architecture, or in this version of libseccomp, needs no rule.
      let number = seccomp_syscall_resolve_name(rule.call)
      guard number >= 0 else { continue }
      let conditions = rule.conditions.map(\.raw)
      guard seccomp_rule_add_array(context, rule.action.code, number, UInt32(conditions.count), conditions) == 0 else {
        return false
      }
    }
    return seccomp_load(context) == 0
  }

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

  enum Action {
    case allow
    /// The call raises SIGSYS, whose handler emulates it.
    case trap
    /// The call fails as on a kernel without it.
    case hide
    case kill

    fileprivate var code: UInt32 {
      switch self {
      case .allow: segue_scmp_allow
      case .trap: segue_scmp_trap
      case .hide: segue_scmp_hide
      case .kill: segue_scmp_kill
      }
    }
  }

  /// The action for a call if all conditions are met. Several rules for one call are alternatives.
  struct Rule {
    let action: Action
    let call: String
    let conditions: [Condition]
  }

  mutating func allow(_ calls: [String]) { add(.allow, calls) }

  mutating func allow(_ call: String, where conditions: Condition...) {
    rules.append(Rule(action: .allow, call: call, conditions: conditions))
  }

  mutating func trap(_ calls: [String]) { add(.trap, calls) }

  mutating func hide(_ calls: [String]) { add(.hide, calls) }

  mutating func kill(_ calls: [String]) { add(.kill, calls) }

  private mutating func add(_ action: Action, _ calls: [String]) {
    rules += calls.map { Rule(action: action, call: $0, conditions: []) }
  }
}
