internal import Glibc
internal import SegueSystem
internal import SegueWire

/// The file that keeps the results for the next command. Each process that starts commands, such as a shell, has its
/// own file in the runtime folder, so that neither another terminal nor a script uses the results.
struct ResultFile {
  private static let prefix = "results-"

  private let folder: FilePath
  private let path: FilePath

  /// Creates the file of the parent process. Returns nil if there is no runtime folder.
  init?() {
    guard let runtime = Directories.runtime else { return nil }
    folder = runtime.appending("segue")
    let parent = getppid()
    path = folder.appending("\(Self.prefix)\(parent)-\(Self.startTime(of: parent))")
  }

  /// Returns the list, or nil if there is none.
  func read() -> ResultList? {
    // The list may need more bytes than its contents because of the names of members and the numbers.
    guard let bytes = try? SmallFile.read(path, upTo: 2 * ResultList.maximumSize), let json = try? JSON(parsing: bytes)
    else { return nil }
    return ResultList(json)
  }

  /// Replaces the list atomically. An error is not reported, but it removes the former list, so that a later command
  /// that uses a number reports that there is none.
  func write(_ list: ResultList) {
    var json = JSONWriter()
    list.encode(into: &json)
    let temporary = Folder.temporaryFile(in: folder)
    do throws(SystemError) {
      try Folder.create(folder)
      removeFilesOfEndedProcesses()
      try SmallFile.write(json.bytes, to: temporary)
      try Folder.rename(temporary, path)
    } catch {
      Folder.removeFile(temporary)
      remove()
    }
  }

  /// Removes the list.
  func remove() { Folder.removeFile(path) }

  private func removeFilesOfEndedProcesses() {
    for name in (try? Folder.names(in: folder)) ?? [] where name.starts(with: Self.prefix.utf8) {
      let digits = name.dropFirst(Self.prefix.utf8.count).prefix { $0 != UInt8(ascii: "-") }
      guard let process = pid_t(String(decoding: digits, as: UTF8.self)), process > 0 else { continue }
      if kill(process, 0) != 0, errno == ESRCH { Folder.removeFile(folder.appending(name)) }
    }
  }

  /// Returns the time at which a process started, in clock ticks since the start of the system (proc(5), field 22 of
  /// `/proc/PID/stat`); 0 if it is unknown. It distinguishes processes that have the same id one after the other.
  private static func startTime(of process: pid_t) -> UInt64 {
    guard let bytes = try? SmallFile.read(FilePath("/proc/\(process)/stat"), upTo: 4_096),
      // The name of the program, field 2, is in parentheses and may contain spaces and parentheses.
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return 0 }
    let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) ?? 0 : 0
  }
}
