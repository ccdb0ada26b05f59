import Glibc
import SegueFiles
import SegueLoop
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SeguePlayer

/// Tests of the pool and the prober with the real worker, loop and files.
@MainActor @Suite(.timeLimit(.minutes(1))) struct WorkerPoolTests {
  private let loop: EventLoop
  private let files = FileService(worker: SegueTestKit.WorkerProcess.product("segue-worker"))
  private let pool: WorkerPool
  private let prober: Prober
  private let home: TemporaryFolder
  private var folder: FilePath { home.path }
  /// A named pipe from which the first worker reads, before it starts, whether it does.
  private var gate: FilePath { folder.appending("gate") }

  init() throws {
    home = try TemporaryFolder()
    loop = try EventLoop()
    let gate = home.path.appending("gate")
    try #require(mkfifo(gate.description, 0o600) == 0)
    let script = """
      #!/bin/sh
      if [ -p '\(gate)' ]; then read word < '\(gate)'; [ "$word" = start ] || exit 1; fi
      exec '\(SegueTestKit.WorkerProcess.product("segue-worker"))' "$@"

      """
    try Self.write(script, to: home.path.appending("segue-worker"))
    try Self.write("not audio", to: home.path.appending("a.wav"))
    pool = try WorkerPool(loop: loop, folder: home.path, gracePeriod: .zero)
    let fetcher = try Fetcher(loop: loop, pool: pool)
    let opener = MediaOpener(files: files, fetcher: fetcher, mailbox: loop.mailbox) { _, _ in }
    prober = try Prober(loop: loop, pool: pool, opener: opener)
  }

  private static func write(_ text: String, to path: FilePath) throws {
    let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700) }
    defer { close(file) }
    try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
  }

  /// Opens the gate for the first worker, and removes it, so that others do not wait.
  private func answer(_ word: String) throws {
    let file = gate.withCString { open($0, O_WRONLY | O_CLOEXEC) }
    defer { close(file) }
    unlink(gate.description)
    try #require(Glibc.write(file, word + "\n", word.utf8.count + 1) == word.utf8.count + 1)
  }

  /// The way in which the start of the worker for which playback waits ends.
  enum Ending: CaseIterable { case ready, exit, release }

  /// Loading the libraries of a second worker at the same time would delay the sound.
  @Test(arguments: Ending.allCases) func aProbeStartsNoWorkerWhilePlaybackWaitsForOne(_ ending: Ending) throws {
    // A file is probed as soon as it is in the queue, which is before it is played.
    prober.probe(FileURI.encode(folder.appending("a.wav"))) { [loop] _ in loop.exit(0) }
    var worker: SeguePlayer.WorkerProcess? = try pool.take(.files, for: .playback)
    worker?.setHandlers(onEvent: nil) { _, _ in }
    loop.mailbox.post { [pool, gate] in
      #expect(pool.started == 1)
      do {
        switch ending {
        case .ready: try answer("start")
        case .exit: try answer("exit")
        case .release:
          unlink(gate.description)
          worker = nil
        }
      } catch {
        Issue.record(error)
      }
    }
    let deadline = try Timer(on: loop) { [loop] in loop.exit(1) }
    deadline.arm(after: .seconds(30))
    #expect(try loop.run() == 0, "the file was not probed")
    #expect(pool.started == 2)
    files.close()
  }
}
