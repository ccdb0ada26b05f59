import Glibc
import SegueSystem
import SegueTestKit

/// An interactive shell on a pseudo-terminal with the completions of contrib/completions. `segue` is a shell function
/// that stores its arguments; the completions call the program.
final class Shell {
  enum Kind: String, CaseIterable {
    case bash, zsh, fish

    var command: [String] {
      switch self {
      case .bash: ["/usr/bin/bash", "--norc", "--noprofile", "-i"]
      case .zsh: ["/usr/bin/zsh", "-f", "-i"]
      case .fish: ["/usr/bin/fish", "--no-config", "-i"]
      }
    }

    /// Returns the setup commands. The arguments of `segue` are stored in the file `arguments`.
    func setup(_ completions: FilePath, _ arguments: FilePath) -> String {
      let store = { (words: String) in
        "printf '%s\\0' \(words) >'\(arguments).new'; mv '\(arguments).new' '\(arguments)'"
      }
      switch self {
      case .bash:
        return """
          source '\(completions)/segue.bash'
          segue() { \(store("\"$@\"")); }
          PS1='\(Shell.prompt)'
          """
      case .zsh:
        return """
          fpath=('\(completions)' $fpath)
          autoload -Uz compinit
          compinit -u -D
          segue() { \(store("\"$@\"")) }
          LISTMAX=10000
          PS1='\(Shell.prompt)'
          """
      case .fish:
        return """
          source '\(completions)/segue.fish'
          function segue; \(store("$argv")); end
          function fish_prompt; echo -n '\(Shell.prompt)'; end
          """
      }
    }
  }

  private static let prompt = "ready> "

  private let folder: TemporaryFolder
  private let terminal: Int32
  private let pid: pid_t
  private var shown: [UInt8] = []
  private var arguments: FilePath { folder.path.appending("arguments") }

  /// Starts the shell and waits for its prompt. `socket` is the socket of the daemon.
  init(_ kind: Kind, socket: FilePath) throws {
    folder = try TemporaryFolder()
    let completions = Repository.root.appending("contrib/completions")
    let setup = try folder.write(
      "setup", Array(kind.setup(completions, folder.path.appending("arguments")).utf8))
    // The terminal is large enough for every list.
    let ends = try PseudoTerminal(rows: 400, columns: 200, isRaw: false)
    let name = String(cString: ttyname(ends.program))
    close(ends.program)
    terminal = ends.terminal
    let environment = [
      "PATH": "\(WorkerProcess.product("segue").parent):/usr/bin:/bin", "HOME": folder.path.description,
      "LC_ALL": "C.UTF-8", "TERM": "xterm", "SEGUE_SOCKET": socket.description,
    ]
    pid = try Self.spawn(kind.command, environment.merging(Sanitizer.environment) { $1 }, terminal: name)
    try type(" . '\(setup)'\n")
    _ = try screen { $0.contains(Self.prompt) }
  }

  deinit {
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
    close(terminal)
  }

  /// Types the line (a tab completes), presses Enter, and returns the arguments of `segue`.
  func arguments(of keys: String) throws -> [String] {
    _ = arguments.withCString { unlink($0) }
    try type(keys + "\n")
    try waitUntil("the shell executes \(keys); the terminal shows \(text)") {
      try drain()
      return arguments.withCString { access($0, F_OK) } == 0
    }
    guard let file = arguments.withCString({ fopen($0, "re") }) else { throw SystemError("fopen") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Types `keys` and returns the content of the terminal when `condition` holds. The line is not sent.
  func screen(after keys: String, until condition: (String) -> Bool) throws -> String {
    shown = []
    try type(keys)
    return try screen(until: condition)
  }

  private func screen(until condition: (String) -> Bool) throws -> String {
    try waitUntil("the terminal shows the expected content; it shows \(text)") {
      try drain()
      return condition(text)
    }
    return text
  }

  /// The raw output of the terminal.
  var text: String { String(decoding: shown, as: UTF8.self) }

  private func type(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    let count = try checked("write", "terminal") { write(terminal, bytes, bytes.count) }
    guard count == bytes.count else { throw Unexpected("the terminal accepts no more input") }
  }

  private func drain() throws {
    var wanted = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while poll(&wanted, 1, 0) > 0 {
      let count = read(terminal, &chunk, chunk.count)
      guard count > 0 else { throw Unexpected("the shell has ended: \(text)") }
      shown += chunk[..<count]
    }
  }

  /// Starts the shell as the leader of a session with this terminal.
  private static func spawn(_ command: [String], _ environment: [String: String], terminal: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // POSIX_SPAWN_SETSID, which the Glibc module does not export.
    let newSession: Int16 = 0x80
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | newSession)
    var words = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in words + variables { free(string) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, words[0]!, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemError("posix_spawn", command[0], code: code) }
    return child
  }
}
