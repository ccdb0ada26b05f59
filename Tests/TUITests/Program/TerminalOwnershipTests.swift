import Glibc
import SegueSystem
import SegueTestKit
import Testing

@testable import SegueTUI

/// Tests of the terminal that the real interface shares with a shell: when the interface takes it, and how it gives it
/// back. No daemon runs.
@Suite struct TerminalOwnershipTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts the interface in a terminal that is larger than terminfo says.
  private func interface() throws -> InterfaceProcess {
    let interface = try InterfaceProcess(folder.path.appending("socket"), rows: 30, columns: 100)
    try interface.waitFor("? Help")
    return interface
  }

  /// Presses Enter until the shell reports a stopped program.
  private func waitForStop(_ interface: InterfaceProcess) throws {
    try interface.waitFor("a stopped program") { lines in
      interface.keys("Enter")
      return lines.contains { $0.contains("Stopped") }
    }
  }

  @Test func suspendingReturnsTheTerminalUntilTheInterfaceIsContinued() throws {
    let interface = try interface()
    for _ in 0..<2 {
      interface.keys("C-z")
      #expect(try interface.isRestored())
      interface.keys("fg", "Enter")
      try interface.waitFor("? Help")
      #expect(try interface.modes.hasPrefix("11"))
    }
    interface.keys("q")
    #expect(try interface.isRestored())
  }

  @Test func theWholeScreenScrollsAtAnySize() throws {
    let interface = try interface()
    #expect(try interface.scrollsWholeScreen)
    try interface.resize(rows: 40, columns: 90)
    try interface.waitFor("the keys in the last line") { $0.count > 39 && $0[39].contains("? Help") }
    #expect(try interface.scrollsWholeScreen)
    interface.keys("q")
    #expect(try interface.isRestored())
  }

  @Test func aStartInTheBackgroundDrawsOnlyAfterFG() throws {
    let interface = try InterfaceProcess(folder.path.appending("socket"), "&")
    try waitForStop(interface)
    #expect(try interface.isRestored())
    interface.keys("fg", "Enter")
    try interface.waitFor("? Help")
    interface.keys("q")
    #expect(try interface.isRestored())
  }

  @Test func aSuspendedInterfaceThatContinuesInTheBackgroundStopsAgain() throws {
    let interface = try interface()
    interface.keys("C-z")
    #expect(try interface.isRestored())
    interface.keys("clear", "Enter", "bg", "Enter")
    try waitForStop(interface)
    #expect(try interface.isRestored())
    interface.keys("kill %1; kill -CONT %1", "Enter")
    // The shell notices the end of a program in the background before its next prompt.
    try waitUntil("the interface ends", every: .milliseconds(50)) {
      interface.keys("Enter")
      return try interface.guardian == nil
    }
    #expect(try interface.isRestored())
  }

  /// The last signals are crashes, and one that no program can handle.
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGTRAP, SIGKILL])
  func theTerminalIsRestoredAfterASignal(signal: Int32) throws {
    let interface = try interface()
    let pid = try interface.pid
    kill(try #require(pid), signal)
    #expect(try interface.isRestored())
  }

  /// The guardian is the process that the shell knows.
  @Test(arguments: [SIGTERM, SIGKILL]) func theInterfaceEndsWithItsGuardian(signal: Int32) throws {
    let interface = try interface()
    let (guardian, pid) = (try #require(try interface.guardian), try #require(try interface.pid))
    kill(guardian, signal)
    try waitUntil("the interface ends") { kill(pid, 0) != 0 }
    try waitUntil("the interface has left the screen") { try interface.modes == "001\n" }
  }

  @Test func theErrorsOfAProgramThatCrashesAreVisible() throws {
    let interface = try interface()
    let pid = try #require(try interface.pid)
    let errors = Descriptor(owning: open("/proc/\(pid)/fd/2", O_WRONLY))
    let message = Array("Fatal error: no such element\n".utf8)
    #expect(write(errors.raw, message, message.count) == message.count)
    kill(pid, SIGTRAP)
    try interface.waitFor("Fatal error: no such element")
    #expect(try interface.isRestored())
  }

  @Test func theInterfaceEndsWithItsTerminal() throws {
    var interface: InterfaceProcess? = try interface()
    let pid = try #require(try interface?.pid)
    interface = nil
    try waitUntil("the process has ended") { kill(pid, 0) != 0 }
  }
}
