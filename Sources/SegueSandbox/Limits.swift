// Once, on the only thread; see Sandbox.swift.
internal import Glibc
internal import SegueSystem

/// What the process may use of the machine (setrlimit(2)); soft and hard at once, so that it cannot take it back.
enum Limits {
  /// Private memory beyond what the libraries have at the start, in bytes: many times what the greediest decoder wants.
  private static let memory: rlim_t = 512 << 20
  /// A few dozen orders, each with its file, may wait.
  private static let descriptors: rlim_t = 64
  /// How far the file that its messages go to may grow, in bytes; it has no other that it can write to.
  private static let log: rlim_t = 1 << 20

  /// False if any could not be set.
  static func lower() -> Bool {
    // Else the first byte too many in the log would be the worker's end.
    signal(SIGXFSZ, SIG_IGN)
    let limits: [(__rlimit_resource, rlim_t)] = [
      (RLIMIT_DATA, privateMemory + memory), (RLIMIT_NOFILE, descriptors), (RLIMIT_FSIZE, logSize + log),
      (RLIMIT_CORE, 0), (__RLIMIT_NPROC, 0),
    ]
    return limits.map { lower($0.0, to: $0.1) }.allSatisfy(\.self)
  }

  private static func lower(_ resource: __rlimit_resource, to most: rlim_t) -> Bool {
    let number = Int32(resource.rawValue)
    var limit = rlimit()
    guard getrlimit(number, &limit) == 0 else { return false }
    limit.rlim_max = min(limit.rlim_max, most)
    limit.rlim_cur = min(limit.rlim_cur, limit.rlim_max)
    return setrlimit(number, &limit) == 0
  }

  /// What RLIMIT_DATA counts, in bytes: the libraries' own, and what a sanitizer has set aside.
  private static var privateMemory: rlim_t {
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    // "size resident shared text lib data dt", in pages.
    let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    guard fields.count > 5, let pages = rlim_t(fields[5]) else { return 0 }
    return pages * rlim_t(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Of the file behind stderr, in bytes; 0 for a terminal, a pipe, the journal.
  private static var logSize: rlim_t {
    var status = stat()
    guard fstat(2, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
    return rlim_t(status.st_size)
  }
}
