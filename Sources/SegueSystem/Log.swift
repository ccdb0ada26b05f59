internal import Glibc
internal import Synchronization

/// Lines on stderr, each with its syslog priority in front when systemd reads them (`JOURNAL_STREAM`), so that
/// `journalctl -p` works, or the parent process (`ChildMessages`), and without it on a terminal. Safe from any thread;
/// not from the audio callback.
public enum Log {
  public enum Level: Int32, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

    /// The beginning of a line of this level, as sd-daemon(3) and `ChildMessages` read it.
    var mark: String { "<\(rawValue)>" }
  }

  private static let threshold = Atomic<Int32>(Level.info.rawValue)
  /// The name that lines begin with; nil if they begin with their priority.
  private static let program = Mutex<String?>("segue")

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
    _ = line.withUTF8 { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
