import Glibc
import SegueSystem
import SegueTestKit

/// The real `segue-ui` in a terminal: tmux(1) is the terminal, and an interactive dash the shell that starts it,
/// suspends it and continues it. Unlike bash, dash neither edits lines nor restores the settings of the terminal after
/// a program: the settings are those that the interface has left. Only the thread of the test uses it.
final class InterfaceProcess {
  private let folder: TemporaryFolder
  private let environment: [String: String]
  private var socket: String { "\(folder.path)/tmux" }

  /// Opens a terminal and starts the interface with `arguments` after `segue ui` in the command line. `configuration`
  /// is the contents of its file `ui.conf`.
  init(
    _ daemon: FilePath, _ arguments: String = "", rows: Int = 24, columns: Int = 80,
    environment: [String: String] = [:],
    configuration: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    self.environment = [
      "PATH": "\(WorkerProcess.product("segue").parent):/usr/bin:/bin", "HOME": folder.path.description,
      "LC_ALL": "C.UTF-8", "SEGUE_SOCKET": daemon.description,
    ].merging(environment) { $1 }
    if let configuration {
      try Folder.create(configurationPath.parent)
      try SmallFile.write(Array(configuration.utf8), to: configurationPath)
    }
    // The settings of the terminal must be the same before and after the interface.
    try tmux(
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "exec env -u ENV PS1='\(Self.prompt)' dash -i")
    try waitFor(Self.prompt)
    keys("stty -g > \(settingsPath("before"))", "Enter")
    keys("segue ui \(arguments)", "Enter")
  }

  deinit { _ = try? tmux("kill-server") }

  private static let prompt = "ready>"

  /// The folder that has the folder with `ui.conf`, which another interface may share.
  var configurationFolder: FilePath { folder.path.appending(".config") }
  private var configurationPath: FilePath { configurationFolder.appending("segue/ui.conf") }

  /// The contents of `ui.conf`.
  var configuration: String {
    get throws { String(decoding: try SmallFile.read(configurationPath, upTo: 10_000), as: UTF8.self) }
  }

  /// Writes `ui.conf` as an editor does.
  func edit(configuration: String) throws { try SmallFile.replace(configurationPath, with: Array(configuration.utf8)) }

  /// Makes `ui.conf` a link to a file.
  func link(configuration file: FilePath) throws {
    _ = configurationPath.withCString { unlink($0) }
    _ = try checked("symlink") {
      configurationPath.withCString { path in file.withCString { symlink($0, path) } }
    }
  }

  private func settingsPath(_ name: String) -> FilePath { folder.path.appending(name) }

  private func command(_ arguments: [String]) -> [String] {
    ["tmux", "-u", "-S", socket, "-f", "/dev/null"] + arguments
  }

  /// Executes a command of tmux.
  private func tmux(_ arguments: String...) throws {
    // The output is not read: the first command starts the server of tmux, which would keep a pipe open.
    let code = try ChildProcess(command(arguments), environment: environment).end(0)
    guard code == 0 else { throw Unexpected("tmux \(arguments) has failed") }
  }

  /// Executes a command of tmux and returns its output.
  private func query(_ arguments: String...) throws -> String {
    try ChildProcess.run(command(arguments), environment: environment).text
  }

  // MARK: Input

  /// Presses keys by the names that tmux has for them, or types a text.
  func keys(_ keys: String...) { self.keys(keys) }

  func keys(_ keys: [String]) {
    for key in keys { _ = try? tmux("send-keys", key) }
  }

  /// Sends literal bytes, such as a report of the mouse.
  func send(_ text: String) throws { try tmux("send-keys", "-l", text) }

