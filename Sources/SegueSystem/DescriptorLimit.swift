internal import Glibc

/// A limit on how many descriptors this process may have open (setrlimit(2), RLIMIT_NOFILE).
public enum DescriptorLimit {
  /// Raises the soft limit to the hard one, which any user may do. Systems start programs with a soft limit of 1,024
  /// for the sake of select(2), which nothing here calls.
  ///
  /// Returns the limit that then holds, or 0 if the kernel does not tell it. A program that is started afterwards
  /// inherits it.
  @discardableResult
  public static func raise() -> Int {
    let resource = Int32(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 0 }
    var wanted = limit
    wanted.rlim_cur = limit.rlim_max
    return Int(clamping: setrlimit(resource, &wanted) == 0 ? wanted.rlim_cur : limit.rlim_cur)
  }
}
