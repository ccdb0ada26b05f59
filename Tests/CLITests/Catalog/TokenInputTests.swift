import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of the input of a token.
@Suite struct TokenInputTests {
  let daemon: StubDaemon

  init() throws { daemon = try StubDaemon(RecordedCatalogResponses.standard) }

  private static let command = "\(WorkerProcess.product("segue")) providers token tmdb"

  private func request(_ token: String) -> String {
    #"catalog.setToken {"provider":"tmdb","token":"\#(token)"}"#
  }

  private func pipe(_ command: String) throws -> (code: Int32?, text: String) {
    try ChildProcess.run(
      ["sh", "-c", "\(command) | \(Self.command)"], environment: daemon.environment, errors: true)
  }

  @Test func tokenInAPipe_isReadWithoutSpaceAroundIt() throws {
    let outcome = try pipe(#"printf ' abc.def \r\n'"#)
    #expect(outcome.code == 0 && outcome.text == "the token of tmdb is stored\n")
    #expect(daemon.requests == [request("abc.def")])
  }

  /// The daemon limits the length of a token. The client limits only what it reads.
  @Test func longToken_isNotTruncated() throws {
    #expect(try pipe("head -c 5000 /dev/zero | tr '\\0' a").code == 0)
    #expect(daemon.requests == [request(String(repeating: "a", count: 5_000))])
    let endless = try pipe("tr '\\0' a < /dev/zero")
    #expect(endless.code == 2 && endless.text == "segue: the token is too long\n")
    #expect(daemon.requests.count == 1)
  }

  /// A terminal on which an interactive shell, which survives an interrupt, starts the program.
  private final class Session {
    let ends: PseudoTerminal
    let child: ChildProcess
    private(set) var text = ""

    init(environment: [String: String]) throws {
      ends = try PseudoTerminal(rows: 24, columns: 80, isRaw: false)
      let shell = "trap : INT; \(TokenInputTests.command); echo \"status $?\"; read -r line"
      child = try ChildProcess(
        ["sh", "-c", "exec setsid --ctty sh -c '\(shell)' <&3"], environment: environment, output: ends.program,
        errors: ends.program, third: ends.program)
    }

    deinit {
      child.end(SIGKILL)
      close(ends.program)
      close(ends.terminal)
    }

    func type(_ keys: String) throws {
      let bytes = Array(keys.utf8)
      let count = try checked("write", "terminal") { write(ends.terminal, bytes, bytes.count) }
      #expect(count == bytes.count)
    }

    /// Waits until the terminal shows a text.
    func wait(for wanted: String) throws {
      var chunk = [UInt8](repeating: 0, count: 1 << 12)
      try waitUntil("the terminal shows “\(wanted)”; it shows “\(text)”") {
        var entry = pollfd(fd: ends.terminal, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, 0) > 0 {
          let count = try checked("read", "terminal") { read(ends.terminal, &chunk, chunk.count) }
          text += String(decoding: chunk[..<count], as: UTF8.self)
        }
        return text.contains(wanted)
      }
    }

    var flags: tcflag_t {
      var settings = termios()
      tcgetattr(ends.program, &settings)
      return settings.c_lflag
    }
  }

  private func session() throws -> Session {
    let session = try Session(environment: daemon.environment)
    try session.wait(for: "Token of tmdb: ")
    return session
  }

  private static let editedKeys = [
    "abc\n", "abx\u{7F}c\n", "xyz\u{15}abc\n", "abcж\u{7F}\n", "\u{7F}abc\n", "abc\u{4}",
    String(repeating: "x", count: 5_000) + "\u{15}abc\n",
  ].map { LongArgument($0) }

  @Test(arguments: editedKeys)
  func typedToken_canBeEditedAndIsNotShown(keys: LongArgument) throws {
    let session = try session()
    let flags = session.flags
    #expect(flags & tcflag_t(ECHO) == 0)
    try session.type(keys.text)
    try session.wait(for: "status ")
    #expect(!session.text.contains("abc"))
    #expect(session.text.contains("the token of tmdb is stored"))
    #expect(session.flags & tcflag_t(ECHO) != 0)
    #expect(daemon.requests == [request("abc")])
  }

  @Test func longTypedToken_isNotTruncated() throws {
    let session = try session()
    let token = String(repeating: "a", count: 5_000)
    try session.type(token + "\n")
    try session.wait(for: "status 0")
    #expect(daemon.requests == [request(token)])
  }

  @Test func interruptAtThePrompt_restoresTheTerminal() throws {
    let session = try session()
    try session.type("abc\u{3}")
    try session.wait(for: "status 130")
    let expected = tcflag_t(ECHO | ICANON | ISIG)
    #expect(session.flags & expected == expected)
    #expect(daemon.requests == [])
  }
}
