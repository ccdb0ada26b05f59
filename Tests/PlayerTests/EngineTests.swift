import Glibc
import SegueLibrary
import SegueLoop
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SeguePlayer

/// The engine with its real worker, loop and files; of the sound server it is told only that there is none.
@MainActor @Suite(.timeLimit(.minutes(1))) struct EngineTests {
  private let loop: EventLoop
  private let files = FileService(worker: WorkerProcess.product("segue-worker"))
  private let engine: Engine
  private let home: TemporaryFolder
  private var folder: FilePath { home.path }

  /// What is played instead of the track that the worker is at.
  enum Change: CaseIterable { case another, anotherBehind, nothingBehind }

  init() throws {
    setenv("PULSE_SERVER", "unix:/dev/null", 1)
    home = try TemporaryFolder()
    let folder = home.path
    loop = try EventLoop()
    let opener = MediaOpener(files: files, mailbox: loop.mailbox)
    let worker = folder.appending("worker")
    let script = "#!/bin/sh\necho $$ > '\(folder)/pid'\nexec '\(WorkerProcess.product("segue-worker"))' \"$@\"\n"
    try Self.write(Array(script.utf8), to: worker)
    engine = try Engine(
      loop: loop, pool: WorkerPool(loop: loop, program: worker, gracePeriod: .zero), opener: opener)
    let tracks = [EntryID(1): folder.appending("short.wav"), EntryID(2): folder.appending("long.wav")]
    for (entry, path) in tracks { try Self.writeWave(to: path, frames: entry == EntryID(1) ? 4_000 : 1 << 21) }
    engine.uri = { FileURI.encode(tracks[$0] ?? worker) }
  }

  private static func write(_ bytes: [UInt8], to path: FilePath, size: Int? = nil) throws {
    let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700) }
    defer { close(file) }
    try #require(Glibc.write(file, bytes, bytes.count) == bytes.count && ftruncate(file, size ?? bytes.count) == 0)
  }

  /// A wave file of silence: 44.1 kHz, two channels, 16 bit.
  private static func writeWave(to path: FilePath, frames: Int) throws {
    func little(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    let bytes = UInt32(frames * 4)
    var header = Array("RIFF".utf8) + little(36 + bytes) + Array("WAVEfmt ".utf8) + little(UInt32(16))
    header += little(UInt16(1)) + little(UInt16(2)) + little(UInt32(44_100)) + little(UInt32(176_400))
    header += little(UInt16(4)) + little(UInt16(16)) + Array("data".utf8) + little(bytes)
    try write(header, to: path, size: header.count + frames * 4)
  }

  private func item(_ number: UInt32, _ entry: UInt64) -> Transport.Item {
    Transport.Item(entry: EntryID(entry), generation: Generation(number), start: .zero)
  }

  private func killWorker() {
    var text = [UInt8](repeating: 0, count: 16)
    let file = folder.appending("pid").withCString { open($0, O_RDONLY | O_CLOEXEC) }
    let count = read(file, &text, text.count)
    close(file)
    let pid = Int32(String(decoding: text[..<max(0, count)].prefix { $0 != 0x0A }, as: UTF8.self))
    if let pid { kill(pid, SIGKILL) } else { Issue.record("no worker was started") }
  }

  /// The worker has done with the first track, and sits at the second, which is longer than its ring, when that is cut
  /// off. It dies of it while the file that is wanted now is still being opened: no track of the plan is to blame.
  @Test(arguments: Change.allCases) func aWorkerThatDiesOfWhatWasCutOffCostsNoTrack(_ change: Change) throws {
    let gate = BlockingPromise<Void>()
    var verdict: Transport.Event?
    let (first, second, third) = (item(1, 1), item(2, 2), item(3, 1))
    engine.report = { [engine, files, loop] event in
      switch event {
      case .ended(first.generation): _ = engine.perform(.follow(second, after: first.generation))
      case .opened(second.generation):
        files.open(folder) { _ in gate.wait() }
        switch change {
        case .another: _ = engine.perform(.open(third))
        case .anotherBehind: _ = engine.perform(.follow(third, after: first.generation))
        case .nothingBehind: _ = engine.perform(.finish(after: first.generation))
        }
        killWorker()
      case .workerDied, .workerNotStarted:
        verdict = event
        loop.exit(0)
      default: break
      }
    }
    let deadline = try Timer(on: loop) { [loop] in loop.exit(1) }
    deadline.arm(after: .seconds(30))
    _ = engine.perform(.open(first))
    #expect(try loop.run() == 0, "the worker's death was never told")
    #expect(verdict == .workerNotStarted)
    gate.fulfill(())
    engine.shutdown()
    files.close()
  }
}
