internal import Glibc
internal import Synchronization

/// The log, which goes to standard error. If systemd reads it (`JOURNAL_STREAM`), or the parent process
/// (`ChildOutputLogger`), every line begins with its syslog priority, so that `journalctl -p` works; otherwise with the
/// name of the program. Any thread may use it, except in the audio callback.
public enum Log {
  /// A level of importance, as in syslog(3).
  public enum Level: Int32, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

    /// The prefix of a line of this level, as sd-daemon(3) and `ChildOutputLogger` read it.
    var prefix: String { "<\(rawValue)>" }
  }

  private static let threshold = Atomic<Int32>(Level.info.rawValue)
  /// The name that lines begin with; nil if lines begin with their priority.
  private static let program = Mutex<String?>("segue")
  /// The lines that standard error has not accepted yet; nil if threads that log wait until their lines are accepted.
  private static let backlog = Mutex<LogBacklog?>(nil)

  /// Sets the name of the program and the highest level that is logged. Called by `main`, before another thread starts.
  public static func start(program name: String, upTo level: Level) {
    program.withLock { $0 = getenv("JOURNAL_STREAM") == nil ? name : nil }
    threshold.store(level.rawValue, ordering: .relaxed)
  }

  /// Starts the log of a child process, whose lines begin with their priority for the parent process. Called by `main`,
  /// before another thread starts.
  public static func startAsChild(upTo level: Level) {
    program.withLock { $0 = nil }
    threshold.store(level.rawValue, ordering: .relaxed)
  }

  /// Makes logging non-blocking: if a full pipe, a stopped terminal or a busy journal does not accept a line at once,
  /// another thread writes it. Only programs that may start a thread at any time call this.
  public static func enableBacklog() { backlog.withLock { $0 = LogBacklog() } }

  public static func error(_ message: @autoclosure () -> String) { write(.error, message) }
  public static func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  public static func notice(_ message: @autoclosure () -> String) { write(.notice, message) }
  public static func info(_ message: @autoclosure () -> String) { write(.info, message) }
  public static func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

  /// Writes a line of any level.
  public static func write(_ level: Level, _ message: () -> String) {
    guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
    // A message may quote a file name or a tag, whose control characters must not reach the terminal or split the line.
    var line = program.withLock { $0.map { $0 + ": " } ?? level.prefix }
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
      if backlog?.writeOrAppend(bytes) == true { startWriter() }
      return backlog == nil
    }
    if waits { writeAll(bytes) }
  }

  private static func startWriter() {
    // The thread blocks all signals, which other threads handle.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    if pthread_create(&thread, nil, logWriterMain, nil) == 0 { pthread_detach(thread) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Writes the backlog. Runs on the thread of the writer, which ends with the backlog.
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

/// The lines that standard error has not accepted yet.
private struct LogBacklog {
  private var bytes: [UInt8] = []
  /// The number of lines that were dropped because the backlog was full.
  private var dropped = 0
  /// Whether a thread is writing the backlog.
  private var isWriting = false

  private static let maximumSize = 256 * 1024

  /// Writes `line` if the backlog is empty and standard error accepts the line at once; otherwise appends it to the
  /// backlog. Returns true if the caller must start a thread that writes what `next` returns.
  mutating func writeOrAppend(_ line: [UInt8]) -> Bool {
    if !isWriting, Self.canWrite(line.count) {
      _ = Glibc.write(2, line, line.count)
      return false
    }
    if bytes.count + line.count <= Self.maximumSize { bytes += line } else { dropped += 1 }
    defer { isWriting = true }
    return !isWriting
  }

  /// Returns whether `count` bytes can be written without waiting. If poll(2) reports that a pipe is writable, PIPE_BUF
  /// bytes can be written.
  private static func canWrite(_ count: Int) -> Bool {
    guard count <= Int(PIPE_BUF) else { return false }
    var wanted = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// Returns the bytes to be written next; nil if there are none, which ends the writing.
  mutating func next() -> [UInt8]? {
    if bytes.isEmpty, dropped > 0 {
      bytes = Array("segue: \(dropped) lines of the log were lost, because nobody read it\n".utf8)
      dropped = 0
    }
    defer { bytes = [] }
    isWriting = !bytes.isEmpty
    return isWriting ? bytes : nil
  }
}
