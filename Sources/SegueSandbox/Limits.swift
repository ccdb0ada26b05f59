// Once, on the only thread; see Sandbox.swift.
internal import Glibc
internal import SegueSystem

/// What the process may use of the machine (setrlimit(2)); soft and hard at once, so that it cannot take it back.
enum Limits {
  /// Private memory beyond what the libraries have at the start, in bytes: many times what the greediest decoder wants.
  private static let memory: rlim_t = 512 << 20
  /// A few dozen orders, each with its file, may wait.
  private static let descriptors: rlim_t = 64
  /// The greatest size of a file. The daemon gives a worker none that it can write to; a test may have its messages
  /// written to one.
  private static let file: rlim_t = 1 << 20
  /// The number that is added to the daemon's own `oom_score_adj`. 1,000 stands for all of the machine's memory.
  private static let outOfMemoryScore: Int32 = 200

  /// False if any could not be set.
  static func lower() -> Bool {
    // Else the first byte too many in the log would be the worker's end.
    signal(SIGXFSZ, SIG_IGN)
    let limits: [(__rlimit_resource, rlim_t)] = [
      (RLIMIT_DATA, privateMemory + memory), (RLIMIT_NOFILE, descriptors), (RLIMIT_FSIZE, file),
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

  /// Has the kernel end this process before the daemon when memory runs out (proc(5), oom_score_adj): a track is lost
  /// then, and no more. Every process may raise its own score.
  static func raiseOutOfMemoryScore() {
    guard let file = fopen("/proc/self/oom_score_adj", "r+e") else { return }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 16)
    guard fgets(&line, Int32(line.count), file) != nil else { return }
    let score = min(atoi(line) + outOfMemoryScore, 1_000)
    rewind(file)
    fputs("\(score)\n", file)
  }
}
