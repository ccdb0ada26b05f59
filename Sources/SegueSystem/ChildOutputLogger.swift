internal import Glibc

/// The messages of a child process: what it writes to its standard output and error, logged line by line under its name.
///
/// The child may have been taken over by what it reads, so that what it writes is bounded: a longer line is logged in
/// pieces, and a child that writes more than is allowed is not read any more. Not thread-safe: one thread has it.
public final class ChildOutputLogger {
  private let descriptor: Descriptor
  private let name: String
  private var line: [UInt8] = []
  private var allowance = TokenBucket(capacity: ChildOutputLogger.mostAtOnce, perSecond: ChildOutputLogger.perSecond)

  /// The greatest length of a line in bytes.
  private static let maximumLineLength = 1_024
  /// Lines, or pieces of them.
  private static let mostAtOnce = 64.0
  private static let perSecond = 1.0

  /// `descriptor`: the reading end of a pipe, which does not block. `name`: of the child, for the log.
  init(reading descriptor: consuming Descriptor, of name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// The descriptor that is readable when there is something to `forward`.
  public var raw: Int32 { descriptor.raw }

  /// Logs the lines that have come, and does not wait for others. Returns false once nothing more is to be read: the
  /// child has closed its end, or has written too much. It is to be let go then, so that the child cannot fill the pipe.
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

  /// Logs what was gathered, at the level that it begins with. Returns false if that is one line too many.
  private func logLine() -> Bool {
    defer { line.removeAll(keepingCapacity: true) }
    guard allowance.take() else {
      Log.warning("\(name) writes too many messages; the rest of them is not logged")
      return false
    }
    let text = String(decoding: line, as: UTF8.self)
    let level = Log.Level.allCases.first { text.hasPrefix($0.mark) }
    let message = level.map { text.dropFirst($0.mark.count) } ?? text[...]
    // Messages of libraries, and of the runtime at a crash, have no level.
    if !message.isEmpty { Log.write(level ?? .warning) { "\(name): \(message)" } }
    return true
  }
}
