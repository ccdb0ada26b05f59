internal import Glibc
internal import Synchronization

/// Lines on stderr, each with its syslog priority in front when systemd reads them (`JOURNAL_STREAM`), so that
/// `journalctl -p` works, or the parent process (`ChildOutputLogger`), and without it on a terminal. Safe from any thread;
/// not from the audio callback.
public enum Log {
  public enum Level: Int32, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

    /// The beginning of a line of this level, as sd-daemon(3) and `ChildOutputLogger` read it.
    var mark: String { "<\(rawValue)>" }
  }

  private static let threshold = Atomic<Int32>(Level.info.rawValue)
  /// The name that lines begin with; nil if they begin with their priority.
  private static let program = Mutex<String?>("segue")
  /// nil: whoever logs waits until stderr takes the line.
  private static let backlog = Mutex<LogBacklog?>(nil)

  /// Names the program and sets what is left out. Called by `main`, before there is another thread.
  public static func start(program name: String, upTo level: Level) {
    program.withLock { $0 = getenv("JOURNAL_STREAM") == nil ? name : nil }
    threshold.store(level.rawValue, ordering: .relaxed)
  }

  /// Begins lines with their priority, by which the process that started this one logs them. Called as `start`.
  public static func startAsChild(upTo level: Level) {
    program.withLock { $0 = nil }
    threshold.store(level.rawValue, ordering: .relaxed)
  }

  /// From now on nobody who logs waits for stderr: lines that a full pipe, a stopped terminal or a busy journal does not
  /// take at once are written by a thread of their own. For a program that may start one at any time.
  public static func enableBacklog() { backlog.withLock { $0 = LogBacklog() } }

  public static func error(_ message: @autoclosure () -> String) { write(.error, message) }
  public static func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  public static func notice(_ message: @autoclosure () -> String) { write(.notice, message) }
  public static func info(_ message: @autoclosure () -> String) { write(.info, message) }
  public static func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

  /// Writes a line of a level that is known only now.
  public static func write(_ level: Level, _ message: () -> String) {
    guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
    // A message may quote a file name or a tag: no control character of theirs reaches the terminal or splits a line.
    var line = program.withLock { $0.map { $0 + ": " } ?? level.mark }
    for scalar in message().unicodeScalars {
      if scalar.properties.generalCategory == .control {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    line += "\n"
    let bytes = Array(line.utf8)
    let waits = backlog.withLock { backlog in
      if backlog?.take(bytes) == true { startWriter() }
      return backlog == nil
    }
    if waits { writeAll(bytes) }
  }

  private static func startWriter() {
    // Signals are for the thread that asks for them.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    if pthread_create(&thread, nil, logWriterMain, nil) == 0 { pthread_detach(thread) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// On the thread of the writer, which ends when nothing is left.
  fileprivate static func writeBacklog() {
    while let bytes = backlog.withLock({ $0?.next() }) { writeAll(bytes) }
  }

  private static func writeAll(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

private nonisolated func logWriterMain(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  Log.writeBacklog()
  return nil
}

/// Lines that stderr has not taken yet.
private struct LogBacklog {
  private var bytes: [UInt8] = []
  /// The number of lines that were left out since, because there were too many.
  private var lost = 0
  /// A thread writes what is here.
  private var isWriting = false

  private static let most = 256 * 1024

  /// Writes `line` if nothing is before it and stderr takes it at once, else keeps it. True: a thread is to be started
  /// that writes what `next` returns.
  mutating func take(_ line: [UInt8]) -> Bool {
    if !isWriting, Self.isTaken(line.count) {
      _ = Glibc.write(2, line, line.count)
      return false
    }
    if bytes.count + line.count <= Self.most { bytes += line } else { lost += 1 }
    defer { isWriting = true }
    return !isWriting
  }

  /// Whether so many bytes can be written without waiting: PIPE_BUF of them can where poll(2) says that any can.
  private static func isTaken(_ count: Int) -> Bool {
    guard count <= Int(PIPE_BUF) else { return false }
    var wanted = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// Returns the bytes to be written next. Returns nil if there are none, and nothing is being written from now on.
  mutating func next() -> [UInt8]? {
    if bytes.isEmpty, lost > 0 {
      bytes = Array("segue: \(lost) lines of the log were lost, because nobody read it\n".utf8)
      lost = 0
    }
    defer { bytes = [] }
    isWriting = !bytes.isEmpty
    return isWriting ? bytes : nil
  }
}
