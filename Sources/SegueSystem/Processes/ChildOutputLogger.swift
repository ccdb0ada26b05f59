internal import Glibc

/// A logger of the standard output and error of a child process, line by line under the child's name.
///
/// A hostile file may have taken over the child, so its output is limited: a long line is logged in pieces, and the
/// output of a child that writes too many lines is no longer read. Not thread-safe: one thread uses it.
public final class ChildOutputLogger {
  private let descriptor: Descriptor
  private let name: String
  private var line: [UInt8] = []
  private var allowance = TokenBucket(
    capacity: ChildOutputLogger.maximumBurst, perSecond: ChildOutputLogger.linesPerSecond)

  /// The maximum length of a line in bytes.
  private static let maximumLineLength = 1_024
  /// The maximum number of lines, or pieces of lines, at once.
  private static let maximumBurst = 64.0
  private static let linesPerSecond = 1.0

  /// - Parameters:
  ///   - descriptor: The reading end of a non-blocking pipe.
  ///   - name: The name of the child in the log.
  init(reading descriptor: consuming Descriptor, of name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// The descriptor that is readable when there is output to `forward`.
  public var raw: Int32 { descriptor.raw }

  /// Logs the lines that have arrived, without blocking.
  ///
  /// Returns false when nothing more is to be read, because the child has closed its end or has written too much. The
  /// caller must release the logger then, so that the child does not wait for a full pipe to be read.
  public func forward() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor.raw, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN
      }
      guard count > 0 else {
        if !line.isEmpty { _ = logLine() }
        return false
      }
      for byte in buffer[..<count] {
        let isEnd = byte == UInt8(ascii: "\n")
        if !isEnd { line.append(byte) }
        guard isEnd || line.count == Self.maximumLineLength else { continue }
        guard logLine() else { return false }
      }
    }
  }

  /// Logs the current line at the level that it begins with. Returns false if it exceeds the limit.
  private func logLine() -> Bool {
    defer { line.removeAll(keepingCapacity: true) }
    guard allowance.take() else {
      Log.warning("\(name) writes too many messages; the rest of them is not logged")
      return false
    }
    let text = String(decoding: line, as: UTF8.self)
    let level = Log.Level.allCases.first { text.hasPrefix($0.prefix) }
    let message = level.map { text.dropFirst($0.prefix.count) } ?? text[...]
    // Messages of libraries, and of the Swift runtime at a crash, have no level.
    if !message.isEmpty { Log.write(level ?? .warning) { "\(name): \(message)" } }
    return true
  }
}
