import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of lyrics in LRC files and in tags.
@Suite struct LyricsTests {
  private let fixture: LibraryFixture

  init() throws {
    fixture = try LibraryFixture([
      ("plain", [("TITLE", "Plain"), ("LYRICS", "One line\n\nand [another] one\n")]),
      ("timed", [("TITLE", "Timed"), ("LYRICS", "[00:01.50]sung\n[00:02]twice")]),
      ("none", [("TITLE", "None")]),
    ])
  }

  private func lyrics(_ name: String) throws -> Lyrics {
    Lyrics(try fixture.client.call("lyrics", "{\"uri\":\"\(fixture.uri(name))\"}"))
  }

  private func write(_ bytes: [UInt8]) throws { try AudioFile.write(bytes, to: fixture.music.appending("none.lrc")) }

  private func line(_ seconds: Double, _ text: String) -> Lyrics.Line {
    Lyrics.Line(time: MediaTime(seconds: seconds), text: text)
  }

  @Test func lyricsAreReadFromTags() throws {
    let plain = try lyrics("plain")
    #expect(
      plain
        == Lyrics(
          uri: fixture.uri("plain"), source: .embedded, text: "One line\n\nand [another] one", lines: nil))
    #expect(try lyrics("timed").lines == [line(1.5, "sung"), line(2, "twice")])
    #expect(try fixture.client.errorResponse(to: "lyrics", "{\"uri\":\"\(fixture.uri("none"))\"}").kind == "not_found")
  }

  @Test func anLRCFileTakesPrecedenceOverTags() throws {
    try AudioFile.write(Array("from the file".utf8), to: fixture.music.appending("plain.lrc"))
    #expect(try lyrics("plain").source == .file)
    #expect(try lyrics("plain").text == "from the file")
  }

  /// Timestamps `[mm:ss.cc]`, several before one line, `[offset:…]` in milliseconds (positive is earlier), and word
  /// timestamps.
  @Test func timestampsOfLyricsAreParsed() throws {
    try write(
      Array(
        """
        [ar:Nobody]
        [ti:None]
        [offset:+500]
        [00:10.25][01:00]Refrain
        [00:05.5]<00:05.50>Word <00:06.00>by word
        [00:00.20]before the start
        [1:02:03.004]an hour on
        [00:20]
        no time of its own
        """.utf8))
    let found = try lyrics("none")
    #expect(found.source == .file)
    #expect(
      found.lines == [
        line(0, "before the start"), line(5, "Word by word"), line(9.75, "Refrain"), line(19.5, ""),
        line(59.5, "Refrain"), line(3_722.504, "an hour on"),
      ])
    #expect(found.text == "before the start\nWord by word\nRefrain\n\nRefrain\nan hour on")
  }

  /// Numbers that overflow, unterminated timestamps, and a long line with thousands of timestamps are harmless.
  @Test(arguments: [
    "[offset:-9223372036854775808]\n[00:01]one", "[offset:9223372036854775807]\n[00:01]one",
    "[99999:99.999999999]late\n[00:01]one",
  ])
  func timestampsAreBounded(_ text: String) throws {
    try write(Array(text.utf8))
    #expect(try lyrics("none").lines?.first == line(1, "one"))
  }

  @Test func unterminatedTimestampsAreText() throws {
    let marks = String(repeating: "<", count: 40_000)
    try write(Array("[00:01]\(marks)\n[00:02]two".utf8))
    #expect(try lyrics("none").lines == [line(1, marks), line(2, "two")])
  }

  @Test func aLineWithThousandsOfTimestampsIsLimited() throws {
    let times = (0..<2_500).map { "[\($0):00]" }.joined()
    try write(Array("\(times)\(String(repeating: "la ", count: 6_000))\n".utf8))
    let found = try lyrics("none")
    #expect(found.text.utf8.count < 512 * 1024)
    #expect((2...2_500).contains(found.lines?.count ?? 0))
  }

  /// The name of the lyrics file would be too long.
  @Test func lyricsAreFoundForTheLongestFileName() throws {
    let path = fixture.music.appending(String(repeating: "n", count: 252) + ".wv")
    try AudioFile.write(AudioFile.read(fixture.music.appending("plain.flac")), to: path)
    let found = Lyrics(try fixture.client.call("lyrics", "{\"uri\":\"\(FileURI.encode(path))\"}"))
    #expect(found.source == .embedded)
  }

  enum Charset: CaseIterable { case marked, littleEndian, bigEndian, latin1, cyrillic, chinese, japanese }

  @Test(arguments: Charset.allCases) func lyricsInCommonCharsetsAreRead(_ charset: Charset) throws {
    let text =
      switch charset {
      case .latin1: "[00:01]Señor"
      case .cyrillic: "[00:01]Группа крови на рукаве"
      case .chinese: "[00:01]月亮代表我的心，你问我爱你有多深"
      case .japanese: "[00:01]さくらさくら、やよいのそらは"
      default: "[00:01]Señor Группа"
      }
    let units = ["\u{FEFF}" + text].flatMap(\.utf16)
    switch charset {
    case .marked: try write(Array(("\u{FEFF}" + text).utf8))
    case .littleEndian: try write(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    case .bigEndian: try write(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    case .latin1: try write(text.unicodeScalars.map { UInt8($0.value) })
    case .cyrillic: try write(Self.written(text, in: "CP1251"))
    case .chinese: try write(Self.written(text, in: "GBK"))
    case .japanese: try write(Self.written(text, in: "SHIFT-JIS"))
    }
    #expect(try lyrics("none").lines == [line(1, String(text.dropFirst(7)))])
  }

  /// Converts the text with the C library, which supports these charsets.
  private static func written(_ text: String, in charset: String) throws -> [UInt8] {
    let converter = iconv_open(charset, "UTF-8")
    defer { iconv_close(converter) }
    var (source, target) = (Array(text.utf8).map(CChar.init(bitPattern:)), [CChar](repeating: 0, count: 1024))
    let left = source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target -> Int in
        var (from, to) = (source.baseAddress, target.baseAddress)
        var (fromLeft, toLeft) = (source.count, target.count)
        guard iconv(converter, &from, &fromLeft, &to, &toLeft) == 0, fromLeft == 0 else { return target.count }
        return toLeft
      }
    }
    try #require(left < target.count, "iconv does not support \(charset)")
    return target.dropLast(left).map(UInt8.init(bitPattern:))
  }
}
