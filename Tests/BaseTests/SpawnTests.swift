import Glibc
import SegueSystem
import SegueTestKit
import Testing

/// Tests of programs that are started.
@Suite struct SpawnTests {
  /// Another program is waited for as before.
  @Test func aDetachedProgramIsNoChild() throws {
    let folder = try TemporaryFolder()
    let result = folder.path.appending("result")
    let script = #"test -t 0 || echo "$1" >"$0""#
    #expect(try Spawn.startDetached("sh", ["-c", script, result.description, "it's done; $x"]))
    try waitUntil("the program has run") { (try? SmallFile.read(result, upTo: 100)) == Array("it's done; $x\n".utf8) }
    #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
    #expect(
      try Spawn.output(of: "echo", ["still works"], upTo: 100, within: .seconds(10)) == Array("still works\n".utf8))
  }

  @Test func aDetachedProgramThatDoesNotExistIsReported() throws {
    #expect(try !Spawn.startDetached("segue-no-such-program", ["x"]))
  }

  @Test(arguments: ["echo text; exit 1", "sleep 100", "exec >&-; sleep 100", "yes", "kill -9 $$"])
  func aProgramThatFailsOrDoesNotEndHasNoOutput(script: String) throws {
    #expect(try Spawn.output(of: "sh", ["-c", script], upTo: 1_000, within: .milliseconds(200)) == nil)
    #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
  }

  @Test func aProgramInheritsNoIgnoredSignals() throws {
    signal(SIGTTOU, SIG_IGN)
    defer { signal(SIGTTOU, SIG_DFL) }
    let output = try Spawn.output(
      of: "sed", ["-n", "s/^SigIgn:.//p", "/proc/self/status"], upTo: 100, within: .seconds(10))
    let ignored = try #require(output.flatMap { UInt64(String(decoding: $0.dropLast(), as: UTF8.self), radix: 16) })
    #expect(ignored & 1 << UInt64(SIGTTOU - 1) == 0, "\(ignored)")
  }
}
