import SegueLink
import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of files that are not what they seem.
@Suite struct FailureReasonTests {
  @Test(
    arguments: [
      ("empty.flac", .unplayable, "empty"), ("text.mp3", .unplayable, "not audio"),
      ("hollow.flac", .damaged, "no audio follows"), ("headless.m4a", .damaged, "MP4 index is missing"),
      ("silent.mp4", .unplayable, "no audio stream"), ("list.wav", .unplayable, ""), ("concat.flac", .unplayable, ""),
    ] as [(String, Failure.Kind, String)])
  func unplayableFile_failsWithReason(_ name: String, _ kind: Failure.Kind, _ reason: String) throws {
    let worker = try WorkerProcess()
    try worker.open(1, Fixture.path(name))
    try worker.wait(for: "the failure") { $0.failure(of: 1) != nil }
    let failure = try #require(worker.failure(of: 1))
    #expect(failure.kind == kind)
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(worker.decodedGenerations.isEmpty)
    // The worker continues to work.
    try worker.follow(2, Fixture.path("a.flac"), after: 1)
    let next = try worker.decodedGeneration(2)
    #expect(next.end == Frames(Signal.cut))
  }

  /// libavformat's messages for them are "End of file", "Cannot allocate memory" and "Invalid data".
  @Test(arguments: UnplayableFile.allCases) func failureReason_isAReadableSentence(_ file: UnplayableFile) throws {
    let folder = try TemporaryFolder()
    let worker = try WorkerProcess(ring: false)
    let path = try folder.write("broken.\(file.fileExtension)", file.bytes())
    try worker.probe(1, path)
    guard case .requestFailed(1, let failure) = try worker.nextEvent() else {
      Issue.record("it can be played")
      return
    }
    #expect(failure.kind == .damaged)
    #expect(failure.message == "the file is damaged: " + file.reason)
    guard case .failed(let scanned) = try #require(try worker.scan([path]).first) else {
      Issue.record("the library lists it")
      return
    }
    // Failures of scans are saved without templates.
    #expect((scanned.kind, scanned.message) == (failure.kind, failure.message))
  }

  @Test func truncatedFile_playsToItsEnd() throws {
    let (decoded, worker) = try Fixture.decode("truncated.flac")
    let original = try Fixture.samples(ofWave: "a.wav")
    #expect(decoded.bytes.count > original.count / 8)
    #expect(decoded.bytes == Array(original[..<decoded.bytes.count]))
    #expect(worker.duration(of: 1) == SampleRate.cd.time(of: decoded.end ?? .zero))
  }

  @Test func onlyNetworkSchemes_areOpened() throws {
    let worker = try WorkerProcess(.stream)
    let fetcher = try WorkerProcess(.fetch, ring: false)
    let addresses = [
      "file:///etc/hostname", "/etc/hostname", "concat:/etc/hostname", "subfile,,start,0,end,9,,:/x", "",
    ]
    for (index, url) in addresses.enumerated() {
      let generation = UInt32(index + 1)
      try worker.open(url, as: generation, through: fetcher)
      try worker.wait(for: "the failure of \(url)") { $0.failure(of: generation) != nil }
      #expect(worker.failure(of: generation)?.kind == .unavailable)
    }
  }
}
