internal import CSegue
internal import Glibc

/// Settings of this process and of its threads.
public enum CurrentProcess {
  /// Limits malloc to one arena that returns freed memory early: for a program that is small and mostly asleep. Called
  /// before the first thread starts.
  public static func useSingleArena() { segue_use_single_arena() }

  /// Returns the memory that was freed, and that malloc keeps, to the system. Any thread; other threads that allocate wait.
  public static func trimHeap() { segue_trim_heap() }

  /// Raises the soft limit of open descriptors (setrlimit(2), RLIMIT_NOFILE) to the hard one, which any user may do.
  /// Systems start programs with a soft limit of 1,024 for the sake of select(2), which nothing here calls.
  ///
  /// Returns the limit in effect, or 0 if it is unknown. Programs that are started afterwards inherit it.
  @discardableResult
  public static func raiseDescriptorLimit() -> Int {
    let resource = Int32(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 0 }
    var raised = limit
    raised.rlim_cur = limit.rlim_max
    return Int(clamping: setrlimit(resource, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur)
  }

  /// Has the kernel kill this process when the thread that started it ends (PR_SET_PDEATHSIG).
  public static func endWithParent() { segue_die_with_parent() }

  /// Names the calling thread for tools, which show at most 15 bytes.
  public static func nameThread(_ name: String) { segue_name_thread(name) }
}
