import Glibc
import SegueFiles
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct FolderTests {
  private let scratch = Scratch()

  @Test func filesAreFoundInNaturalOrderFolderByFolder() async {
    let names = [
      "b10.mp3", "B2.mp3", "b2.mp3", "a.FLAC", "cover.jpg", "notes.txt", "list.m3u", ".hidden.mp3", "Éa.mp3", "éb.mp3",
      "disc 10/1.ogg", "disc 2/01.ogg", "disc 2/2.ogg", "disc 2/extra/x.opus", ".secret/y.mp3", "skip/.nomedia",
      "skip/z.mp3", "skip/deep/z.mp3", "leave/.ignore", "leave/z.mp3", "empty/readme",
    ]
    for name in names { scratch.write(name) }
    let found = await FileService.find(scratch.path)
    #expect(
      found.names(in: scratch) == [
        "a.FLAC", "B2.mp3", "b2.mp3", "b10.mp3", "%C3%89a.mp3", "%C3%A9b.mp3", "disc%202/01.ogg", "disc%202/2.ogg",
        "disc%202/extra/x.opus", "disc%2010/1.ogg",
      ])
    #expect(found.failures.isEmpty)
    #expect(
      found.batches.map(\.source)
        == ["", "disc 2", "disc 2/extra", "disc 10"].map { .folder($0 == "" ? scratch.path : scratch[$0]) })
    #expect(await FileService.find(scratch["skip"]).tracks.count == 2, "a marker is ignored in a folder that was named")
  }

  @Test func aFolderBehindSeveralLinksIsVisitedOnce() async {
    scratch.write("a/1.mp3")
    scratch.write("elsewhere.mp3")
    scratch.link("a/loop", to: "..")
    scratch.link("a/self", to: ".")
    scratch.link("a/twice.mp3", to: "../elsewhere.mp3")
    scratch.link("a/broken.mp3", to: "nowhere")
    scratch.link("a/circle.mp3", to: "circle.mp3")
    let found = await FileService.find(scratch["a"])
    #expect(found.names(in: scratch) == ["a/1.mp3", "a/twice.mp3", "a/loop/elsewhere.mp3"])
    #expect(found.failures.isEmpty)
  }

  @Test func namesThatAreNotTextAreFoundAndPipesSkipped() async {
    let odd = scratch.path.appending([0xFF, 0x0A, 0x25] + Array(".mp3".utf8))
    scratch.write(odd, [])
    _ = scratch["pipe.mp3"].withCString { mkfifo($0, 0o600) }
    let found = await FileService.find(scratch.path)
    #expect(found.tracks.map { FileURI.decode($0.uri) } == [odd])
  }

  @Test func faultyTracksOfACueSheetInAFolderAreReported() async {
    scratch.write("album/disc.flac")
    scratch.write(
      "album/disc.cue",
      "FILE \"disc.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 0x:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00\n")
    let found = await FileService.find(scratch["album"])
    #expect(found.names(in: scratch) == ["album/disc.flac#t=60"])
    #expect(found.failures.map(\.uri) == [FileURI.encode(scratch["album/disc.flac"])])
    let message = found.failures.first?.failure.message ?? ""
    #expect(message.hasSuffix(" of \(scratch["album/disc.cue"]))"), "\(message)")
  }

  @Test func aCueSheetReplacesItsFile() async {
    for name in ["album/1.flac", "album/disc.flac", "album/3.flac"] { scratch.write(name) }
    scratch.write(
      "album/disc.cue",
      "FILE \"disc.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00\n")
    scratch.write("album/disc2.cue", "FILE \"disc.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n")
    scratch.write("album/3.cue", "FILE \"lost.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n")
    scratch.write("album/4.cue", "FILE \"../album/../out.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n")
    let found = await FileService.find(scratch["album"])
    #expect(
      found.names(in: scratch) == ["album/1.flac", "album/3.flac", "album/disc.flac#t=0,60", "album/disc.flac#t=60"])
    #expect(found.failures.isEmpty)
  }

  @Test func pathsWithoutMusicAreReported() async {
    scratch.write("empty/cover.jpg")
    scratch.write("odd.xyz")
    let found = await FileService.find(
      scratch["empty"], scratch["none"], scratch["odd.xyz"], scratch["odd.xyz/x"], FilePath("/dev/null"))
    #expect(found.names(in: scratch) == ["odd.xyz"], "a file that was named is accepted with any extension")
    #expect(found.failures.map(\.failure.kind) == [.notFound, .notFound, .notFound, .unplayable])
  }

  @Test func tracksKeepTheOrderOfTheURIs() async {
    for name in ["z.mp3", "a.mp3", "f/1.mp3"] { scratch.write(name) }
    let service = FileService(worker: WorkerProcess.product("segue-worker"))
    let uris = [
      FileURI.encode(scratch["z.mp3"]), "http://x.example/", "nonsense", FileURI.encode(scratch["f"]),
      FileURI.encode(scratch["a.mp3"]), FileURI.encode(scratch["a.mp3"]) + "#t=1,2",
    ]
    let found = await service.resolved(uris)
    service.close()
    #expect(found.names(in: scratch) == ["z.mp3", "http://x.example/", "f/1.mp3", "a.mp3", "a.mp3#t=1,2"])
    #expect(found.batches.map(\.source) == [.single, .folder(scratch["f"]), .single])
    #expect(found.failures.map(\.uri) == ["nonsense"])
  }

  @Test func aCancelledResolveEndsAfterTheCurrentBatch() async {
    for index in 0..<50 { scratch.write("\(index)/a.mp3") }
    let service = FileService(worker: WorkerProcess.product("segue-worker"))
    let shared = Shared()
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    // The lock is held until the task is set, so the first batch cancels all others.
    shared.task.withLock { task in
      task = service.resolve([FileURI.encode(scratch.path)]) { progress in
        switch progress {
        case .found:
          shared.batches.add(1, ordering: .relaxed)
          shared.task.withLock { $0?.cancel() }
        case .finished(let cancelled): continuation.yield(cancelled)
        }
      }
    }
    for await cancelled in stream {
      #expect(cancelled)
      break
    }
    #expect(shared.batches.load(ordering: .relaxed) == 1)
    service.close()
  }

  /// The state that the test and the thread "files" share.
  private final class Shared: Sendable {
    let task = Mutex<FileService.ResolveTask?>(nil)
    let batches = Atomic(0)
  }

  @Test func onlyRegularFilesAreOpened() async throws {
    let file = scratch.write("a.mp3", "hello")
    let pipe = scratch["pipe"]
    _ = pipe.withCString { mkfifo($0, 0o600) }
    let service = FileService(worker: WorkerProcess.product("segue-worker"))
    func open(_ path: FilePath) async -> Result<OpenFile, Failure> {
      await withCheckedContinuation { continuation in service.open(path) { continuation.resume(returning: $0) } }
    }
    let opened = try await open(file).get()
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(read(opened.raw, &buffer, 8) == 5)
    #expect(fcntl(opened.raw, F_GETFD) & FD_CLOEXEC != 0)
    for (path, kind) in [
      (pipe, Failure.Kind.unplayable), (scratch.path, .unplayable), (FilePath("/dev/zero"), .unplayable),
      (scratch["none"], .notFound), (scratch["a.mp3/b"], .notFound),
      (FilePath("/" + String(repeating: "x", count: 5000)), .notFound),
    ] {
      guard case .failure(let failure) = await open(path) else {
        Issue.record("\(path) was opened")
        continue
      }
      #expect(failure.kind == kind)
      #expect(failure.message.contains(path.description))
    }
    service.close()
  }

  @Test func albumOrderIsByDiscTrackAndName() {
    func track(_ name: String, disc: Int? = nil, number: Int? = nil) -> (metadata: Metadata, uri: String) {
      var metadata = Metadata()
      (metadata.disc, metadata.track) = (disc, number)
      return (metadata, "file:///m/\(name)")
    }
    let tracks = [
      track("z", disc: 2, number: 1), track("b10"), track("b9"), track("y", number: 2), track("x", disc: 1, number: 1),
      track("c#t=1", disc: 3), track("c#t=0", disc: 3),
    ]
    #expect(albumOrder(tracks) == [4, 3, 2, 1, 0, 5, 6])
  }
}