  /// Reports a press and a release of the mouse. Row and column count from 0.
  func click(row: Int, column: Int) throws {
    try send("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
  }

  func resize(rows: Int, columns: Int) throws { try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)") }

  // MARK: Terminals around tmux

  /// Sets options of tmux to “on” or “off”.
  func setOptions(_ options: [String: String]) throws {
    for (name, value) in options { try tmux("set-option", "-g", name, value) }
  }

  /// Attaches a terminal with a name, as long as it exists. The pane becomes one row smaller than the terminal.
  func attach(_ name: String, rows: UInt16 = 30, columns: UInt16 = 100) throws -> OuterTerminal {
    try OuterTerminal(
      name: name, rows: rows, columns: columns, command(["attach-session"]), environment: environment)
  }

  /// Whether tmux knows the name of the terminal that was attached last.
  func knows(_ name: String) throws -> Bool {
    try query("list-clients", "-F", "#{client_termtype}").contains(name)
  }

  func detach() throws { try tmux("detach-client", "-s", "0") }

  /// Opens a window that covers that of the interface.
  func coverWindow() throws { try tmux("new-window", "exec cat") }

  /// Shows the window of the interface again.
  func uncoverWindow() throws { try tmux("last-window") }

  // MARK: Output

  func screen() throws -> [String] {
    try query("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The screen with the sequences for its colours.
  var colors: String { get throws { try query("capture-pane", "-p", "-e") } }

  /// Waits until the screen contains a text, and returns its lines.
  @discardableResult
  func waitFor(_ text: String) throws -> [String] {
    try waitFor("the text “\(text)”") { lines in lines.contains { $0.contains(text) } }
  }

  /// Waits until the screen satisfies a condition, and returns its lines.
  @discardableResult
  func waitFor(_ what: String, _ condition: ([String]) -> Bool) throws -> [String] {
    var lines: [String] = []
    do {
      try waitUntil("the screen shows \(what)", every: .milliseconds(20)) {
        lines = try screen()
        return condition(lines)
      }
    } catch {
      throw Unexpected("the screen does not show \(what):\n\(lines.joined(separator: "\n"))")
    }
    return lines
  }

  /// The modes of the terminal that the interface sets: the alternate screen, mouse reports and bracketed paste.
  var modes: String {
    get throws { try query("display-message", "-p", "#{alternate_on}#{mouse_button_flag}#{cursor_flag}") }
  }

  /// The title of the pane of tmux.
  var paneTitle: String { get throws { try query("display-message", "-p", "#{pane_title}") } }

  /// Whether the whole screen scrolls.
  var scrollsWholeScreen: Bool {
    get throws {
      try query("display-message", "-p", "#{e|-:#{pane_height},#{scroll_region_lower}} #{scroll_region_upper}")
        == "1 0\n"
    }
  }

  /// The settings of the terminal, as stty(1) prints them.
  private var settings: String {
    get throws {
      let terminal = try query("display-message", "-p", "#{pane_tty}").split(separator: "\n").first ?? ""
      return try ChildProcess.run(["stty", "-a", "-F", String(terminal)], environment: environment).text
    }
  }

  /// The process id of the guardian, which waits for the interface; nil if it does not run.
  var guardian: pid_t? {
    get throws {
      let shell = try query("display-message", "-p", "#{pane_pid}").split(separator: "\n").first ?? ""
      return pid_t(shell).flatMap(Self.child)
    }
  }

  /// The process id of the interface; nil if it does not run.
  var pid: pid_t? { get throws { try guardian.flatMap(Self.child) } }

  private static func child(of parent: pid_t) -> pid_t? {
    let children = try? SmallFile.read(FilePath("/proc/\(parent)/task/\(parent)/children"), upTo: 4_096)
    return children.flatMap { String(decoding: $0, as: UTF8.self).split(separator: " ").first }.flatMap { pid_t($0) }
  }

  /// Waits for the prompt of the shell after the interface has ended or stopped. Returns whether the terminal is as it
  /// was before the interface: its settings, modes and scroll region.
  func isRestored() throws -> Bool {
    try waitUntil("the interface has left the screen") { try modes == "001\n" }
    // A line that is typed before reaches the shell with another character at its end.
    try waitUntil("the terminal edits lines") { try !settings.contains("-icanon") }
    settingsPath("after").withCString { _ = unlink($0) }
    keys(
      "Enter", "stty -g > \(settingsPath("after.new")); mv \(settingsPath("after.new")) \(settingsPath("after"))",
      "Enter")
    let after = waitForValue { try? SmallFile.read(settingsPath("after"), upTo: 1_000) }
    return try scrollsWholeScreen && after == SmallFile.read(settingsPath("before"), upTo: 1_000)
  }
}
