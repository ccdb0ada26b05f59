internal import Glibc
internal import SegueSystem

/// Standard output, gathered until `flush`, and standard error, at once.
final class Console {
  let style: Style
  private let quiet: Bool
  private var pending: [UInt8] = []

  /// Standard output cannot be written to.
  enum WriteFailure: Error {
    /// Whoever read has enough: no error.
    case readerGone
    case system(SystemError)
  }

  init(style: Style, quiet: Bool) {
    self.style = style
    self.quiet = quiet
  }

  /// A line for standard output; nothing under `--quiet`.
  func line(_ text: String) { line(bytes: Array(text.utf8)) }

  func line(bytes: [UInt8]) {
    part(bytes: bytes)
    part(bytes: [UInt8(ascii: "\n")])
  }

  /// A piece of a line.
  func part(bytes: [UInt8]) {
    if quiet { return }
    pending += bytes
  }

  func flush() throws(WriteFailure) {
    var written = 0
    defer { pending.removeAll(keepingCapacity: true) }
    while written < pending.count {
      let count = pending.withUnsafeBytes { write(1, $0.baseAddress! + written, $0.count - written) }
      if count >= 0 {
        written += count
      } else if errno == EPIPE {
        throw .readerGone
      } else if errno != EINTR {
        throw .system(SystemError("write", "standard output"))
      }
    }
  }

  /// A message on standard error with what would help below it.
  func complain(_ message: String, hints: [String] = []) {
    let text = (["segue: \(message.visible)"] + hints.map { "  \($0.visible)" }).joined(separator: "\n") + "\n"
    standardError(style.words(text))
  }

  /// A passing note for a person who waits; `clearNote` takes it away. Only on a terminal, and not under `--quiet`.
  func note(_ text: String) {
    guard showsNotes else { return }
    let columns = Terminal.columns(of: 2) ?? style.columns
    standardError("\r" + style.words(text).visible.cut(to: max(1, columns - 1), mark: style.ellipsis))
  }

  func clearNote() {
    guard showsNotes else { return }
    standardError("\r\u{1B}[K")
  }

  /// Notes are seen.
  var showsNotes: Bool { !quiet && Terminal.isTerminal(2) }

  private func standardError(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(2, $0.baseAddress, $0.count) }
  }
}
