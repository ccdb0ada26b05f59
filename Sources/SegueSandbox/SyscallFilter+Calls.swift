// Thread: the only one of the process, which calls this once; see Sandbox.swift.
internal import CSeccomp
internal import Glibc

/// The lists of calls. They were determined by tracing decoding, probing and streaming with every format.
extension SyscallFilter {
  /// The calls that only an attacker would make: they start programs or processes, access other processes, or extend
  /// rights.
  static let fatal = [
    "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "kill", "tkill",
    "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "unshare", "setns",
    "mount",
    "open_by_handle_at", "bpf", "io_uring_setup", "userfaultfd", "perf_event_open",
  ]

  /// The calls that are harmless with all arguments.
  static let common = [
    // Files, the eventfds of the ring, and the socket of the daemon.
    "read", "pread64", "preadv2", "write", "close", "fstat", "recvmsg", "sendmsg", "poll", "ppoll",
    // Memory, with the restrictions of `allowRestrictedCalls`.
    "brk", "munmap", "mremap", "madvise",
    // The runtimes of C and Swift, including crashes.
    "futex", "sched_yield", "getrandom", "clock_gettime", "gettimeofday", "time", "getpid", "gettid", "rt_sigaction",
    "rt_sigprocmask", "rt_sigreturn", "restart_syscall", "writev", "exit", "exit_group",
  ]

  /// Allows calls that are harmless with certain arguments.
  mutating func allowRestrictedCalls() {
    // No memory becomes executable after the start.
    allow("mmap", where: .argument(2, lacks: PROT_EXEC))
    allow("mprotect", where: .argument(2, lacks: PROT_EXEC))
    // abort(3) signals its own process.
    allow("tgkill", where: .argument(0, is: getpid()))
    // AddressSanitizer queries the signal stack when a library throws an exception.
    allow("sigaltstack", where: .argument(0, is: 0))
    // The worker checks the seals of the ring. F_SETFL is not allowed: the eventfds of the ring are shared with the
    // daemon, whose reads of them must not block.
    allow("fcntl", where: .argument(1, is: Self.getSeals))
  }

  /// Has the stat calls emulated, which libc's fstat(3), the resolver and the TLS libraries make. The calls of the
  /// kernel could be used to examine every file. The emulation returns the status only of files that are open or may be
  /// opened.
  mutating func replaceStatusCalls(emulated isEmulated: Bool) {
    if isEmulated {
      trap(["newfstatat", "stat"])
    } else {
      // The emulation does not support this processor, so the call of fstat(3) is allowed. A filter cannot check that
      // its path is empty.
      allow("newfstatat", where: .argument(3, is: Self.emptyPath))
    }
  }

  /// Adds the rules for workers that decode.
  mutating func confineToDecoding() {
    // The demuxer of HLS waits for the next version of the manifest of a live stream.
    allow(["nanosleep", "clock_nanosleep"])
    allow("fadvise64", where: .argument(3, is: POSIX_FADV_WILLNEED))
    kill(["socket", "socketpair", "connect", "bind", "listen"])
  }

  /// Adds the rules for the fetch process.
  mutating func openToNetwork() {
    // TCP, and UDP for name resolution. Unix sockets are forbidden, because services behind them can run programs for
    // the user.
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
    // Flags such as O_ASYNC, O_APPEND and O_DIRECT would affect every process that shares the open file. The kernel
    // ignores the access mode in this argument.
    allow("fcntl", where: .argument(1, is: F_SETFL), .argument(2, without: O_ACCMODE, is: O_NONBLOCK))
    allow(["lseek"])
    // The sockets between the fetch process and decoding workers, and those with which libcurl wakes itself.
    // Over a pair of datagram sockets, sendto(2) could reach the services behind Unix sockets.
    allow(
      "socketpair", where: .argument(0, is: AF_UNIX),
      .argument(1, without: Self.socketFlags, is: Int32(SOCK_STREAM.rawValue)))
    allow(["eventfd2", "pipe2"])
    // libcurl looks up names on threads. The flags of clone3(2) are in memory that a filter cannot read; without that
    // call, libc uses clone(2).
    hide(["clone3"])
    allow("clone", where: .argument(0, has: Self.threadFlag))
    allow(["set_robust_list", "rseq", "sched_getaffinity"])
  }

  /// Allows opening files for reading. Landlock limits the files.
  mutating func allowOpening() {
    allow("open", where: .argument(1, lacks: Self.writing))
    allow("openat", where: .argument(2, lacks: Self.writing))
  }

  /// The constants F_GET_SEALS, FIONREAD and AT_EMPTY_PATH, whose macros Swift does not import.
  private static let getSeals: Int32 = 1034
  private static let bytesToRead: Int32 = 0x541B
  private static let emptyPath: Int32 = 0x1000
  /// The constant CLONE_THREAD.
  static let threadFlag: Int32 = 0x10000

  private static let socketFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
  private static let writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND
}
