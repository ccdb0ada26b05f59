import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of tags that violate their specification, or that few programs write. mutagen reads all of them, unless a test
/// states otherwise.
@Suite struct TagVariantTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func facts(_ name: String, _ bytes: [UInt8]) throws -> FileFacts {
    try Fixture.facts(of: folder.write(name, bytes))
  }

  private static let title = TagBytes.text("TIT2", "Title")
  private static let artist = TagBytes.text("TPE1", "Artist")
  private static let plainTexts =
    TagBytes.text("TIT2", "Title", isPlain: true) + TagBytes.text("TPE1", "Artist", isPlain: true)
  /// Bytes that unsynchronisation changes, in both forms.
  private static let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0x00, 0xFF, 0xFF]
  private static let unsynchronisedPicture: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0x00, 0xE0, 0xFF, 0x00, 0x00, 0xFF, 0x00, 0xFF]
  private static let pictureHeader = joined([0], "image/jpeg".utf8, [0, 3, 0])

  private static func utf16(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  /// The lowest peaks that tags can state are written with an exponent.
  @Test func veryLowPeak_isNotTakenForAHighOne() throws {
    let volume = TagBytes.frame("RVA2", Array("track\0".utf8) + [1, 0xF9, 0, 16, 0, 1])
    let music = try Fixture.bytes("long.cbr.mp3")
    let low = try facts("low.mp3", TagBytes.id3v2(Self.title + volume) + music).details.gain
    #expect(low == ReplayGain(trackGain: -3.5, trackPeak: 1.0 / 32_768))
    let text = TagBytes.text("TXXX", "REPLAYGAIN_TRACK_PEAK\03.0517578125e-05")
    let written = try facts("written.mp3", TagBytes.id3v2(Self.title + text) + music).details.gain
    #expect(written == ReplayGain(trackPeak: 1.0 / 32_768))
  }

  @Test func conductorsAndWorks_areRead() throws {
    let music = try Fixture.bytes("long.cbr.mp3")
    let tag = TagBytes.id3v2(
      TagBytes.text("TPE3", "Richter\0Bernstein") + TagBytes.text("TXXX", "WORK\0Mass") + TagBytes.text("TCOM", "A\0B"))
    let details = try facts("new.mp3", tag + music).details
    #expect(details.conductors == ["Richter", "Bernstein"] && details.works == ["Mass"])
    #expect(details.composers == ["A", "B"])
    let old = TagBytes.id3v2(version: 3, TagBytes.text("TP3 ", "Richter", isPlain: true))
    #expect(try facts("old.mp3", old + music).details.conductors == ["Richter"])
  }

  private static let tags: [(String, [UInt8])] = [
    ("an empty frame in front", TagBytes.id3v2(TagBytes.frame("TCOP", []) + title + artist)),
    ("an extended header", TagBytes.id3v2(flags: 0x40, joined(TagBytes.synchsafe(6), [1, 0], title, artist))),
    (
      "an extended header of 2.3",
      TagBytes.id3v2(version: 3, flags: 0x40, joined(TagBytes.bigEndian(6), [0, 0, 0, 0, 0, 0], plainTexts))
    ),
    (
      "an extended header of 2.3 with a checksum",
      TagBytes.id3v2(
        version: 3, flags: 0x40, joined(TagBytes.bigEndian(10), [0x80, 0, 0, 0, 0, 0, 1, 2, 3, 4], plainTexts))
    ),
    ("an extended header that is not there", TagBytes.id3v2(flags: 0x40, title + artist)),
    (
      "a picture that is unsynchronised, in front",
      TagBytes.id3v2(
        flags: 0x80, TagBytes.frame("APIC", pictureHeader + unsynchronisedPicture, flags: 2) + title + artist)
    ),
    (
      "a picture of 2.3 that is unsynchronised, in front",
      TagBytes.id3v2(
        version: 3, flags: 0x80,
        joined(
          "APIC".utf8, TagBytes.bigEndian(pictureHeader.count + picture.count), [0, 0], pictureHeader,
          unsynchronisedPicture, plainTexts))
    ),
    (
      "a flag for unsynchronisation of what is not unsynchronised",
      TagBytes.id3v2(
        version: 3, flags: 0x80, TagBytes.frame("APIC", pictureHeader + picture, isPlain: true) + plainTexts)
    ),
    (
      "names of 2.2 with a blank",
      TagBytes.id3v2(
        version: 3, TagBytes.text("TT2 ", "Title", isPlain: true) + TagBytes.text("TP1 ", "Artist", isPlain: true))
    ),
    (
      "names of 2.2 with a zero",
      TagBytes.id3v2(
        version: 3, TagBytes.text("TT2\0", "Title", isPlain: true) + TagBytes.text("TP1\0", "Artist", isPlain: true))
    ),
    (
      "UTF-16 without a mark",
      TagBytes.id3v2(TagBytes.frame("TIT2", [1] + utf16("Title")) + TagBytes.frame("TPE1", [1] + utf16("Artist")))
    ),
    (
      "UTF-16 without a mark, the upper byte first",
      TagBytes.id3v2(
        TagBytes.frame("TIT2", [1] + utf16("Title", isBigEndian: true))
          + TagBytes.frame("TPE1", [1] + utf16("Artist", isBigEndian: true)))
    ),
    (
      "plain sizes in 2.4",
      TagBytes.id3v2(TagBytes.text("TCOP", String(repeating: "c", count: 300), isPlain: true) + plainTexts)
    ),
    (
      "synchsafe sizes in 2.3",
      TagBytes.id3v2(version: 3, TagBytes.text("TCOP", String(repeating: "c", count: 300)) + title + artist)
    ),
    (
      "a frame that is compressed",
      TagBytes.id3v2(
        TagBytes.frame("TIT2", TagBytes.synchsafe(6) + TagBytes.zlib([3] + Array("Title".utf8)), flags: 9) + artist)
    ),
    (
      "a frame of 2.3 that is compressed",
      TagBytes.id3v2(
        version: 3,
        TagBytes.frame(
          "TIT2", TagBytes.bigEndian(6) + TagBytes.zlib([3] + Array("Title".utf8)), flags: 0x80, isPlain: true)
          + TagBytes.text("TPE1", "Artist", isPlain: true))
    ),
    ("the artist three times", TagBytes.id3v2(title + artist + artist + TagBytes.text("TPE1", "Artist\0Artist"))),
    ("a frame with a name that cannot be", TagBytes.id3v2(TagBytes.frame("?abc", [1, 2, 3]) + title + artist)),
    (
      "a last frame that is cut off", TagBytes.id3v2(Array((title + TagBytes.text("TPE1", "Artist\0\0\0")).dropLast(3)))
    ),
    ("a blank title in a first tag", TagBytes.id3v2(TagBytes.text("TIT2", " ") + artist) + TagBytes.id3v2(title)),
  ]

  @Test(arguments: tags) func unusualID3v2Tag_isRead(_ what: String, _ tag: [UInt8]) throws {
    let metadata = try facts("a.mp3", tag + Fixture.bytes("a.mp3")).info.metadata
    #expect(metadata.title == "Title", "\(what)")
    #expect(metadata.artists == ["Artist"], "\(what)")
    #expect(metadata.artist == "Artist", "\(what)")
  }

  @Test func textWithAWrongUnsynchronisationFlag_isRead() throws {
    let title = TagBytes.frame("TIT2", [1, 0xFF, 0xFE] + Self.utf16("Lÿÿs"), flags: 2)
    let tag = TagBytes.id3v2(flags: 0x80, title)
    #expect(try facts("a.mp3", tag + Fixture.bytes("a.mp3")).info.metadata.title == "Lÿÿs")
  }

  /// Genre numbers are found in texts of any charset.
  @Test(arguments: [
    ("(17)R\u{F6}ck", ["Rock", "Röck"]), ("(4)(17)", ["Disco", "Rock"]), ("R\u{F6}ck", ["Röck"]),
    ("((17)R\u{F6}ck", ["(17)Röck"]),
  ]) func genreWithANumber_isReadInLatin1(_ text: String, _ genres: [String]) throws {
    let genre = TagBytes.frame("TCON", [0] + text.unicodeScalars.map { UInt8($0.value) })
    let tag = TagBytes.id3v2(Self.title + genre)
    #expect(try facts("a.mp3", tag + Fixture.bytes("a.mp3")).info.metadata.genre == genres)
  }

  /// Some programs state too small a size of the block. mutagen and libFLAC read all comments, too.
  @Test func commentsBeyondTheirBlock_areRead() throws {
    let comments = TagBytes.comments(["title=Title", "artist=Artist", "album=" + String(repeating: "a", count: 300)])
    let whole = TagBytes.flac(try Fixture.bytes("a.flac"), comments: comments)
    let block = 4 + 4 + 34
    let bytes = joined(whole[..<(block + 1)], TagBytes.bigEndian(20, bytes: 3), whole[(block + 4)...])
    let found = try facts("a.flac", bytes)
    #expect(found.info.metadata.title == "Title")
    #expect(found.info.metadata.artists == ["Artist"])
    #expect(found.info.metadata.album?.count == 300)
    #expect(try found.info.duration == facts("b.flac", Fixture.bytes("a.flac")).info.duration)
  }

  private static let pictures = tags.filter { $0.0.contains("picture") }

  /// Unsynchronised pictures are decoded to the original bytes.
  @Test(arguments: pictures)
  func pictureInAnUnusualTag_isFound(_ what: String, _ tag: [UInt8]) throws {
    #expect(try facts("a.mp3", tag + Fixture.bytes("a.mp3")).hasCover)
  }

  /// The library reads only the header of a picture. The cover has all bytes.
  @Test func largeCompressedPicture_isACover() throws {
    let picture = Self.pictureHeader + [UInt8](repeating: 0xD8, count: 100_000)
    let packed = TagBytes.synchsafe(picture.count) + TagBytes.zlib(picture)
    let tag = TagBytes.id3v2(TagBytes.frame("APIC", packed, flags: 9) + Self.title)
    #expect(try facts("a.mp3", tag + Fixture.bytes("a.mp3")).hasCover)
  }

  @Test func truncatedCompressedText_isReadToItsEnd() throws {
    let packed = TagBytes.synchsafe(100) + TagBytes.zlib([3] + Array("Title".utf8)).dropLast(4)
    let tag = TagBytes.id3v2(TagBytes.frame("TIT2", packed, flags: 9))
    #expect(try facts("a.mp3", tag + Fixture.bytes("a.mp3")).info.metadata.title == "Title")
  }

  /// RFC 9639 allows one block. mutagen reads the first one, too.
  @Test func firstOfSeveralCommentBlocks_isRead() throws {
    let blocks = [["title=Title", "artist=Artist"], ["title=Other"]].map { TagBytes.comments($0) }
    let bytes = TagBytes.flac(try Fixture.bytes("a.flac"), comments: blocks[0], blocks[1])
    let metadata = try facts("a.flac", bytes).info.metadata
    #expect(metadata.title == "Title")
    #expect(metadata.artists == ["Artist"])
  }

  /// The reader of plain comments leaves large comments to TagLib. Both find the same values.
  @Test(arguments: [100, 20_000, 70_000, 300_000], [17, 255])
  func commentsOnSeveralPages_areRead(_ size: Int, _ laceCount: Int) throws {
    let lyrics = "lyrics=" + String(repeating: "a", count: size)
    for (large, hasCover) in [(lyrics, false), (TagBytes.pictureComment(size), true)] {
      let comments = TagBytes.comments(["artist=Artist", large, "title=Title"])
      let opus = TagBytes.opus(try Fixture.bytes("long.opus"), comments: comments, laceCount: laceCount)
      let facts = try facts("a.opus", opus)
      #expect(facts.info.metadata.artists == ["Artist"])
      #expect(facts.info.metadata.title == "Title")
      #expect(facts.hasCover == hasCover)
      #expect(facts.hasLyrics == !hasCover)
      #expect(facts.info.durationKind == .exact)
    }
  }

  /// Comments are read up to one mebibyte, which the vendor string exceeds here.
  @Test func commentsAfterAHugeVendorString_areDropped() throws {
    let comments = TagBytes.comments(["title=Title"], vendor: String(repeating: "v", count: 1 << 20))
    let facts = try facts("a.flac", TagBytes.flac(try Fixture.bytes("a.flac"), comments: comments))
    #expect(facts.info.metadata.title == nil)
  }

  /// The charset of a long text is guessed from its beginning, which ends between two characters.
  @Test func longTextOfAnUnknownCharset_isRead() throws {
    let line: [UInt8] = [0x0A, 0xB4, 0xF3, 0xD4, 0xBC, 0xD4, 0xDA, 0xB6, 0xAC, 0xBC, 0xBE]
    let lyrics = [0x20] + [UInt8]([[UInt8]](repeating: line, count: 2000).joined())
    let title: [UInt8] = [0, 0xB4, 0xF3, 0xD4, 0xBC, 0xD4, 0xDA, 0xB6, 0xAC, 0xBC, 0xBE]
    let tag = TagBytes.id3v2(
      TagBytes.frame("USLT", joined([0], "zho".utf8, [0], lyrics)) + TagBytes.frame("TIT2", title))
    #expect(try facts("a.mp3", tag + Fixture.bytes("a.mp3")).info.metadata.title == "大约在冬季")
  }

  @Test func yearDayAndTime_areADate() throws {
    let frames = [("TIME", "0830"), ("TYER", "1999"), ("TDAT", "0103")].flatMap {
      TagBytes.text($0.0, $0.1, isPlain: true)
    }
    let metadata = try facts("a.mp3", TagBytes.id3v2(version: 3, frames) + Fixture.bytes("a.mp3")).info.metadata
    #expect(metadata.date == "1999-03-01T08:30")
    #expect(metadata.year == 1999)
  }

  /// mutagen does not read these chunks.
  @Test func nameAndAuthorOfAIFF_areRead() throws {
    var bytes = try Fixture.bytes("short.aiff")
    for (name, text) in [("NAME", "Title"), ("AUTH", "Artist")] {
      bytes += joined(name.utf8, TagBytes.bigEndian(text.utf8.count), text.utf8)
      if !text.utf8.count.isMultiple(of: 2) { bytes.append(0) }
    }
    bytes.replaceSubrange(4..<8, with: TagBytes.bigEndian(bytes.count - 8))
    let metadata = try facts("a.aiff", bytes).info.metadata
    #expect(metadata.title == "Title")
    #expect(metadata.artists == ["Artist"])
  }

  private func dsdiff(_ more: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      joined(name.utf8, TagBytes.bigEndian(body.count, bytes: 8), body, body.count.isMultiple(of: 2) ? [] : [0])
    }
    let rate = chunk("FS  ", TagBytes.bigEndian(2_822_400))
    let channels = chunk("CHNL", [0, 2] + Array("SLFTSRGT".utf8))
    let compression = chunk("CMPR", joined("DSD ".utf8, [14], "not compressed".utf8, [0]))
    let silence = chunk("DSD ", [UInt8](repeating: 0x69, count: 2 * 35_280))
    let version = chunk("FVER", [1, 5, 0, 0])
    return chunk(
      "FRM8",
      joined("DSD ".utf8, version, chunk("PROP", joined("SND ".utf8, rate, channels, compression)), silence, more))
  }

  @Test func tagsOfDSDIFF_areRead() throws {
    let tag = TagBytes.id3v2(Self.title + Self.artist)
    let body = joined("ID3 ".utf8, TagBytes.bigEndian(tag.count, bytes: 8), tag)
    let metadata = try facts("a.dff", dsdiff(body)).info.metadata
    #expect(metadata.title == "Title")
    #expect(metadata.artists == ["Artist"])
  }

  /// mutagen does not read these.
  @Test func textsOfDSDIFF_areRead() throws {
    func text(_ name: String, _ text: String) -> [UInt8] {
      let body = TagBytes.bigEndian(text.utf8.count) + Array(text.utf8)
      return joined(name.utf8, TagBytes.bigEndian(body.count, bytes: 8), body, body.count.isMultiple(of: 2) ? [] : [0])
    }
    let texts = text("DITI", "Title") + text("DIAR", "Artist")
    let metadata = try facts("a.dff", dsdiff(joined("DIIN".utf8, TagBytes.bigEndian(texts.count, bytes: 8), texts)))
      .info.metadata
    #expect(metadata.title == "Title")
    #expect(metadata.artists == ["Artist"])
  }

  /// A Matroska stream has a name, too, which usually describes its contents.
  @Test func titleOfMatroska_isThatOfItsContainer() throws {
    let metadata = try facts("titled.mka", try Fixture.bytes("Tags/titled.mka")).info.metadata
    #expect(metadata.title == "Title")
  }

  /// An author in addition to an artist is not a second artist.
  @Test func authorBesideAnArtist_isNoArtist() throws {
    let comments = TagBytes.comments(["artist=Artist", "author=Author"])
    let metadata = try facts("a.flac", TagBytes.flac(try Fixture.bytes("a.flac"), comments: comments)).info.metadata
    #expect(metadata.artists == ["Artist"])
  }

  private func id3v1(_ title: [UInt8], _ artist: [UInt8]) -> [UInt8] {
    func field(_ bytes: [UInt8], _ size: Int) -> [UInt8] { bytes + [UInt8](repeating: 0, count: size - bytes.count) }
    return joined("TAG".utf8, field(title, 30), field(artist, 30), [UInt8](repeating: 0, count: 64), [255])
  }

  /// Short texts are valid in many charsets. These were taken for Thai, Greek, Cyrillic and Arabic.
  @Test(arguments: [
    ("天路", "韩红", "CCECC2B7", "BAABBAEC"), ("征服", "那英", "D5F7B7FE", "C4C7D3A2"),
    ("大约在冬季", "齐秦", "B4F3D4BCD4DAB6ACBCBE", "C6EBC7D8"), ("吻别", "张学友", "CEC7B1F0", "D5C5D1A7D3D1"),
    ("甜蜜蜜", "邓丽君", "CCF0C3DBC3DB", "B5CBC0F6BEFD"), ("聽海", "張惠妹", "C5A5AEFC", "B169B466A966"),
    ("小情歌", "蘇打綠", "A470B1A1BA71", "C4ACA5B4BAF1"), ("糸", "中島みゆき", "8E85", "9286938782DD82E482AB"),
    ("봄날", "방탄소년단", "BABDB3AF", "B9E6C5BABCD2B3E2B4DC"),
    ("Крылья", "Наутилус", "CAF0FBEBFCFF", "CDE0F3F2E8EBF3F1"),
  ])
  func charsetsOfShortTexts_areDistinguished(_ title: String, _ artist: String, _ titleHex: String, _ artistHex: String)
    throws
  {
    func bytes(_ hex: String) -> [UInt8] {
      let digits = hex.compactMap(\.hexDigitValue)
      return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
    let tag = id3v1(bytes(titleHex), bytes(artistHex))
    let metadata = try facts("a.mp3", Fixture.bytes("a.mp3") + tag).info.metadata
    #expect(metadata.title == title)
    #expect(metadata.artists == [artist])
  }

  /// ID3v1 should be the last tag, but in some files it is not.
  @Test(arguments: [false, true]) func apeAndID3v1Tags_areFoundInAnyOrder(_ apeLast: Bool) throws {
    let (ape, v1) = (TagBytes.ape([("Artist", "Artist")]), id3v1(Array("Title".utf8), []))
    let metadata = try facts("a.mp3", Fixture.bytes("a.mp3") + (apeLast ? v1 + ape : ape + v1)).info.metadata
    #expect(metadata.title == "Title")
    #expect(metadata.artists == ["Artist"])
  }
}
