import SegueLink
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tags that take longer to read than the music lasts, if they are read carelessly: each of these took a worker between
/// twenty seconds and days. The audio plays, and no more of the tags is kept than anybody can use.
@Suite struct HostileTagTests {
  enum Tag: String, CaseIterable {
    case valuesOfAKey, valuesOfTheArtist, frames, framesOfTheArtist, chapters, comments, artistComments, items, chunks
    case atoms, lists, innerFrames, secondComments
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let values = String(repeating: "a\0", count: 2_000_000)

  /// The music without such a tag, and with it.
  private func files(_ tag: Tag) throws -> (plain: FilePath, tagged: FilePath) {
    let name: String
    let bytes: [UInt8]
    switch tag {
    case .valuesOfAKey: (name, bytes) = ("a.mp3", try mp3(TagBytes.text("TXXX", "key\0" + Self.values)))
    case .valuesOfTheArtist: (name, bytes) = ("a.mp3", try mp3(TagBytes.text("TPE1", Self.values)))
    case .frames: (name, bytes) = ("a.mp3", try mp3((0..<400_000).flatMap { TagBytes.text("TXXX", "k\($0)\0a") }))
    case .framesOfTheArtist:
      (name, bytes) = ("a.mp3", try mp3((0..<400_000).flatMap { TagBytes.text("TPE1", "\($0)") }))
    case .chapters:
      let chapters = (0..<200_000).flatMap { number in
        TagBytes.frame("CHAP", Array("c\(number)\0".utf8) + [UInt8](repeating: 0, count: 16))
      }
      (name, bytes) = ("a.mp3", try mp3(chapters))
    case .comments: (name, bytes) = ("a.flac", try flac((0..<600_000).map { "k\($0)=a" }))
    case .artistComments: (name, bytes) = ("a.flac", try flac((0..<600_000).map { "artist=\($0)" }))
    case .items:
      let items = [("Title", "Title")] + (0..<60_000).map { ("key \($0)", "a") }
      (name, bytes) = ("a.wv", try Fixture.bytes("a.wv") + TagBytes.ape(items))
    case .chunks: (name, bytes) = ("a.wav", try wave(200_000))
    case .lists: (name, bytes) = ("a.wav", try wave(1000, lists: 1000))
    case .innerFrames:
      let inner = (0..<700).flatMap { _ in TagBytes.text("TXXX", "") }
      let chapters = (0..<512).flatMap { number in
        TagBytes.frame("CHAP", Array("c\(number)\0".utf8) + [UInt8](repeating: 0, count: 16) + inner)
      }
      (name, bytes) = ("a.mp3", try mp3(chapters))
    case .secondComments:
      let comments = TagBytes.comments((0..<600_000).map { "k\($0)=a" })
      name = "a.flac"
      bytes = TagBytes.flac(
        try Fixture.bytes(name), comments: TagBytes.comments(["title=Title"]), comments)
    case .atoms: (name, bytes) = ("a.m4a", try movie(300_000))
    }
    return (Fixture.path(name), try folder.write("\(tag.rawValue)-\(name)", bytes))
  }

  /// The hostile frames stand before the title.
  private func mp3(_ frames: [UInt8]) throws -> [UInt8] {
    TagBytes.id3v2(TagBytes.text("TIT2", "Title") + frames) + (try Fixture.bytes("a.mp3"))
  }

  private func flac(_ comments: [String]) throws -> [UInt8] {
    TagBytes.flac(try Fixture.bytes("a.flac"), comments: TagBytes.comments(["title=Title"] + comments))
  }

  /// With so many lists INFO of `count` chunks, all of different names.
  private func wave(_ count: Int, lists: Int = 1) throws -> [UInt8] {
    let bytes = try Fixture.bytes("a.wav")
    var list = Array("INFO".utf8) + TagBytes.chunk("INAM", Array("Title\0".utf8))
    for number in 0..<count {
      let letters = [number / 17_576, number / 676 % 26, number / 26 % 26, number % 26].map { UInt8(0x41 + $0) }
      list += TagBytes.chunk(String(decoding: letters, as: UTF8.self), [0x61, 0])
    }
    let chunk = TagBytes.chunk("LIST", list)
    let body = Array(bytes[8...]) + (0..<lists).flatMap { _ in chunk }
    return TagBytes.chunk("RIFF", body)
  }

  /// With `count` atoms in the list of tags. The fixture's box `moov` is the last, so that no offset of audio changes.
  private func movie(_ count: Int) throws -> [UInt8] {
    var bytes = try Fixture.bytes("a.m4a")
    let name = Array("moov".utf8)
    let moov = try #require(bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual(name) }) - 4
    func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
      TagBytes.bigEndian(body.count + 8) + Array(name.utf8) + body
    }
    let title: [UInt8] = [0xA9] + Array("nam".utf8)
    let data = box("data", TagBytes.bigEndian(1) + TagBytes.bigEndian(0) + Array("Title".utf8))
    let items = TagBytes.bigEndian(data.count + 8) + title + data + (0..<count).flatMap { _ in box("free", []) }
    let handler = box(
      "hdlr", [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9))
    let tags = box("udta", box("meta", [0, 0, 0, 0] + handler + box("ilst", items)))
    bytes.replaceSubrange(moov..<moov + 4, with: TagBytes.bigEndian(bytes.count - moov + tags.count))
    return bytes + tags
  }

  @Test(arguments: Tag.allCases) func theAudioPlaysToItsEnd(_ tag: Tag) throws {
    let files = try files(tag)
    let worker = try WorkerProcess()
    try worker.open(1, files.plain)
    let plain = try worker.take(1)
    try worker.open(2, files.tagged)
    let tagged = try worker.take(2)
    #expect(tagged.bytes == plain.bytes)
    #expect(tagged.end == plain.end)
    #expect((worker.info(of: 2)?.metadata.artists.count ?? 0) <= Metadata.mostValues)
  }

  /// What stands in front of the rest is kept.
  @Test(arguments: Tag.allCases) func theLibraryTakesTheFile(_ tag: Tag) throws {
    let worker = try WorkerProcess(ring: false)
    let result = try worker.scan([try files(tag).tagged])[0]
    guard case .facts(let facts) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(facts.info.metadata.title == "Title")
    #expect(facts.info.metadata.artists.count <= Metadata.mostValues)
    #expect(facts.chapters.count <= Chapter.most)
  }

  /// One track follows the other while the tag of the second is read.
  @Test func theNextTrackFollowsWithoutAGap() throws {
    let files = try files(.frames)
    let worker = try WorkerProcess()
    try worker.open(1, files.plain)
    try worker.follow(2, files.tagged, after: 1)
    let (first, second) = (try worker.take(1), try worker.take(2))
    #expect(first.bytes == second.bytes)
  }
}
