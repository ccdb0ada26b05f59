import SegueRing
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
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
    guard case .response(1, .failed(let failure)) = try worker.nextEvent() else {
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

  /// Files without audio that FFmpeg decodes, and a part of the reason. The extension makes libavformat try some of
  /// them.
  private static let foreign: [(String, [UInt8], String)] = [
    ("a.mid", Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96], "no synthesiser"),
    ("a.rmi", Array("RIFF\u{20}\0\0\0RMIDdata".utf8), "no synthesiser"),
    ("a.sid", Array("PSID\0\u{2}\0\u{7C}".utf8) + [UInt8](repeating: 0, count: 200), "sound chip (SID)"),
    ("a.xm", Array("Extended Module: ".utf8) + [UInt8](repeating: 0, count: 400), ""),
    ("picture.mp3", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + [UInt8](repeating: 0, count: 100), "picture"),
    ("picture.flac", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8), "picture"),
    ("playlist.mp3", Array("#EXTM3U\na.mp3\n".utf8), "playlist"),
    ("playlist.ogg", Array("[playlist]\nFile1=a.mp3\n".utf8), "playlist"),
    ("cue.flac", Array("FILE \"x.flac\" WAVE\n  TRACK 01 AUDIO\n".utf8), "cue sheet"),
    ("page.mp3", Array("<!DOCTYPE html><html><body>404</body></html>".utf8), "web page"),
    ("error.mp3", Array("{\"error\":\"not found\"}".utf8), "text"), ("words.flac", Array("Hello, äöü!\n".utf8), "text"),
    ("archive.flac", Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 100), "archive"),
    ("document.mp3", Array("%PDF-1.4\n".utf8), "document"),
    ("secret.mp3", Array("Salted__".utf8) + [UInt8](1...250), "encrypted"),
  ]

  @Test(arguments: foreign.map(\.0)) func contentThatIsNoAudio_isNamed(_ name: String) throws {
    let (_, bytes, reason) = try #require(Self.foreign.first { $0.0 == name })
    let folder = try TemporaryFolder()
    try expectFailure(of: try folder.write(name, bytes), reason)
  }

  /// Expects that playback and the library state a reason with these words, and no other.
  private func expectFailure(of path: FilePath, _ reason: String, _ kind: Failure.Kind? = nil) throws {
    let worker = try WorkerProcess(ring: false)
    try worker.probe(1, path)
    guard case .response(1, .failed(let failure)) = try worker.nextEvent() else { throw Unexpected("\(worker.events)") }
    #expect(failure.message.contains(reason), "\(failure.message)")
    #expect(!failure.message.contains("truncated"), "\(failure.message)")
    if let kind { #expect(failure.kind == kind) }
    guard case .failed(let scanned) = try #require(try worker.scan([path]).first) else {
      throw Unexpected("the library lists it")
    }
    #expect(scanned.message == failure.message)
  }

  /// A file with Windows Media DRM has this flag. Its audio would be noise.
  @Test func encryptedFile_isNamed() throws {
    var bytes = try Fixture.bytes("long.wma")
    let properties: [UInt8] = [0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11]
    let at = try #require(bytes.indices.dropLast(80).first { bytes[$0..<$0 + 8].elementsEqual(properties) })
    bytes[at + 73] |= 0x80
    let folder = try TemporaryFolder()
    try expectFailure(of: try folder.write("drm.wma", bytes), "encrypted (DRM)", .unplayable)
  }

  @Test(.disabled(if: FFmpegVersion.decodesWideFLAC)) func flacWithWideSamples_isNotCalledDamaged() throws {
    let folder = try TemporaryFolder()
    try expectFailure(of: try folder.write("wide.flac", try Self.wideFLAC()), "samples of 32 bits", .unplayable)
  }

  /// Returns "a.flac" with a header that states samples of 32 bits, and frames that do, too.
  private static func wideFLAC() throws -> [UInt8] {
    var bytes = try Fixture.bytes("a.flac")
    bytes[20] |= 1
    bytes[21] |= 0xF0
    for index in bytes.indices.dropLast(4) where index > 42 && bytes[index] == 0xFF && bytes[index + 1] & 0xFE == 0xF8 {
      bytes[index + 3] = bytes[index + 3] & 0xF1 | 14
    }
    return bytes
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
