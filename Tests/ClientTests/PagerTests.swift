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

  /// Runs a command as a user does who types it at a terminal with this number of rows. Returns what the pager has read, or nil
  /// if none was started, and the exit status of the command.
  private func run(
    _ words: String, rows: UInt16, input: String = "<&1", pager: String? = nil
  ) throws -> (paged: String?, code: Int32?) {
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
        "SEGUE_SOCKET": "\(daemon.path)", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "NO_COLOR": "1",
        "PAGER": pager ?? "tee \(seen)",
      ], output: terminal.program)
    let code = child.end(0)
    let bytes = try? SmallFile.read(seen, upTo: 1 << 20)
    return (bytes.map { String(decoding: $0, as: UTF8.self) }, code)
  }

  @Test func outputLongerThanTheScreenGoesToThePager() throws {
    let (paged, code) = try run("tracks", rows: 6)
    #expect(code == 0)
    let lines = try #require(paged).split(separator: "\n")
    #expect(lines.count == 6 && lines[0].contains("So What"))
  }

  @Test func outputThatFitsTheScreenIsPrinted() throws {
    #expect(try run("tracks", rows: 7).paged == nil)
  }

  @Test(arguments: ["tracks --no-pager", "tracks --json", "status"])
  func otherOutputIsPrintedAtOnce(words: String) throws {
    #expect(try run(words, rows: 1).paged == nil)
  }

  @Test func outputIsPrintedIfTheInputIsNoTerminal() throws {
    #expect(try run("tracks", rows: 2, input: "</dev/null").paged == nil)
  }

  /// The rest of the list is not read.
  @Test func leavingThePagerEndsTheCommand() throws {
    #expect(try run("tracks", rows: 2, pager: "true").code == 0)
  }

  @Test(arguments: ["", "cat", "no-such-pager", "/nonexistent/pager"]) func outputIsPrintedWithoutAPager(
    _ pager: String
  ) throws {
    let (paged, code) = try run("tracks", rows: 2, pager: pager)
    #expect(paged == nil && code == 0)
  }
}
