internal import Glibc
internal import SegueFrontend
internal import SegueSystem

/// The standard output, which is buffered until `flush`, and the unbuffered standard error.
final class Console {
  let style: Style
  private let quiet: Bool
  private var pending: [UInt8] = []

  /// An error while writing to standard output.
  enum WriteFailure: Error {
    /// The reader closed standard output. This is not reported as an error.
    case outputClosed
    case system(SystemError)
  }

  init(style: Style, quiet: Bool) {
    self.style = style
    self.quiet = quiet
  }

  /// Prints a line to standard output unless `--quiet` is given.
  func printLine(_ text: String) { printLine(bytes: Array(text.utf8)) }

  func printLine(bytes: [UInt8]) {
    write(bytes)
    write([UInt8(ascii: "\n")])
  }

  /// Prints bytes without a line feed unless `--quiet` is given.
  func write(_ bytes: [UInt8]) {
    if quiet { return }
    pending += bytes
  }

  /// Writes the buffered output. The buffer is empty afterwards even if an error is thrown.
  func flush() throws(WriteFailure) {
    var written = 0
    defer { pending.removeAll(keepingCapacity: true) }
    while written < pending.count {
      let count = pending.withUnsafeBytes { Glibc.write(1, $0.baseAddress! + written, $0.count - written) }
      if count >= 0 {
        written += count
      } else if errno == EPIPE {
        throw .outputClosed
      } else if errno != EINTR {
        throw .system(SystemError("write", tr("standard output")))
      }
    }
  }

  /// Prints an error and its hints to standard error.
  func printError(_ message: String, hints: [String] = []) {
    let text = (["segue: \(message.visible)"] + hints.map { "  \($0.visible)" }).joined(separator: "\n") + "\n"
    standardError(style.withASCIIFallback(text))
  }

  /// Shows a temporary message on the terminal until `clearProgress`. Does nothing under `--quiet`.
  func showProgress(_ text: String) {
    guard showsProgress else { return }
    let columns = Terminal.columns(of: 2) ?? style.columns
    standardError(
      "\r" + style.withASCIIFallback(text).visible.truncated(to: max(1, columns - 1), ellipsis: style.ellipsis))
  }

  func clearProgress() {
    guard showsProgress else { return }
    standardError("\r\u{1B}[K")
  }

  /// Whether progress messages are shown.
  var showsProgress: Bool { !quiet && Terminal.isTerminal(2) }

  private func standardError(_ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
