// Thread: the only one of the process, which calls this once; see Sandbox.swift.
internal import Glibc
internal import SegueSystem
internal import SegueWorkerProtocol

/// The resource limits of the process (setrlimit(2)). Soft and hard limits are set together, so that the process cannot
/// raise them again.
enum Limits {
  /// The limit of private memory in bytes, in addition to the memory at the start. It is many times the need of any
  /// decoder.
  private static let memory: rlim_t = 512 << 20
  /// The limit of open descriptors of a worker that decodes. It allows a few dozen pending commands, each with its
  /// file.
  private static let descriptors: rlim_t = 64
  /// The limit of open descriptors of the fetch process, which has two or three for each resource.
  private static let fetchDescriptors: rlim_t = 512
  /// The limit of open descriptors of the gateway: those of its connections and of the files that it sends.
  private static let gatewayDescriptors: rlim_t = 2_048
  /// The maximum size of the database of the gateway in bytes, which has room for the data of a thousand people.
  private static let gatewayFile: rlim_t = 64 << 20
  /// The maximum size of a file in bytes. The daemon gives a worker no writable file, but a test may redirect its
  /// messages to one.
  private static let file: rlim_t = 1 << 20
  /// The number that is added to the `oom_score_adj` of the daemon. 1,000 corresponds to all memory of the machine.
  private static let outOfMemoryScore: Int32 = 200

  /// Lowers all limits. Returns false if any of them could not be set.
  static func lower(for role: WorkerRole) -> Bool {
    // Without this, a message beyond the maximum file size would end the worker.
    signal(SIGXFSZ, SIG_IGN)
    var limits: [(__rlimit_resource, rlim_t)] = [
      (RLIMIT_DATA, privateMemory + memory), (RLIMIT_NOFILE, role == .fetch ? fetchDescriptors : descriptors),
      (RLIMIT_FSIZE, file), (RLIMIT_CORE, 0),
    ]
    // The fetch process looks up names on threads, which are counted together with all processes of the user.
    if role != .fetch { limits.append((__RLIMIT_NPROC, 0)) }
    return limits.map { lower($0.0, to: $0.1) }.allSatisfy(\.self)
  }

  /// Lowers all limits of the gateway. Returns false if any of them could not be set.
  static func lowerForGateway() -> Bool {
    let limits: [(__rlimit_resource, rlim_t)] = [
      (RLIMIT_DATA, privateMemory + memory), (RLIMIT_NOFILE, gatewayDescriptors), (RLIMIT_FSIZE, gatewayFile),
      (RLIMIT_CORE, 0),
    ]
    return limits.map { lower($0.0, to: $0.1) }.allSatisfy(\.self)
  }

  private static func lower(_ resource: __rlimit_resource, to maximum: rlim_t) -> Bool {
    let number = Int32(resource.rawValue)
    var limit = rlimit()
    guard getrlimit(number, &limit) == 0 else { return false }
    limit.rlim_max = min(limit.rlim_max, maximum)
    limit.rlim_cur = min(limit.rlim_cur, limit.rlim_max)
    return setrlimit(number, &limit) == 0
  }

  /// The private memory of the process in bytes, as RLIMIT_DATA counts it, including the reservations of a sanitizer.
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

  /// Makes the kernel end this process rather than the daemon when memory runs out (proc(5), oom_score_adj). Every
  /// process may raise its own score.
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
