import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of tags whose reading could take longer than the audio lasts. The audio plays, and the size of the tags that
/// are kept is limited.
@Suite struct HostileTagTests {
  enum Tag: String, CaseIterable {
    case valuesOfAKey, valuesOfTheArtist, frames, framesOfTheArtist, chapters, comments, artistComments, items, chunks
    case atoms, lists, innerFrames, secondComments, repeatedComments
    case appendedComments
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns a file without a hostile tag, and one with a tag that is `factor` times as large as the part that is read.
  private func files(_ tag: Tag, _ factor: Int = 1) throws -> (plain: FilePath, tagged: FilePath) {
    let name: String
    let bytes: [UInt8]
    switch tag {
    case .valuesOfAKey: (name, bytes) = ("a.mp3", try mp3(TagBytes.text("TXXX", "key\0" + values(600_000 * factor))))
    case .valuesOfTheArtist: (name, bytes) = ("a.mp3", try mp3(TagBytes.text("TPE1", values(600_000 * factor))))
    case .frames: (name, bytes) = ("a.mp3", try mp3(many(10_000 * factor) { TagBytes.text("TXXX", "k\($0)\0a") }))
    case .framesOfTheArtist:
      (name, bytes) = ("a.mp3", try mp3(many(10_000 * factor) { TagBytes.text("TPE1", "\($0)") }))
    case .chapters: (name, bytes) = ("a.mp3", try mp3(many(10_000 * factor) { chapter($0) }))
    case .innerFrames:
      let inner = many(350 * factor) { _ in TagBytes.text("TXXX", "") }
      (name, bytes) = ("a.mp3", try mp3(many(512) { chapter($0) + inner }))
    case .comments: (name, bytes) = ("a.flac", try flac(110_000 * factor) { "k\($0)=a" })
    case .artistComments: (name, bytes) = ("a.flac", try flac(110_000 * factor) { _ in "artist=a" })
    // Each comment is compared with all previous ones.
    case .repeatedComments: (name, bytes) = ("a.flac", try flac(110_000 * factor) { $0 < 1000 ? "k\($0)=a" : "k999=a" })
    // Each comment is appended to those with the same key.
    case .appendedComments: (name, bytes) = ("a.flac", try flac(110_000 * factor) { "k\($0 % 160)=a" })
    case .secondComments:
      name = "a.flac"
      bytes = TagBytes.flac(
        try Fixture.bytes(name), comments: TagBytes.comments(["title=Title"]), comments(110_000 * factor) { "k\($0)=a" }
      )
    case .items:
      (name, bytes) = (
        "a.wv",
        try Fixture.bytes("a.wv") + TagBytes.ape([("Title", "Title")] + many(40_000 * factor) { [("key \($0)", "a")] })
      )
    case .chunks: (name, bytes) = ("a.wav", try wave(40_000 * factor))
    case .lists: (name, bytes) = ("a.wav", try wave(100, lists: 400 * factor))
    case .atoms: (name, bytes) = ("a.m4a", try movie(60_000 * factor))
    }
    return (Fixture.path(name), try folder.write("\(tag.rawValue)-\(factor)-\(name)", bytes))
  }

  /// Returns `count` elements. The first thousand are those of `element`, and the others repeat them, which is fast.
  private func many<Element>(_ count: Int, _ element: (Int) -> [Element]) -> [Element] {
    let different = 1000
    let first = (0..<min(count, different)).map(element)
    // In a debug build this is many times as fast as joining the elements.
    var block: [Element] = []
    for some in first { block += some }
    var result: [Element] = []
    for _ in 0..<count / different { result += block }
    for rest in first.prefix(count % different) { result += rest }
    return result
  }

  private func values(_ count: Int) -> String { String(repeating: "a\0", count: count) }

  private func chapter(_ number: Int) -> [UInt8] {
    TagBytes.frame("CHAP", Array("c\(number)\0".utf8) + [UInt8](repeating: 0, count: 16))
  }

  /// Returns a file whose hostile frames precede the title.
  private func mp3(_ frames: [UInt8]) throws -> [UInt8] {
    TagBytes.id3v2(TagBytes.text("TIT2", "Title") + frames) + (try Fixture.bytes("a.mp3"))
  }

  private func flac(_ count: Int, _ comment: (Int) -> String) throws -> [UInt8] {
    TagBytes.flac(try Fixture.bytes("a.flac"), comments: comments(count, comment))
  }

  /// Returns a title and `count` comments.
  private func comments(_ count: Int, _ comment: (Int) -> String) -> [UInt8] {
    let comments = many(count) { number in
      let text = comment(number).utf8
      return TagBytes.littleEndian(text.count) + Array(text)
    }
    let title = "title=Title".utf8
    return joined(
      TagBytes.littleEndian(0), TagBytes.littleEndian(1 + count), TagBytes.littleEndian(title.count), title, comments)
  }

  /// Returns a file with `lists` INFO lists of `count` chunks, which all have different names.
  private func wave(_ count: Int, lists: Int = 1) throws -> [UInt8] {
    let bytes = try Fixture.bytes("a.wav")
    let chunks = many(count) { number in
      let letters = [17_576, 676, 26, 1].map { UInt8(0x41 + number / $0 % 26) }
      return TagBytes.chunk(String(decoding: letters, as: UTF8.self), [0x61, 0])
    }
    let chunk = TagBytes.chunk("LIST", joined("INFO".utf8, TagBytes.chunk("INAM", Array("Title\0".utf8)), chunks))
    return TagBytes.chunk("RIFF", Array(bytes[8...]) + many(lists) { _ in chunk })
  }

