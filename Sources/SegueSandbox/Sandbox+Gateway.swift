// Thread: the only one of the process, which calls this once, before it reads untrusted data.
internal import CSegue
internal import Glibc
public import SegueSystem
public import SegueWire

extension Sandbox {
  /// Gives up every right that the gateway for browsers does not need, permanently: it keeps the sockets that it has,
  /// can connect to nothing, and opens files only below two folders. Returns the mechanisms that the kernel does not
  /// support; all others are in effect. Without Landlock, it can open all files of the user.
  ///
  /// - Parameters:
  ///   - pictures: The folder of the files that it may read.
  ///   - database: The folder in which it may also make, change and remove files.
  public static func restrictGateway(reading pictures: FilePath, writing database: FilePath) -> Set<SandboxMechanism> {
    var lacking: Set<SandboxMechanism> = []
    restoreSignals()
    if !Limits.lowerForGateway() { lacking.insert(.limits) }
    if segue_no_new_privileges() != 0 { lacking.insert(.noNewPrivileges) }
    let rules = [
      Landlock.Rule(pictures, Landlock.readFile),
      Landlock.Rule(
        database,
        Landlock.readFile | Landlock.writeFile | Landlock.readFolder | Landlock.removeFile | Landlock.makeFile
          | Landlock.truncate),
    ]
    if !Landlock.restrict(to: rules, deniesConnections: true) { lacking.insert(.landlock) }
    if !SyscallFilter.ofGateway.load() { lacking.insert(.seccomp) }
    return lacking
  }
}

extension SyscallFilter {
  /// The filter of the gateway.
  fileprivate static var ofGateway: SyscallFilter {
    var filter = SyscallFilter()
    filter.kill(fatal + ["socket", "socketpair", "connect", "bind", "listen"])
    filter.allow(common)
    filter.allowRestrictedCalls()
    // The event loop and the connections, all of which were accepted from sockets that the process has.
    filter.allow([
      "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "timerfd_create", "timerfd_settime",
      "eventfd2", "inotify_rm_watch", "accept", "accept4", "shutdown", "recvfrom", "sendto", "sendfile", "getsockname",
      "getpeername", "getsockopt", "setsockopt",
    ])
    // The files of the database, and pictures. Landlock limits the files.
    filter.allow([
      "open", "openat", "newfstatat", "stat", "lstat", "statx", "access", "faccessat", "faccessat2", "readlink",
      "readlinkat", "unlink", "unlinkat", "lseek", "pwrite64", "ftruncate", "fsync", "fdatasync", "fchmod", "getuid",
      "geteuid",
    ])
    for command in [F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, Self.duplicate] {
      filter.allow("fcntl", where: .argument(1, is: command))
    }
    // Threads hash passwords and use the database. See `openToNetwork` about clone3(2).
    filter.hide(["clone3"])
    filter.allow("clone", where: .argument(0, has: Self.threadFlag))
    filter.allow("prctl", where: .argument(0, is: Self.nameOfThread))
    filter.allow(["set_robust_list", "rseq", "sched_getaffinity", "nanosleep", "clock_nanosleep", "getrusage"])
    // The loop reports that the connector has ended.
    filter.allow(["waitid", "wait4"])
    return filter
  }

  /// The constant F_DUPFD_CLOEXEC, whose macro Swift does not import, and PR_SET_NAME.
  private static let duplicate: Int32 = 1030
  private static let nameOfThread: Int32 = 15
}
