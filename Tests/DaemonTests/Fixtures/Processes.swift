import Glibc
import SegueSystem
import SegueTestKit

/// Reads facts about processes from /proc.
enum Processes {
  /// Returns the children of `pid` that have not exited, except the symbolizer of a sanitizer. A child that does not
  /// execute its program yet is left out: it has the memory of its parent, which waits for it (vfork(2)), and if a test
  /// stopped it, the parent would wait for ever.
  static func children(of pid: Int32) -> [Int32] {
    let parent = program(of: pid)
    let children = numbers(in: "/proc/\(pid)/task").flatMap { thread in
      text("/proc/\(pid)/task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }
    }
    return children.sorted().filter { child in
      // "pid (name) state …": the name may contain anything, so the line is parsed from its end.
      let stat = text("/proc/\(child)/stat")
      guard let end = stat.lastIndex(of: ")"), !stat[..<end].hasSuffix("(llvm-symbolizer") else { return false }
      return !stat[end...].hasPrefix(") Z") && program(of: child) != parent
    }
  }

  /// Waits until all children have exited.
  static func waitForNoChildren(of pid: Int32) throws {
    try waitUntil("\(children(of: pid)) have exited") { children(of: pid).isEmpty }
  }

  /// Returns the path of the executable.
  static func program(of pid: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = buffer.withUnsafeMutableBytes { readlink("/proc/\(pid)/exe", $0.baseAddress!, $0.count) }
    return String(decoding: buffer.prefix(max(0, length)), as: UTF8.self)
  }

  /// Returns whether the worker has a ring buffer. Workers that only probe files have none.
  static func hasRing(_ pid: Int32) -> Bool { maps("segue-ring", pid) }

  /// Returns whether a file with this name is mapped into its memory.
  static func maps(_ name: String, _ pid: Int32) -> Bool {
    guard let maps = fopen("/proc/\(pid)/maps", "r") else { return false }
    defer { fclose(maps) }
    var line = [CChar](repeating: 0, count: 4_096)
    while fgets(&line, Int32(line.count), maps) != nil {
      if strstr(line, name) != nil { return true }
    }
    return false
  }

  /// Returns the number of context switches of all threads of the processes.
  static func switches(of pids: [Int32]) -> Int {
    count("voluntary_ctxt_switches", of: pids) + count("nonvoluntary_ctxt_switches", of: pids)
  }

  /// Returns the number of voluntary context switches, which equals the number of wakeups.
  static func wakeups(of pids: [Int32]) -> Int { count("voluntary_ctxt_switches", of: pids) }

  /// Returns how often a thread of a process has waited for work; 0 if the process has no such thread.
  static func waits(ofThread name: String, in pid: Int32) -> Int {
    numbers(in: "/proc/\(pid)/task").reduce(0) { sum, thread in
      let path = "/proc/\(pid)/task/\(thread)"
      guard let found = try? SmallFile.read(FilePath("\(path)/comm"), upTo: 64),
        String(decoding: found, as: UTF8.self) == "\(name)\n"
      else { return sum }
      return sum + (field("voluntary_ctxt_switches", in: "\(path)/status") ?? 0)
    }
  }

  /// Returns how many bytes a process has written, to files and sockets.
  static func bytesWritten(by pid: Int32) -> Int { field("wchar", in: "/proc/\(pid)/io") ?? 0 }

  /// Returns for how many nanoseconds the main thread of a process has run.
  static func mainThreadTime(of pid: Int32) -> Int {
    text("/proc/\(pid)/task/\(pid)/schedstat").split(separator: " ").first.flatMap { Int($0) } ?? 0
  }

  private static func count(_ name: String, of pids: [Int32]) -> Int {
    var sum = 0
    for pid in pids {
      for thread in numbers(in: "/proc/\(pid)/task") {
        sum += field(name, in: "/proc/\(pid)/task/\(thread)/status") ?? 0
      }
    }
    return sum
  }

  /// Waits until the process and its children are idle: an interval without context switches, except those of a
  /// sanitizer.
  static func waitForRest(of pid: Int32, lasting seconds: Double = 0.1) throws {
    var last = -1_000
    let most = Sanitizer.isOn ? 4 : 0
    try waitUntil("process \(pid) is idle", every: MediaTime(seconds: seconds)) {
      let before = last
      last = switches(of: [pid] + children(of: pid))
      return last - before <= most
    }
  }

  /// Returns the private dirty memory in bytes.
  static func privateDirty(of pid: Int32) -> Int {
    // The pages of a program that was just linked are dirty until they are written to the disk, and would be counted.
    let program = open("/proc/\(pid)/exe", O_RDONLY | O_CLOEXEC)
    if program >= 0 {
      fsync(program)
      close(program)
    }
    return (field("Private_Dirty", in: "/proc/\(pid)/smaps_rollup") ?? 0) << 10
  }

  /// Returns the number after `name:` in a file.
  private static func field(_ name: String, in path: String) -> Int? {
    for line in text(path).split(separator: "\n") where line.hasPrefix("\(name):") {
      return line.dropFirst(name.count + 1).split { $0 == " " || $0 == "\t" }.first.flatMap { Int($0) }
    }
    return nil
  }

  /// Returns the clock and the remaining time of each timerfd (timerfd_create(2)); 0 means disarmed.
  static func timers(of pid: Int32) -> [(clock: Int32, seconds: Int)] {
    numbers(in: "/proc/\(pid)/fdinfo").compactMap { number in
      let lines = text("/proc/\(pid)/fdinfo/\(number)").split(separator: "\n")
      // The line is `it_value: (seconds, nanoseconds)`.
      func value(_ name: String) -> Int? {
        guard let line = lines.first(where: { $0.hasPrefix(name + ":") }) else { return nil }
        return Int(line.dropFirst(name.count + 1).drop { !$0.isNumber }.prefix { $0.isNumber })
      }
      guard let clock = value("clockid"), let seconds = value("it_value") else { return nil }
      return (Int32(clock), seconds)
    }
  }

  /// Returns the number of open descriptors.
  static func descriptors(of pid: Int32) -> Int { numbers(in: "/proc/\(pid)/fd").count }

  private static func numbers(in path: String) -> [Int32] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var numbers: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }
}
