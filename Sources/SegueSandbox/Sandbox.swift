// Called once, on the process' only thread, before it reads anything foreign. Landlock and seccomp hold the calling thread
// and those that it starts; there is no other yet.
internal import CSegue
internal import Glibc
public import SegueLink

/// How a worker locks itself in.
public enum Sandbox {
  /// Gives up, for good, every right that decoding does not need. What the kernel could not do is answered; the rest
  /// holds. Afterwards no file can be opened, but for the resolver's and the certificates in a worker for the network,
  /// and without Landlock, which tells these from others, not those either.
  public static func restrictProcess(as role: WorkerRole) -> Set<SandboxMechanism> {
    // What the daemon may have been started with, and passed on unawares, is no business of a worker's.
    _ = segue_close_from(LinkSocket.workerDescriptor + 1)
    // The Swift runtime's backtracer would start a program, which is refused: every crash would look like that call.
    for crash in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(crash, SIG_DFL) }
    Limits.raiseOutOfMemoryScore()
    var lacking: Set<SandboxMechanism> = []
    if !Limits.lower() { lacking.insert(.limits) }
    // The next two need it, unless this is root.
    if segue_no_new_privileges() != 0 { lacking.insert(.noNewPrivileges) }
    let choosesFiles = Landlock.restrict(to: role)
    if !choosesFiles {
      lacking.insert(.landlock)
      // The name servers are known to the end, then; names in /etc/hosts are not.
      if role == .network {
        _ = segue_read_name_servers()
        // By this the resolver sees that they are no others.
        _ = segue_cache_stat("/etc/resolv.conf")
      }
    }
    // Last: it forbids the calls of the others.
    if !SyscallFilter.load(for: role, opening: choosesFiles) { lacking.insert(.seccomp) }
    return lacking
  }
}
