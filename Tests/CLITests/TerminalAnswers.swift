import SegueTestKit
import Testing

/// What a terminal sends when a program asks for its capabilities.
struct TerminalAnswers: Sendable {
  /// The responses to the first requests.
  private let first: String
  /// The responses to the question for the kitty graphics protocol; nil if it is not asked.
  private let kitty: String?

  init(_ first: String, kitty: String? = nil) { (self.first, self.kitty) = (first, kitty) }

  static let kitty = TerminalAnswers(
    "\u{1B}P>|kitty(0.40)\u{1B}\\\u{1B}[6;20;10t\u{1B}[8;24;80t\u{1B}[?62;c",
    kitty: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c")

  /// Waits for the requests of a program and types the responses.
  func type(to process: ClientProcess) throws {
    for answer in [first, kitty].compactMap({ $0 }) {
      _ = try #require(try process.read(upTo: "\u{1B}[c"))
      try process.type(answer)
    }
  }
}
