internal import CSegue
internal import Glibc

/// Settings of this process and of its threads.
public enum CurrentProcess {
  /// The arguments that follow the program name, as bytes, because file names need not be UTF-8.
  public static var arguments: [[UInt8]] {
    var words: [[UInt8]] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = CommandLine.unsafeArgv[index] else { break }
      words.append(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
    }
    return words
  }

  /// Limits malloc to one arena, which returns freed memory early. This suits a small program that is mostly idle. It
  /// must be called before the first thread starts.
  public static func useSingleArena() { segue_use_single_arena() }

  /// Returns to the system the freed memory that malloc has kept. Any thread may call this; threads that allocate
  /// memory wait.
  public static func trimHeap() { segue_trim_heap() }

  /// Raises the soft limit of open descriptors (setrlimit(2), RLIMIT_NOFILE) to the hard one, which any user may do.
  /// Systems start programs with a soft limit of 1,024 because select(2) supports no more, but no module calls
  /// select(2).
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

  /// Returns whether the limits of memory (setrlimit(2), RLIMIT_AS and RLIMIT_DATA) permit this process to allocate
  /// `bytes` more. Beyond them, an allocation in Swift ends the process. Without such limits the result is true: the
  /// kernel decides when memory is used.
  public static func mayAllocate(_ bytes: Int) -> Bool {
    let isLimited = [RLIMIT_AS, RLIMIT_DATA].contains { resource in
      var limit = rlimit()
      return getrlimit(Int32(resource.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
    }
    guard isLimited else { return true }
    let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return false }
    munmap(memory, bytes)
    return true
  }

  /// Has the kernel kill this process when the thread that started it ends (PR_SET_PDEATHSIG).
  public static func endWithParent() { segue_die_with_parent() }

  /// Names the calling thread for tools, which show at most 15 bytes.
  public static func nameThread(_ name: String) { segue_name_thread(name) }

  /// The name of this machine (gethostname(2)), without invalid UTF-8.
  public static var nameOfMachine: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
