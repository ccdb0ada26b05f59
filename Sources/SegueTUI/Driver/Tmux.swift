internal import Glibc
internal import SegueClientKit
internal import SegueSystem

/// Pictures in a pane of tmux(1) that the terminals around it display.
///
/// tmux itself is asked, by its own program, and the terminals are not: tmux would hand their responses to whichever
/// pane is active when they arrive, as keys. The program talks to the server that draws the pane, and takes some
/// milliseconds.
struct Tmux {
  /// The capabilities of tmux as a terminal.
  private let own: GraphicsTerminal?
  /// The last answer of tmux; nil if there was none.
  private var answer: String?

  /// Whether the last question had no answer in time, although the program runs in tmux.
  var isSilent: Bool { answer == nil && Self.pane != nil }

  /// The pane of the program; nil if it does not run in tmux.
  private static var pane: String? {
    guard TerminalEnvironment.usesUTF8, Directories.environment("TMUX") != nil else { return nil }
    return Directories.environment("TMUX_PANE")?.description
  }

  init(own: GraphicsTerminal?) { self.own = own }

  /// Asks tmux how pictures are displayed in the pane whose terminal is `descriptor`: by the terminals around tmux if
  /// they can, and by tmux otherwise; the terminal is nil if neither can. `hasChanged` is whether others display the
  /// pane than at the last time, which may not have its pictures. Blocks for some milliseconds.
  mutating func ask(_ descriptor: Int32) -> (terminal: GraphicsTerminal?, hasChanged: Bool) {
    guard let path = ttyname(descriptor).map({ String(cString: $0) }) else { return (own, false) }
    let before = answer
    answer = Self.answer()
    return (answer.flatMap { Self.terminal(answer: $0, path: path) } ?? own, before != answer)
  }

  /// The maximum time for the answer of tmux.
  private static let timeout = MediaTime.milliseconds(200)

  /// What tmux is asked: the pane, and in the other lines, each client of its session.
  private static let paneFormat =
    "#{pane_tty}\t#{allow-passthrough}\t#{focus-events}\t#{window_cell_width}\t#{window_cell_height}"
  private static let clientFormat =
    "#{client_termname}\t#{client_termtype}\t#{client_utf8}\t#{client_pid}\t#{window_id}"

  /// Returns the answer of tmux; nil if there is none.
  private static func answer() -> String? {
    guard let pane else { return nil }
    let answer = try? Spawn.output(
      of: "tmux",
      ["display-message", "-p", "-t", pane, paneFormat, ";", "list-clients", "-t", pane, "-F", clientFormat],
      upTo: 65_536, within: timeout)
    return answer.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the terminal around tmux that an answer describes; nil if it does not display pictures.
  ///
  /// - The pane must have the terminal at `path`. The environment may be that of a pane in which another terminal was
  ///   started.
  /// - The option `allow-passthrough` lets pictures through. Older versions of tmux than 3.3 have no such option.
  /// - With the option `focus-events`, tmux reports when the pane is shown again: terminals lose pictures when tmux is
  ///   detached, and do not receive those that are sent to a hidden pane.
  /// - Every client of the session must display placeholders, because all of them receive the same cells.
  static func terminal(answer: String, path: String) -> GraphicsTerminal? {
    let lines = answer.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    guard lines.count > 1, lines[0].count == 5, lines[0][0] == path, ["1", "2", "on", "all"].contains(lines[0][1]),
      ["1", "on"].contains(lines[0][2]),
      lines.dropFirst().allSatisfy({ $0.count == 5 && displaysPlaceholders($0[0], $0[1]) && $0[2] == "1" })
    else { return nil }
    var terminal = GraphicsTerminal(graphicsProtocol: .placeholders)
    if let width = Int(lines[0][3]), let height = Int(lines[0][4]), width > 0, height > 0 {
      terminal.setCellSize(width: width, height: height)
    }
    return terminal
  }

  /// Whether a terminal displays pictures in place of placeholders: kitty since version 0.28, and Ghostty. Others with
  /// the kitty graphics protocol, such as Konsole and WezTerm, do not. Its description must have 256 colours, which
  /// tmux changes otherwise.
  private static func displaysPlaceholders(_ description: Substring, _ type: Substring) -> Bool {
    guard ["xterm-kitty", "xterm-ghostty"].contains(description) || description.hasSuffix("256color") else {
      return false
    }
    if type.hasPrefix("ghostty ") { return true }
    guard type.hasPrefix("kitty(") else { return false }
    let version = type.dropFirst(6).split { $0 == "." || $0 == ")" }.map { Int($0) ?? 0 }
    return version.count > 1 && (version[0], version[1]) >= (0, 28)
  }
}
