// Once, on the only thread; see Sandbox.swift.
internal import CSeccomp
internal import CSegue
internal import Glibc

/// The calls themselves: what decoding, probing and streaming make, found by tracing them over every format. Whatever
/// can be called on all that is at hand without harm needs no further word.
extension SyscallFilter {
  /// What nothing here ever does: start a program or a process, reach into another, look for another way in.
  static let fatal = [
    "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "kill", "tkill",
    "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "unshare", "setns",
    "mount",
    "open_by_handle_at", "bpf", "io_uring_setup", "userfaultfd", "perf_event_open",
  ]

  static let common = [
    // Files, the ring's counters, the daemon's socket.
    "read", "pread64", "write", "close", "fstat", "recvmsg", "sendmsg", "poll", "ppoll",
    // Memory, within what `allowCommonWithin` says.
    "brk", "munmap", "mremap", "madvise",
    // What the runtimes of C and Swift do, up to an orderly crash.
    "futex", "sched_yield", "getrandom", "clock_gettime", "gettimeofday", "time", "getpid", "gettid", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "restart_syscall", "writev", "exit", "exit_group",
  ]

  mutating func allowCommonWithin() {
    // No code but what was loaded at the start.
    allow("mmap", where: .argument(2, lacks: PROT_EXEC))
    allow("mprotect", where: .argument(2, lacks: PROT_EXEC))
    // abort(3).
    allow("tgkill", where: .argument(0, is: getpid()))
    // Asked and not set, by AddressSanitizer, when a library throws.
    allow("sigaltstack", where: .argument(0, is: 0))
    // A ring's size is looked at. Not F_SETFL: the daemon must never wait in a read of the counters it shares with us.
    allow("fcntl", where: .argument(1, is: Self.getSeals))
  }

  /// What is known of a file is told of those that are open, or may be opened. libc's fstat(3), the resolver and the TLS
  /// libraries ask by calls that would tell of every file.
  mutating func replaceStatusCalls() {
    if segue_install_stat_handler() == 0 {
      trap(["newfstatat", "stat"])
    } else {
      // There is no handler for this processor: fstat(3) makes its call. A filter cannot see that the path is empty.
      allow("newfstatat", where: .argument(3, is: Self.emptyPath))
    }
  }

  mutating func confineToFiles() {
    allow("fadvise64", where: .argument(3, is: POSIX_FADV_WILLNEED))
    kill(["socket", "socketpair", "connect", "bind", "listen"])
  }

  mutating func openToNetwork() {
    // TCP, and UDP for names. Nothing else: a Unix socket leads to whatever runs programs for the user.
    for family in [AF_INET, AF_INET6] {
      for kind in [SOCK_STREAM, SOCK_DGRAM] {
        allow(
          "socket", where: .argument(0, is: family),
          .argument(1, without: Self.socketFlags, is: Int32(kind.rawValue)))
      }
    }
    allow([
      "connect", "shutdown", "sendto", "sendmmsg", "recvfrom", "getsockopt", "setsockopt", "getsockname", "getpeername",
      "nanosleep", "clock_nanosleep", "uname",
    ])
    allow("ioctl", where: .argument(1, is: Self.bytesToRead))
    allow("fcntl", where: .argument(1, is: F_GETFL))
    // Flags such as O_ASYNC, O_APPEND and O_DIRECT would hold for whoever shares the open file; the kernel ignores the
    // access mode among them.
    allow("fcntl", where: .argument(1, is: F_SETFL), .argument(2, without: O_ACCMODE, is: O_NONBLOCK))
    allow(["lseek"])
  }

  /// To read only; which files, says Landlock.
  mutating func allowOpening() {
    allow("open", where: .argument(1, lacks: Self.writing))
    allow("openat", where: .argument(2, lacks: Self.writing))
  }

  /// F_GET_SEALS, FIONREAD, AT_EMPTY_PATH: macros that Swift does not see.
  private static let getSeals: Int32 = 1034
  private static let bytesToRead: Int32 = 0x541B
  private static let emptyPath: Int32 = 0x1000

  private static let socketFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  private static let writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND
}
