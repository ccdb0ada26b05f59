import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of long output on a terminal, which a pager shows.
@Suite struct PagerTests {
  private let folder: TemporaryFolder
  private let daemon: StubDaemon

  init() throws {
    folder = try TemporaryFolder()
    daemon = try StubDaemon(RecordedLibraryResponses.standard)
  }

  private struct Outcome {
    /// The text that the pager has read; nil if none was started.
    var paged: String?
    /// The text that the terminal has received.
    var text: String
    var code: Int32?
  }

  /// Runs a command as a user does who types it at a terminal with this number of rows.
  private func run(
    _ words: String, rows: UInt16, input: String = "<&1", pager: String? = nil, daemon: StubDaemon? = nil
  ) throws -> Outcome {
    let terminal = try PseudoTerminal(rows: rows, columns: 80, isRaw: true)
    defer {
      close(terminal.terminal)
      close(terminal.program)
    }
    let seen = folder.path.appending("seen")
    Folder.removeFile(seen)
    let child = try ChildProcess(
      ["sh", "-c", "exec \(WorkerProcess.product("segue")) \(words) \(input)"],
      environment: [
        "SEGUE_SOCKET": "\((daemon ?? self.daemon).path)", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "NO_COLOR": "1",
        "PAGER": pager ?? "tee \(seen)",
      ], output: terminal.program)
    let code = child.end(0)
    let bytes = try? SmallFile.read(seen, upTo: 1 << 20)
    _ = fcntl(terminal.terminal, F_SETFL, O_NONBLOCK)
    var text = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(terminal.terminal, &text, text.count)
    return Outcome(
      paged: bytes.map { String(decoding: $0, as: UTF8.self) },
      text: String(decoding: text.prefix(max(0, count)), as: UTF8.self),
      code: code)
  }

  @Test func outputLongerThanTheScreenGoesToThePager() throws {
    let outcome = try run("tracks", rows: 6)
    #expect(outcome.code == 0)
    let lines = try #require(outcome.paged).split(separator: "\n")
    #expect(lines.count == 6 && lines[0].contains("So What"))
  }

  @Test func outputThatFitsTheScreenIsPrinted() throws {
    let outcome = try run("tracks", rows: 7)
    #expect(outcome.paged == nil && outcome.text.contains("So What"))
  }

  @Test(arguments: ["tracks --no-pager", "tracks --json", "status"])
  func otherOutputIsPrintedAtOnce(words: String) throws {
    #expect(try run(words, rows: 1).paged == nil)
  }

  @Test func outputIsPrintedIfTheInputIsNoTerminal() throws {
    #expect(try run("tracks", rows: 2, input: "</dev/null").paged == nil)
  }

  /// The pager has the current entry, number 3, in the middle of the screen.
  @Test(arguments: [("list", "+2g$FRX"), ("list 2", "FRX"), ("tracks", "FRX")])
  func queueIsPagedFromTheCurrentEntry(_ words: String, _ options: String) throws {
    let queue = try StubDaemon { method, parameters in
      method == "list" || method == "status"
        ? RecordedResponses.standard(method, parameters) : RecordedLibraryResponses.standard(method, parameters)
    }
    let seen = folder.path.appending("options")
    let outcome = try run(
      words, rows: 3, pager: "sh -c \"cat >/dev/null; printenv LESS >\(seen)\"", daemon: queue)
    #expect(outcome.code == 0)
    let bytes = try SmallFile.read(seen, upTo: 100)
    #expect(String(decoding: bytes, as: UTF8.self) == options + "\n")
  }

  /// The rest of the list is not read.
  @Test func leavingThePagerEndsTheCommand() throws {
    #expect(try run("tracks", rows: 2, pager: "true").code == 0)
  }

  @Test(arguments: ["", "cat", "no-such-pager", "/nonexistent/pager"]) func outputIsPrintedWithoutAPager(
    _ pager: String
  ) throws {
    let outcome = try run("tracks", rows: 2, pager: pager)
    #expect(outcome.paged == nil && outcome.code == 0 && outcome.text.contains("So What"))
  }
}