  /// Returns a file with `count` atoms in the list of tags. The fixture's box `moov` is the last one, and its box
  /// `udta` is the last one in it. Therefore no audio offset changes.
  private func movie(_ count: Int) throws -> [UInt8] {
    var bytes = try Fixture.bytes("a.m4a")
    func last(_ name: String) throws -> Int {
      try #require(bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual(name.utf8) }) - 4
    }
    let moov = try last("moov")
    bytes.removeSubrange(try last("udta")...)
    func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
      joined(TagBytes.bigEndian(body.count + 8), name.utf8, body)
    }
    let title: [UInt8] = [0xA9] + Array("nam".utf8)
    let data = box("data", joined(TagBytes.bigEndian(1), TagBytes.bigEndian(0), "Title".utf8))
    let items = TagBytes.bigEndian(data.count + 8) + title + data + many(count) { _ in box("free", []) }
    let handler = box(
      "hdlr", joined([UInt8](repeating: 0, count: 8), "mdirappl".utf8, [UInt8](repeating: 0, count: 9)))
    let tags = box("udta", box("meta", joined([0, 0, 0, 0], handler, box("ilst", items))))
    bytes.replaceSubrange(moov..<moov + 4, with: TagBytes.bigEndian(bytes.count - moov + tags.count))
    return bytes + tags
  }

  @Test(arguments: Tag.allCases) func hostileTag_audioPlaysToItsEnd(_ tag: Tag) throws {
    let files = try files(tag)
    let worker = try WorkerProcess()
    try worker.open(1, files.plain)
    let plain = try worker.decodedGeneration(1)
    try worker.open(2, files.tagged)
    let tagged = try worker.decodedGeneration(2)
    #expect(tagged.bytes == plain.bytes)
    #expect(tagged.end == plain.end)
    #expect((worker.info(of: 2)?.metadata.artists.count ?? 0) <= Metadata.maximumValueCount)
  }

  /// The test measures CPU time, which does not depend on other processes.
  @Test(arguments: Tag.allCases) func tagOfEightTimesTheSize_costsAtMostThreeTimes(
    _ tag: Tag
  ) throws {
    let worker = try WorkerProcess()
    func cost(_ generation: UInt32, _ path: FilePath) throws -> Double {
      let before = try worker.processorTime
      try worker.open(generation, path)
      _ = try worker.decodedGeneration(generation)
      return (try worker.processorTime - before).seconds
    }
    let small = try files(tag)
    _ = try cost(1, small.plain)
    // Starting a worker and playing a track without a hostile tag takes little time.
    let cheap = try worker.processorTime.seconds
    let (one, eight) = (try cost(2, small.tagged), try cost(3, files(tag, 8).tagged))
    #expect(eight < 3 * (one + cheap))
  }

  /// The tags before the limit are kept.
  @Test(arguments: Tag.allCases) func hostileTag_scanSucceeds(_ tag: Tag) throws {
    let worker = try WorkerProcess(ring: false)
    let result = try worker.scan([try files(tag).tagged])[0]
    guard case .facts(let facts) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(facts.info.metadata.title == "Title")
    #expect(facts.info.metadata.artists.count <= Metadata.maximumValueCount)
    #expect(facts.chapters.count <= Chapter.maximumCount)
  }

  /// The file has 120 MB, with frames that are far apart. Each of them takes a read of 48 KiB.
  @Test func tagReads_areLimitedTo64MiB() throws {
    let (count, size) = (2000, 60_000)
    let title = TagBytes.text("TIT2", "Title")
    let length = title.count + count * (10 + size)
    let path = try folder.write("far.mp3", joined("ID3".utf8, [4, 0, 0], TagBytes.synchsafe(length), title))
    let file = try #require(path.withCString { fopen($0, "r+") })
    let header = joined("PRIV".utf8, TagBytes.synchsafe(size), [0, 0])
    for number in 0..<count {
      fseek(file, 10 + title.count + number * (10 + size), SEEK_SET)
      fwrite(header, 1, header.count, file)
    }
    fseek(file, 10 + length, SEEK_SET)
    let audio = try Fixture.bytes("a.mp3")
    fwrite(audio, 1, audio.count, file)
    try #require(fclose(file) == 0)
    let worker = try WorkerProcess()
    // The worker first reads its own program and libraries.
    try worker.open(1, Fixture.path("a.mp3"))
    _ = try worker.decodedGeneration(1)
    let before = try worker.bytesRead
    try worker.open(2, path)
    #expect(try worker.decodedGeneration(2).bytes.isEmpty == false)
    #expect(worker.info(of: 2)?.metadata.title == "Title")
    #expect(try worker.bytesRead - before < 70_000_000)
  }

  /// The tag of the second track is read while the first one plays.
  @Test func nextTrackWithAHostileTag_isGapless() throws {
    let files = try files(.frames)
    let worker = try WorkerProcess()
    try worker.open(1, files.plain)
    try worker.follow(2, files.tagged, after: 1)
    let (first, second) = (try worker.decodedGeneration(1), try worker.decodedGeneration(2))
    #expect(first.bytes == second.bytes)
  }
}
