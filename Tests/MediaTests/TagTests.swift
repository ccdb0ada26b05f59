import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests that compare the tags for the library with those that mutagen reads from the same files
/// (Fixtures/Tags/expected.json).
@Suite struct TagTests {
  private func facts(_ name: String) throws -> FileFacts {
    let worker = try WorkerProcess(ring: false)
    return try #require(facts(try worker.scan([Fixture.tagged(name)]).first), "\(worker.events)")
  }

  private func facts(_ result: ScanResult?) -> FileFacts? {
    if case .facts(let facts) = result { facts } else { nil }
  }

  private static func expected() throws -> JSON { try JSON(parsing: Fixture.bytes("Tags/expected.json")) }

  /// Without this test, an empty list of expectations would be unnoticed.
  @Test func expectedTags_exist() throws { #expect(try Self.expected().count >= 19) }

  @Test(arguments: try expected().names)
  func everyTag_equalsThatOfMutagen(_ name: String) throws {
    let said = try #require(try Self.expected()[name])
    let facts = try facts(name)
    let (metadata, details) = (facts.info.metadata, facts.details)
    let (ids, gain) = (details.musicBrainz, details.gain)
    func text(_ member: String) -> String? { said[member]?.string }
    func texts(_ member: String) -> [String] { said[member]?.elements?.compactMap(\.string) ?? [] }
    #expect(metadata.title == text("title"))
    #expect(metadata.artists == said["artists"]?.elements?.compactMap(\.string))
    #expect(metadata.artist == (metadata.artists.isEmpty ? nil : metadata.artists.joined(separator: ", ")))
    #expect(metadata.album == text("album"))
    #expect(metadata.albumArtist == text("albumArtist"))
    #expect(metadata.composer == text("composer"))
    #expect(metadata.genre == texts("genre"))
    #expect(metadata.date == text("date"))
    #expect(metadata.track == said["track"]?.int)
    #expect(metadata.trackTotal == said["trackTotal"]?.int)
    #expect(metadata.disc == said["disc"]?.int)
    #expect(metadata.discTotal == said["discTotal"]?.int)
    #expect(details.originalDate == text("originalDate"))
    #expect(details.compilation == said["compilation"]?.bool)
    #expect(details.titleSort == text("titleSort"))
    #expect(details.artistSort == text("artistSort"))
    #expect(details.albumSort == text("albumSort"))
    #expect(details.albumArtistSort == text("albumArtistSort"))
    #expect(ids.track == text("trackID"))
    #expect(ids.release == text("releaseID"))
    #expect(ids.releaseGroup == text("releaseGroupID"))
    #expect(ids.artists == texts("artistIDs"))
    #expect(ids.albumArtists == texts("albumArtistIDs"))
    #expect(gain.trackGain == said["trackGain"]?.double)
    #expect(gain.trackPeak == said["trackPeak"]?.double)
    #expect(gain.albumGain == said["albumGain"]?.double)
    #expect(gain.albumPeak == said["albumPeak"]?.double)
    #expect(facts.hasCover == (said["cover"]?.int != nil))
    #expect(facts.hasLyrics == (text("lyrics") != nil))
  }

  /// mutagen reads all of these as Latin-1 or UTF-8, as the tags state.
  @Test(arguments: [
    ("cp1251.mp3", "Группа крови", "Кино", "Группа крови"), ("cp1251.v1.mp3", "Группа крови", "Кино", "Группа крови"),
    ("shift-jis.mp3", "丸ノ内サディスティック", "椎名林檎", "無罪モラトリアム"),
    ("gbk.mp3", "月亮代表我的心", "邓丽君", "岛国之情歌第四集"), ("koi8.mp3", "Поезд в огне", "Аквариум", "Равноденствие"),
    ("latin1.mp3", "Ágætis byrjun", "Sigur Rós", "Motörhead live"), ("utf8.mp3", "Полёт", "Кино", "Björk"),
    ("broken.flac", "Группа крови", "Кино", nil), ("broken.m4a", "Группа крови", "Кино", nil),
    ("broken.wv", "Группа крови", "Кино", nil),
  ])
  func unknownCharset_isGuessed(_ name: String, _ title: String, _ artist: String, _ album: String?) throws {
    let metadata = try facts(name).info.metadata
    #expect(metadata.title == title)
    #expect(metadata.artists == [artist])
    #expect(metadata.album == album)
  }

  /// macOS writes é as e and a combining accent. Other systems write one character.
  @Test(arguments: ["vorbis.opus", "mp4.m4a", "ape.wv"]) func equivalentSpellings_areNormalized(_ name: String) throws {
    let title = try #require(try facts(name).info.metadata.title)
    // A comparison of strings would not distinguish the spellings.
    #expect(title.unicodeScalars.last == "\u{E9}")
  }

  @Test func infoChunks_areRead() throws {
    let metadata = try facts("info.wav").info.metadata
    #expect(metadata.title == "Group of blood")
    #expect(metadata.artists == ["Kino"])
    #expect(metadata.album == "Album")
    #expect(metadata.date == "1988")
    #expect(metadata.genre == ["Rock"])
    #expect(metadata.track == 3)
  }

  /// This is the frame of ID3v2 for gains. mutagen does not treat it as a ReplayGain tag.
  @Test func relativeVolumeFrame_isGain() throws {
    let gain = try facts("rva2.mp3").details.gain
    #expect(gain == ReplayGain(trackGain: -3.5, trackPeak: 0.75, albumGain: 2.25, albumPeak: 0.5))
  }

  /// The header of r128.opus states −6 dB, to which its R128 gains are relative. The decoder applies it, and only once.
  @Test func gainInAnOpusHeader_isAppliedOnce() throws {
    func loudest(_ name: String) throws -> Float {
      let worker = try WorkerProcess()
      try worker.open(1, Fixture.tagged(name))
      return try worker.decodedGeneration(1).bytes.withUnsafeBytes {
        $0.bindMemory(to: Float.self).reduce(0) { max($0, abs($1)) }
      }
    }
    let ratio = try loudest("r128.opus") / loudest("vorbis.opus")
    #expect(abs(ratio - 0.501) < 0.005)
    #expect(try facts("r128.opus").details.gain.trackGain == 3)
  }

  @Test(arguments: ["chapters.mp3", "chapters.ogg", "chapters.m4a", "chapters.mka"])
  func chapters_areRead(_ name: String) throws {
    let chapters = try facts(name).chapters
    #expect(chapters.map(\.title) == ["Вступление", "Midle =; part", "Конец"])
    #expect(chapters.map(\.start) == [0, 1, 2].map { MediaTime(seconds: $0) })
  }

  /// The names of Vorbis comments are case-insensitive.
  @Test func chaptersInComments_areReadRegardlessOfCase() throws {
    let folder = try TemporaryFolder()
    let comments = [
      "chapter001=00:00:00.000", "Chapter001Name=One", "CHAPTER002=00:00:01.000", "chapter002name=Two",
    ]
    let path = try folder.write(
      "a.flac", TagBytes.flac(Fixture.bytes("long.flac"), comments: TagBytes.comments(comments)))
    let chapters = try Fixture.facts(of: path).chapters
    #expect(chapters.map(\.title) == ["One", "Two"])
    #expect(chapters.map(\.start) == [0, 1].map { MediaTime(seconds: $0) })
  }

  /// Characters that would break a line, a terminal or the limit of a packet.
  @Test func hostileTags_areCleanedAndLimited() throws {
    let facts = try facts("much.flac")
    let title = try #require(facts.info.metadata.title)
    #expect(title.hasPrefix("t [31m   \"\"\""))
    #expect(title.utf8.count == Metadata.maximumTextSize)
    #expect(facts.info.metadata == facts.info.metadata.bounded)
    #expect(facts.details == facts.details.bounded)
    #expect(facts.chapters.count == Chapter.maximumCount)
    #expect(facts.sortKeys.title.count <= SortKeys.maximumKeySize)
  }

  /// A command has sixteen files with the largest tags, and plain ones. No result is lost or out of order.
  @Test func filesWithTheLargestTags_fitTheirPackets() throws {
    let worker = try WorkerProcess(ring: false)
    let paths = (0..<16).map { Fixture.tagged($0 % 4 == 3 ? "v24.mp3" : "much.flac") }
    let results = try worker.scan(paths)
    #expect(results.count == 16)
    for (index, result) in results.enumerated() {
      guard case .facts(let facts) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(facts.info.audio.codec == (index % 4 == 3 ? "mp3" : "flac"))
    }
  }
}
