import Glibc
import SegueSystem
import SegueTestKit
import Testing

@testable import SegueTUI

/// Tests of the bytes that the real interface writes, and of terminals that do not read them. No daemon runs.
@Suite struct TerminalOutputTests {
  private let folder: TemporaryFolder
  private let terminal: PseudoTerminal
  private let process: ChildProcess

  init() throws {
    folder = try TemporaryFolder()
    terminal = try PseudoTerminal(rows: 24, columns: 80, isRaw: false)
    let program = WorkerProcess.product("segue-ui")
    process = try ChildProcess(
      ["sh", "-c", "exec '\(program)' --no-pictures --socket '\(folder.path)/socket' <&1"],
      environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"], output: terminal.program)
    _ = fcntl(terminal.terminal, F_SETFL, O_NONBLOCK)
  }

  private func send(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(terminal.terminal, bytes, bytes.count) == bytes.count)
  }

  /// Reads what the interface has written; nil if there is nothing.
  private func read() -> String? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(terminal.terminal, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// Reads until the output contains a text.
  private func waitFor(_ text: String) throws {
    var output = ""
    try waitUntil("the output contains “\(text)”") {
      if let more = read() { output += more }
      return output.contains(text)
    }
  }

  /// Has the screen drawn again without reading it, until the terminal takes no more bytes.
  private func fillTerminal() throws {
    try waitUntil("the terminal is full") {
      send("\u{C}")
      var entry = pollfd(fd: terminal.program, events: Int16(POLLOUT), revents: 0)
      return poll(&entry, 1, 0) == 0
    }
  }

  /// Ends the process and closes the terminal. Returns the exit code; nil if a signal has ended the process.
  private func end(_ signal: Int32) -> Int32? {
    defer {
      close(terminal.terminal)
      close(terminal.program)
    }
    return process.end(signal)
  }

  @Test(arguments: [SIGTERM, SIGHUP]) func aTerminalThatDoesNotReadDoesNotDelayTheEnd(signal: Int32) throws {
    try waitFor("Help")
    try fillTerminal()
    kill(process.pid, signal)
    do {
      try waitUntil("the process ends", within: .seconds(5)) { !process.isRunning }
    } catch {
      _ = end(SIGKILL)
      throw error
    }
    #expect(end(0) == 128 + signal)
  }

  @Test func aTerminalThatReadsAgainShowsTheNewestState() throws {
    try waitFor("Help")
    try fillTerminal()
    send("?zzz")
    try waitFor("No command contains this text.")
    #expect(process.isRunning)
    #expect(end(SIGTERM) == 128 + SIGTERM)
  }

  @Test func aStormOfKeysIsDrawnAtMostSixtyTimesInASecond() throws {
    try waitFor("Help")
    send("?")
    try waitFor("Search:")
    let start = MonotonicTime.now
    var frames = 0
    // The interface draws at most 200 characters of the field.
    for index in 0..<600 {
      send(index % 2 == 0 ? "a" : "\u{7F}")
      usleep(1_000)
      while read() != nil { frames += 1 }
    }
    let seconds = (MonotonicTime.now - start).seconds
    // The bytes of a frame may arrive in two parts.
    #expect(Double(frames) <= 2 * (60 * seconds + 2), "\(frames) in \(seconds) seconds")
    send("last")
    try waitFor("l")
    #expect(end(SIGTERM) == 128 + SIGTERM)
  }
}
