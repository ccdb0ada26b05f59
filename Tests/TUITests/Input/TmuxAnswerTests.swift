import SegueClientKit
import Testing

@testable import SegueTUI

/// Tests of the answers of tmux.
@Suite struct TmuxAnswerTests {
  private static let kitty = "xterm-kitty\tkitty(0.40.0)\t1\t100\t@1\n"

  private func terminal(_ pane: String, _ clients: String) -> GraphicsTerminal? {
    Tmux.terminal(answer: pane + "\n" + clients, path: "/dev/pts/3")
  }

  @Test(arguments: [
    kitty, kitty + kitty, "xterm-256color\tkitty(1.0)\t1\t9\t@1\n", "xterm-ghostty\tghostty 1.2.0\t1\t9\t@1\n",
  ])
  func placeholdersAreUsedIfTheOptionsAreOnAndAllTerminalsDisplayThem(clients: String) {
    for option in ["1", "2", "on", "all"] {
      var expected = GraphicsTerminal(graphicsProtocol: .placeholders)
      expected.setCellSize(width: 9, height: 18)
      #expect(terminal("/dev/pts/3\t\(option)\t1\t9\t18", clients) == expected)
    }
  }

  @Test func theSizeOfACellMayBeMissing() {
    #expect(terminal("/dev/pts/3\t1\t1\t\t0", Self.kitty) == GraphicsTerminal(graphicsProtocol: .placeholders))
  }

  @Test(arguments: [
    "/dev/pts/4\t1\t1\t9\t18", "/dev/pts/3\t0\t1\t9\t18", "/dev/pts/3\t1\t0\t9\t18", "/dev/pts/3\t\t1\t9\t18",
    "/dev/pts/3", "",
  ])
  func otherPanesAreNotUsed(pane: String) { #expect(terminal(pane, Self.kitty) == nil) }

  @Test(arguments: [
    "", kitty + "xterm-256color\tXTerm(390)\t1\t9\t@1\n", "xterm-kitty\t\t1\t9\t@1\n",
    "xterm-kitty\tkitty(0.27.1)\t1\t9\t@1\n", "xterm-kitty\tkitty(0.40.0)\t0\t9\t@1\n",
    "xterm\tkitty(0.40.0)\t1\t9\t@1\n", "xterm-256color\tWezTerm 20240203\t1\t9\t@1\n",
    "tmux-256color\ttmux 3.3a\t1\t9\t@1\n",
  ])
  func otherTerminalsAreNotUsed(clients: String) { #expect(terminal("/dev/pts/3\t1\t1\t9\t18", clients) == nil) }
}
