internal import Glibc
internal import SegueClientKit
internal import SegueSystem
internal import SegueUnicode

/// The standard output, which is buffered until `flush`, and the unbuffered standard error.
final class Console {
  let style: Style
  private let quiet: Bool
  private var pending: [UInt8] = []
  private var paging = Paging.off
  /// The number of the line, counted from 1, that the pager shows in the middle of the screen; nil for the first
  /// screen.
  private var pagedLine: Int?

  /// The use of a pager.
  private enum Paging {
    case off
    /// The output is kept until it has more lines than the screen, which has `rows`.
    case ifLonger(rows: Int)
    case on(Pager)
  }

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

  /// Shows the output with a pager if it becomes longer than the screen. Has no effect unless input and output are
  /// terminals.
  func pageIfLong() {
    guard Terminal.isTerminal(0), let size = Terminal.size(of: 1), size.rows > 0 else { return }
    paging = .ifLonger(rows: size.rows)
  }

  /// Makes the pager, if it shows the output, begin around the line with this number, counted from 1.
  func startPager(atLine line: Int) { pagedLine = line }

  /// Prints a line to standard output unless `--quiet` is given.
  func printLine(_ text: String) { printLine(bytes: Array(text.utf8)) }

  /// Prints one line of JSON.
  func printLine(json: [UInt8]) { printLine(bytes: JSONLine.escapingControls(json)) }

  func printLine(bytes: [UInt8]) {
    write(bytes)
    write([UInt8(ascii: "\n")])
  }

  /// Prints bytes without a line feed unless `--quiet` is given.
  func write(_ bytes: [UInt8]) {
    if quiet { return }
    pending += bytes
  }

  /// Writes the buffered output, unless it is kept for a pager. The buffer is empty afterwards even if an error is
  /// thrown.
  func flush() throws(WriteFailure) {
    if case .ifLonger(let rows) = paging {
      guard pending.count(where: { $0 == UInt8(ascii: "\n") }) >= rows else { return }
      paging = Pager(firstLine: pagedLine.map { max(1, $0 - rows / 2) }).map(Paging.on) ?? .off
    }
    try writePending()
  }

  /// Writes all output, and waits until the user leaves the pager.
  func finish() throws(WriteFailure) {
    defer { if case .on(let pager) = paging { pager.finish() } }
    try flush()
    try writePending()
  }

  private func writePending() throws(WriteFailure) {
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

  /// Prints an error and its hints to standard error. The stable name of the error follows the message unless standard
  /// error is a terminal: only programs need it.
  func printError(_ message: String, kind: String? = nil, hints: [String] = []) {
    let name = Terminal.isTerminal(2) ? nil : kind
    let line = "segue: \(message)" + (name.map { " (\($0))" } ?? "")
    let text = ([line] + hints.map { "  \($0)" }).map(\.visible).flatMap(Self.wrapped).joined(separator: "\n") + "\n"
    standardError(style.withASCIIFallback(text))
  }

  /// Returns a line of an error in lines that fit the terminal, which would break words. A line with a word that is
  /// longer, such as a path, stays whole so that it can be copied.
  private static func wrapped(_ line: String) -> [String] {
    guard let columns = Terminal.columns(of: 2), DisplayWidth.of(line) > columns else { return [line] }
    let indent = "    "
    let available = columns - indent.utf8.count
    guard !line.split(separator: " ").contains(where: { DisplayWidth.of(String($0)) > available }) else {
      return [line]
    }
    let lines = line.wrapped(to: available)
    return lines.prefix(1) + lines.dropFirst().map { indent + $0.drop { $0 == " " } }
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

  /// Whether progress messages are shown. The screen belongs to the pager while it runs.
  var showsProgress: Bool {
    if case .on = paging { return false }
    return !quiet && Terminal.isTerminal(2)
  }

  private func standardError(_ text: String) {
    var text = text
    _ = text.withUTF8 { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
