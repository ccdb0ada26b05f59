/// What a worker is for; its one argument. It is locked in accordingly, so that none that reads files ever has the
/// network, and none that has the network ever gets a file of the user's.
public enum WorkerRole: String, CaseIterable, Sendable {
  /// Reads what comes as a descriptor.
  case files
  /// Reads what lies behind a URL.
  case network

  /// The variables of the daemon's environment that a worker inherits. The rest of it, which may hold passwords, tokens
  /// and the addresses of the session's services, is not the worker's business.
  public var inheritedVariables: [String] {
    // What finds the program's libraries, and what a sanitizer and the recording of coverage are told; the language by
    // whose rules names are sorted, and in whose charsets old tags may be.
    let common = [
      "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "LC_ALL", "LC_COLLATE", "LANG",
    ]
    switch self {
    case .files: return common
    // The proxy, as FFmpeg reads it, and what resolver(5) reads.
    case .network: return common + ["http_proxy", "no_proxy", "LOCALDOMAIN", "RES_OPTIONS"]
    }
  }
}
