import Glibc
import SegueFiles
import SegueLoop
import SegueRing
import SegueState
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SeguePlayer

/// Tests of the engine with the real worker, loop and files, and without a sound server.
@MainActor @Suite(.timeLimit(.minutes(1))) struct EngineTests {
  private let loop: EventLoop
  private let files = FileService(worker: WorkerProcess.product("segue-worker"))
  private let pool: WorkerPool
  private let engine: Engine
  private let home: TemporaryFolder
  private let uris: [EntryID: String]
  private var folder: FilePath { home.path }

  /// The change of the plan while the worker decodes the second track.
  enum Change: CaseIterable { case openAnother, followWithAnother, followWithNothing }

  /// A delegate that calls a closure for every event.
  private final class Delegate: EngineDelegate {
    private let onEvent: @MainActor (Transport.Event) -> Void

    init(onEvent: @escaping @MainActor (Transport.Event) -> Void) { self.onEvent = onEvent }

    func handle(_ event: Transport.Event) { onEvent(event) }
    func findMovedFile(of entry: EntryID, then: @escaping @MainActor (_ uri: String?) -> Void) { then(nil) }
    func handleDuration(of generation: Generation, _ duration: MediaTime) {}
    func handleTruncation(of generation: Generation, _ failure: Failure) {}
    func handleStreamTitle(of generation: Generation, _ title: String?) {}
    func handlePausePosition() {}
    func handleOutputChange() {}
  }

  init() throws {
    home = try TemporaryFolder()
    let folder = home.path
    loop = try EventLoop()
    let worker = folder.appending("segue-worker")
    let script = "#!/bin/sh\necho $$ > '\(folder)/pid'\nexec '\(WorkerProcess.product("segue-worker"))' \"$@\"\n"
    try Self.write(Array(script.utf8), to: worker)
    pool = try WorkerPool(loop: loop, folder: folder, gracePeriod: .zero)
    let fetcher = try Fetcher(loop: loop, pool: pool)
    let opener = MediaOpener(files: files, fetcher: fetcher, mailbox: loop.mailbox) { _, _ in }
    engine = try Engine(loop: loop, pool: pool, opener: opener, fetcher: fetcher) {
      FakeOutput(hasServer: false, deliver: $0)
    }
    let tracks = [EntryID(1): folder.appending("short.wav"), EntryID(2): folder.appending("long.wav")]
    for (entry, path) in tracks { try Self.writeWave(to: path, frames: entry == EntryID(1) ? 4_000 : 1 << 21) }
    uris = tracks.mapValues(FileURI.encode)
  }

  private static func write(_ bytes: [UInt8], to path: FilePath, size: Int? = nil) throws {
    let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700) }
    defer { close(file) }
    try #require(Glibc.write(file, bytes, bytes.count) == bytes.count && ftruncate(file, size ?? bytes.count) == 0)
  }

  /// Writes a WAVE file of silence: 44.1 kHz, two channels, 16 bit.
  private static func writeWave(to path: FilePath, frames: Int) throws {
    func little(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    let bytes = UInt32(frames * 4)
    var header = joined("RIFF".utf8, little(36 + bytes), "WAVEfmt ".utf8, little(UInt32(16)))
    header += little(UInt16(1)) + little(UInt16(2)) + little(UInt32(44_100)) + little(UInt32(176_400))
    header += joined(little(UInt16(4)), little(UInt16(16)), "data".utf8, little(bytes))
    try write(header, to: path, size: header.count + frames * 4)
  }

  private func item(_ number: UInt32, _ entry: UInt64, from start: MediaTime = .zero) -> Transport.Item {
    let track = Transport.Track(entry: EntryID(entry), uri: uris[EntryID(entry)] ?? "http://127.0.0.1:1/")
    return Transport.Item(track: track, generation: Generation(number), start: start)
  }

  /// Lets the engine perform an action. `onGainRequest`: called when the gain of a track is requested.
  private func perform(_ action: Transport.EngineAction, onGainRequest: @escaping @MainActor () -> Void = {}) {
    engine.perform(action) { item, _ in
      DecodeRequest(item: item, rate: nil, speed: .normal) { then in
        onGainRequest()
        then(GainParameters())
      }
    }
  }

  private func killWorker(_ signal: Int32 = SIGKILL) {
    var text = [UInt8](repeating: 0, count: 16)
    let file = folder.appending("pid").withCString { open($0, O_RDONLY | O_CLOEXEC) }
    let count = read(file, &text, text.count)
    close(file)
    let pid = Int32(String(decoding: text[..<max(0, count)].prefix { $0 != 0x0A }, as: UTF8.self))
    if let pid { kill(pid, signal) } else { Issue.record("no worker was started") }
  }

  /// The worker has finished the first track, and waits in the second one, which is longer than its ring, when that one
  /// is cut off. It dies while the file of the next track is still being opened: no track of the plan caused that.
  @Test(arguments: Change.allCases) func aWorkerThatDiesInATrackThatWasCutOffMakesNoTrackUnplayable(
    _ change: Change
  ) throws {
    let gate = BlockingPromise<Void>()
    var verdict: Transport.Event?
    let (first, second, third) = (item(1, 1), item(2, 2), item(3, 1))
    let delegate = Delegate { [files, loop] event in
      switch event {
      case .ended(first.generation): perform(.follow(second, after: first.generation))
      case .opened(second.generation, _):
        files.open(folder) { _ in gate.wait() }
        switch change {
        case .openAnother: perform(.open(third))
        case .followWithAnother: perform(.follow(third, after: first.generation))
        case .followWithNothing: perform(.finish(after: first.generation))
        }
        killWorker()
      case .workerDied, .workerLost, .workerNotStarted:
        verdict = event
        loop.exit(0)
      default: break
      }
    }
    engine.delegate = delegate
    let deadline = try Timer(on: loop) { [loop] in loop.exit(1) }
    deadline.arm(after: .seconds(30))
    perform(.open(first))
    #expect(try loop.run() == 0, "the death of the worker was not reported")
    #expect(verdict == .workerNotStarted)
    gate.fulfill(())
    engine.shutdown()
    files.close()
  }

  /// A stream follows a file while the file is decoded: requests for other files need not wait until its worker has
  /// started.
  @Test func aWorkerThatTakesOverLaterDelaysNoProbe() throws {
    var isDelayed: Bool?
    let (first, second) = (item(1, 2), item(2, 3))
    let delegate = Delegate { [loop, pool] event in
      guard case .opened(first.generation, _) = event else { return }
      // The notice that the first worker has started precedes this one.
      loop.mailbox.post {
        let started = pool.started
        perform(.follow(second, after: first.generation))
        #expect(pool.started == started + 1)
        isDelayed = pool.delaysPlayback(.files)
        loop.exit(0)
      }
    }
    engine.delegate = delegate
    let deadline = try Timer(on: loop) { [loop] in loop.exit(1) }
    deadline.arm(after: .seconds(30))
    perform(.open(first))
    #expect(try loop.run() == 0, "the file was not opened")
    #expect(isDelayed == false)
    engine.shutdown()
    files.close()
  }

  // MARK: Seeking

  /// The change during a seek in a track that is being decoded.
  enum Disturbance: CaseIterable {
    case deletion, change, killBeforeTheResponse, crashWhileTheSourceIsOpened
  }

  /// Plays the long track, seeks in it, and returns the event that says how the seek has ended.
  private func seek(during disturbance: Disturbance) throws -> Transport.Event? {
    let gate = BlockingPromise<Void>()
    var verdict: Transport.Event?
    let (played, sought) = (item(1, 2), item(2, 2, from: .seconds(40)))
    let path = folder.appending("long.wav")
    var requests = 0
    // The gain is requested for the restart, and if the source is opened once more.
    let onGainRequest: @MainActor () -> Void = { [loop, files] in
      requests += 1
      switch (disturbance, requests) {
      case (.deletion, 1): unlink(path.description)
      case (.change, 1), (.crashWhileTheSourceIsOpened, 1): truncate(path.description, 4 * 44_100 * 45)
      case (.killBeforeTheResponse, 1):
        killWorker(SIGSTOP)
        loop.mailbox.post { killWorker() }
      case (.crashWhileTheSourceIsOpened, 2):
        files.open(folder) { _ in gate.wait() }
        killWorker(SIGSEGV)
      default: break
      }
    }
    let delegate = Delegate { [loop] event in
      switch event {
      case .opened(played.generation, _): perform(.open(sought), onGainRequest: onGainRequest)
      case .opened(sought.generation, _), .failed, .workerDied, .workerLost, .workerNotStarted:
        verdict = event
        loop.exit(0)
      default: break
      }
    }
    engine.delegate = delegate
    let deadline = try Timer(on: loop) { [loop] in loop.exit(1) }
    deadline.arm(after: .seconds(30))
    perform(.open(played))
    #expect(try loop.run() == 0, "the seek did not end")
    gate.fulfill(())
    engine.shutdown()
    files.close()
    return verdict
  }

  /// Another file may have the name of a deleted one, so that the file is opened again.
  @Test func aSeekInADeletedFile_fails() throws {
    guard case .failed(Generation(2), _) = try seek(during: .deletion) else {
      Issue.record("the seek has not failed")
      return
    }
  }

  @Test func aSeekInAChangedFile_isPerformed() throws {
    guard case .opened(Generation(2), _) = try seek(during: .change) else {
      Issue.record("the source of the seek was not opened")
      return
    }
  }

  /// Another worker performs the seek.
  @Test func aWorkerThatIsKilledDuringASeek_makesNoTrackUnplayable() throws {
    guard case .workerLost = try seek(during: .killBeforeTheResponse) else {
      Issue.record("the end is attributed to the track")
      return
    }
  }

  @Test func aWorkerThatCrashesBeforeItHasTheSourceOfASeek_makesNoTrackUnplayable() throws {
    #expect(try seek(during: .crashWhileTheSourceIsOpened) == .workerNotStarted)
  }
}
