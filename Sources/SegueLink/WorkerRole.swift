/// The role of a worker, which is its only argument. The sandbox depends on it: a worker that reads files has no
/// network access, and a worker with network access never receives a file of the user.
public enum WorkerRole: String, CaseIterable, Sendable {
  /// The worker reads files that it receives as descriptors.
  case files
  /// The worker reads URLs.
  case network

  /// The environment variables that a worker inherits from the daemon. It does not inherit the others, which may
  /// contain passwords, tokens and the addresses of services of the session.
  public var inheritedVariables: [String] {
    // The path of libraries, the options of sanitizers and of coverage, and the locale, which determines the sort order
    // and the charsets of old tags.
    let common = [
      "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "LC_ALL", "LC_COLLATE", "LANG",
    ]
    switch self {
    case .files: return common
    // The proxy variables of FFmpeg and the variables of resolver(5).
    case .network: return common + ["http_proxy", "no_proxy", "LOCALDOMAIN", "RES_OPTIONS"]
    }
  }
}

/// A mechanism of the kernel with which a worker restricts itself before it reads untrusted data. The raw value is the
/// name of the mechanism in the kernel.
public enum SandboxMechanism: String, CaseIterable, Sendable {
  case noNewPrivileges = "no_new_privs"
  case landlock
  case seccomp
  case limits = "rlimits"
}
