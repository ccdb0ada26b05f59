// Once, on the only thread; see Sandbox.swift.
internal import CSeccomp
internal import Glibc
internal import SegueLink

/// Which system calls there are, for a process that has them only to decode (seccomp(2)). Whatever is not named is
/// refused with EPERM, which costs a library that tries something a fallback; what only somebody tries who wants out
/// ends the process.
struct SyscallFilter: ~Copyable {
  private let context: UnsafeMutableRawPointer
  private var isComplete = true

  /// `opening`: whether something else says which files a worker for the network may open; it opens none otherwise.
  /// False if the kernel has no seccomp, or not to be had here.
  static func load(for role: WorkerRole, opening: Bool) -> Bool {
    guard var filter = SyscallFilter() else { return false }
    filter.kill(fatal)
    filter.allow(common)
    filter.allowCommonWithin()
    filter.replaceStatusCalls()
    switch role {
    case .files: filter.confineToFiles()
    case .network:
      filter.openToNetwork()
      if opening { filter.allowOpening() }
    }
    return filter.isComplete && seccomp_load(filter.context) == 0
  }

  private init?() {
    guard let made = seccomp_init(segue_scmp_refuse) else { return nil }
    context = made
  }

  deinit { seccomp_release(context) }

  // MARK: Rules

  /// A demand on one argument of a call.
  struct Demand {
    fileprivate let raw: scmp_arg_cmp

    /// Argument `index` (from 0), of 32 bits.
    private init(_ index: UInt32, _ mask: UInt64, _ value: UInt64) {
      raw = scmp_arg_cmp(arg: index, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
    }

    static func argument(_ index: UInt32, is value: Int32) -> Demand {
      Demand(index, 0xFFFF_FFFF, UInt64(UInt32(bitPattern: value)))
    }

    static func argument(_ index: UInt32, has bits: Int32) -> Demand {
      let bits = UInt64(UInt32(bitPattern: bits))
      return Demand(index, bits, bits)
    }

    static func argument(_ index: UInt32, lacks bits: Int32) -> Demand {
      Demand(index, UInt64(UInt32(bitPattern: bits)), 0)
    }

    /// All bits but `bits` are those of `value`.
    static func argument(_ index: UInt32, without bits: Int32, is value: Int32) -> Demand {
      Demand(index, UInt64(~UInt32(bitPattern: bits)), UInt64(UInt32(bitPattern: value)))
    }
  }

  mutating func allow(_ calls: [String]) { for call in calls { add(segue_scmp_allow, call, []) } }

  /// Allows it where all `demands` are met. Several such rules for one call are alternatives.
  mutating func allow(_ call: String, where demands: Demand...) { add(segue_scmp_allow, call, demands) }

  /// Raises SIGSYS for them, whose handler stands in for them.
  mutating func trap(_ calls: [String]) { for call in calls { add(segue_scmp_trap, call, []) } }

  mutating func kill(_ calls: [String]) { for call in calls { add(segue_scmp_kill, call, []) } }

  private mutating func add(_ action: UInt32, _ call: String, _ demands: [Demand]) {
    // What this architecture, or this libseccomp, has no such call of is refused as it is.
    let number = seccomp_syscall_resolve_name(call)
    guard number >= 0 else { return }
    let result = seccomp_rule_add_array(context, action, number, UInt32(demands.count), demands.map(\.raw))
    if result != 0 { isComplete = false }
  }
}
