// Thread: the only one of the process, which calls this once, before it reads untrusted data. Landlock and seccomp
// apply to the calling thread and the threads that it starts.
internal import CSegue
internal import Glibc
public import SegueWire
public import SegueWorkerProtocol

/// The sandbox of a worker.
public enum Sandbox {
  /// Whether the fetch process can open the files of the certificates after `restrictProcess`.
  public static var permitsCertificates: Bool { Landlock.isAvailable }

  /// Gives up every right that the role does not need, permanently. Returns the mechanisms that the kernel does not
  /// support; all others are in effect. Afterwards a worker can open no files, except that the fetch process can
  /// open the files of the resolver and the certificates. Without Landlock, which distinguishes these files from
  /// others, it cannot open them either.
  public static func restrictProcess(as role: WorkerRole) -> Set<SandboxMechanism> {
    // The daemon may have inherited descriptors and passed them on; the worker closes them.
    _ = segue_close_from(LinkSocket.workerDescriptor + 1)
    restoreSignals()
    Limits.raiseOutOfMemoryScore()
    var lacking: Set<SandboxMechanism> = []
    if !Limits.lower(for: role) { lacking.insert(.limits) }
    // Landlock and seccomp require this, unless the process runs as root.
    if segue_no_new_privileges() != 0 { lacking.insert(.noNewPrivileges) }
    let hasLandlock = Landlock.restrict(to: role)
    if !hasLandlock { lacking.insert(.landlock) }
    if role == .fetch {
      // The resolver reads its name servers now and keeps them if the file cannot be opened later: without Landlock, or
      // after it was replaced. Without the status of the file, the resolver would query this machine instead.
      _ = segue_read_name_servers()
      _ = segue_cache_stat("/etc/resolv.conf")
    }
    // The filter is last because it forbids the calls of the other mechanisms.
    let emulatesStatus = segue_install_stat_handler() == 0
    let filter = SyscallFilter(for: role, allowsOpening: hasLandlock, emulatesStatus: emulatesStatus)
    if !filter.load() { lacking.insert(.seccomp) }
    return lacking
  }

  /// Lets crashes end the process at once. The backtracer of the Swift runtime would start a program. Because the
  /// filter ends the process at that call, every crash would be reported as a forbidden call.
  static func restoreSignals() {
    for crash in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(crash, SIG_DFL) }
  }
}
