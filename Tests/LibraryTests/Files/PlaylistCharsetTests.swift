import SegueFiles
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of cue sheets and playlists that do not state their charset. The worker detects it.
@Suite(.timeLimit(.minutes(1))) struct PlaylistCharsetTests {
  private let scratch = Scratch()

  /// A performer and two titles with their bytes in a charset.
  struct Sample: Sendable, CustomTestStringConvertible {
    let charset: String
    let performer: String
    let titles: [String]
    /// The bytes of the performer and the titles.
    var bytes: [[UInt8]]

    init(_ charset: String, _ performer: String, _ first: String, _ second: String, hex: [String]) {
      self.charset = charset
      self.performer = performer
      titles = [first, second]
      bytes = hex.map { text in
        let digits = text.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
      }
    }

    var testDescription: String { charset }

    /// A cue sheet of one file, which has the name of its first track.
    var sheet: [UInt8] {
      joined(
        "PERFORMER \"".utf8, bytes[0], "\"\r\nFILE \"".utf8, bytes[1],
        ".wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    TITLE \"".utf8, bytes[1],
        "\"\r\n    INDEX 01 00:00:00\r\n  TRACK 02 AUDIO\r\n    TITLE \"".utf8, bytes[2],
        "\"\r\n    INDEX 01 00:05:00\r\n".utf8)
    }

    /// A playlist of two files, which have the names of their tracks.
    var list: [UInt8] {
      joined(
        "#EXTM3U\n#EXTINF:10,".utf8, bytes[1], "\n".utf8, bytes[1], ".mp3\n#EXTINF:20,".utf8, bytes[2], "\n".utf8,
        bytes[2], ".mp3\n".utf8)
    }
  }

  static let samples = [
    Sample(
      "windows-1251", "Виктор Цой", "Группа крови", "Звезда по имени Солнце",
      hex: ["c2e8eaf2eef020d6eee9", "c3f0f3efefe020eaf0eee2e8", "c7e2e5e7e4e020efee20e8ece5ede820d1eeebedf6e5"]),
    Sample(
      "KOI8-R", "Борис Гребенщиков", "Поезд в огне", "Город золотой",
      hex: ["e2cfd2c9d320e7d2c5c2c5ceddc9cbcfd7", "f0cfc5dac420d720cfc7cec5", "e7cfd2cfc420dacfcccfd4cfca"]),
    Sample(
      "Shift_JIS", "椎名林檎", "丸ノ内サディスティック", "幸福論",
      hex: ["92c596bc97d18ce7", "8adb836d93e08354836683428358836583428362834e", "8d4b959f985f"]),
    Sample(
      "GBK", "邓丽君", "月亮代表我的心", "我只在乎你",
      hex: ["b5cbc0f6befd", "d4c2c1c1b4fab1edced2b5c4d0c4", "ced2d6bbd4dabaf5c4e3"]),
  ]

  @Test(arguments: samples) func aCueSheetInALegacyCharsetIsReadAsText(_ sample: Sample) async {
    scratch.write("\(sample.titles[0]).wav")
    let found = await FileService.find(scratch.write(scratch["a.cue"], sample.sheet))
    #expect(found.tracks.map(\.metadata.title) == sample.titles)
    #expect(found.tracks.map(\.metadata.artist) == [sample.performer, sample.performer])
    #expect(found.failures.isEmpty, "the name of the file on the disk is UTF-8")
  }

  @Test(arguments: samples) func anM3UInALegacyCharsetIsReadAsText(_ sample: Sample) async {
    for title in sample.titles { scratch.write("\(title).mp3") }
    let found = await FileService.find(scratch.write(scratch["a.m3u"], sample.list))
    #expect(found.tracks.map(\.metadata.title) == sample.titles)
    #expect(found.tracks.compactMap { FileURI.decode($0.uri) } == sample.titles.map { scratch["\($0).mp3"] })
    #expect(found.failures.isEmpty)
  }

  @Test func aFileThatIsNamedInTheSameLegacyCharsetIsFound() async {
    let sample = Self.samples[0]
    let file = scratch.path.appending(sample.bytes[1] + Array(".wav".utf8))
    scratch.write(file, [])
    let found = await FileService.find(scratch.write(scratch["a.cue"], sample.sheet))
    #expect(found.tracks.map(\.metadata.title) == sample.titles)
    #expect(found.failures.isEmpty)
  }

  @Test func aMissingFileIsReportedByItsDecodedName() async {
    let found = await FileService.find(scratch.write(scratch["a.m3u"], Self.samples[0].list))
    #expect(found.failures.map { $0.failure.message.contains("Группа крови.mp3") } == [true, false])
  }

  @Test func linesInUTF8AreNotConverted() async {
    let sample = Self.samples[0]
    scratch.write("a.mp3")
    let text = joined("#EXTINF:1,Übermut\na.mp3\n#EXTINF:1,".utf8, sample.bytes[1], "\na.mp3\n".utf8)
    let found = await FileService.find(scratch.write(scratch["a.m3u"], text))
    #expect(found.tracks.map(\.metadata.title) == ["Übermut", sample.titles[0]])
  }

  /// Two bytes in windows-1251 and four in GBK are also letters in UTF-8.
  @Test(
    arguments: [(samples[0], "Её", [0xC5, 0xB8] as [UInt8]), (samples[3], "某一", [0xC4, 0xB3, 0xD2, 0xBB])])
  func aLineThatIsUTF8ByCoincidenceIsConvertedWithTheOthers(_ sample: Sample, _ title: String, _ bytes: [UInt8]) async {
    #expect(String(validating: bytes, as: UTF8.self) != nil)
    scratch.write("\(title).wav")
    let more = Sample(sample.charset, sample.performer, title, sample.titles[1], hex: [])
    var written = more
    written.bytes = [sample.bytes[0], bytes, sample.bytes[2]]
    let sheet = await FileService.find(scratch.write(scratch["a.cue"], written.sheet))
    #expect(sheet.tracks.map(\.metadata.title) == more.titles)
    #expect(sheet.failures.isEmpty)
    for title in more.titles { scratch.write("\(title).mp3") }
    let list = await FileService.find(scratch.write(scratch["a.m3u"], written.list))
    #expect(list.tracks.map(\.metadata.title) == more.titles)
    #expect(list.tracks.compactMap { FileURI.decode($0.uri) } == more.titles.map { scratch["\($0).mp3"] })
  }

  enum Order: CaseIterable { case little, big }

  @Test(arguments: Order.allCases, [true, false]) func textInUTF16IsRead(_ order: Order, _ hasMark: Bool) async {
    func utf16(_ text: String) -> [UInt8] {
      ((hasMark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return order == .little ? [low, high] : [high, low]
      }
    }
    for name in ["Песня.mp3", "日本語.mp3", "Диск.wav"] { scratch.write(name) }
    let list = await FileService.find(
      scratch.write(
        scratch["a.m3u"], utf16("#EXTM3U\r\n#EXTINF:5,Песня\r\nПесня.mp3\r\n#EXTINF:7,日本\r\n日本語.mp3\r\ngone.mp3\r\n")))
    #expect(list.tracks.map(\.metadata.title) == ["Песня", "日本"])
    #expect(list.tracks.compactMap { FileURI.decode($0.uri) } == [scratch["Песня.mp3"], scratch["日本語.mp3"]])
    #expect(list.failures.first?.failure.message.contains("line 6 of") == true)
    let sheet = await FileService.find(
      scratch.write(
        scratch["a.cue"],
        utf16(
          "TITLE \"Диск\"\nFILE \"Диск.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:05:00\n"
        )))
    #expect(sheet.tracks.map(\.metadata.album) == ["Диск", "Диск"])
    #expect(sheet.failures.isEmpty)
  }

  /// The first worker is malicious, and the second one does not exist.
  @Test(arguments: ["malicious-worker", "no-such-program"])
  func aPlaylistIsReadAsLatin1WithoutAWorkingWorker(_ program: String) async {
    scratch.write("a.mp3")
    let list = scratch.write(scratch["a.m3u"], joined("#EXTINF:1,Caf".utf8, [0xE9], "\na.mp3\n".utf8))
    let service = FileService(worker: WorkerProcess.product(program))
    let found = await service.resolved([FileURI.encode(list)])
    service.close()
    #expect(found.tracks.map(\.metadata.title) == ["Café"])
  }
}
