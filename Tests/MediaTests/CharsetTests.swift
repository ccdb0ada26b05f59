import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of texts in charsets that nothing names.
@Suite struct CharsetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the title and the artist of an MP3 file with these bytes, in a locale.
  private func texts(_ title: [UInt8], _ artist: [UInt8], locale: String) throws -> [String?] {
    let tag = TagBytes.id3v2(TagBytes.frame("TIT2", [0] + title) + TagBytes.frame("TPE1", [0] + artist))
    let worker = try WorkerProcess(ring: false, variables: ["LC_ALL": locale])
    let result = try worker.scan([folder.write("a.mp3", tag + Fixture.bytes("long.cbr.mp3"))]).first
    guard case .facts(let facts)? = result else { return ["\(String(describing: result))"] }
    return [facts.info.metadata.title, facts.info.metadata.artist]
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let charset: String
    let title: String
    let artist: String
    let bytes: [[UInt8]]

    init(_ charset: String, _ title: String, _ artist: String, _ hex: [String]) {
      (self.charset, self.title, self.artist) = (charset, title, artist)
      bytes = hex.map(CharsetTests.bytes)
    }

    var testDescription: String { "\(charset) \(title)" }
  }

  @Test(arguments: [
    Case("GBK", "浜崎あゆみ", "愛のテーマ", ["e4bac6e9a4a2a4e6a4df", "90dba4cea5c6a960a5de"]),
    Case("GBK", "残酷な天使のテーゼ", "高橋洋子", ["b2d0bfe1a4cacceccab9a4cea5c6a960a5bc", "b8df98f2d1f3d7d3"]),
    Case("GBK", "アニメソング", "新世纪福音战士", ["a5a2a5cba5e1a5bda5f3a5b0", "d0c2cac0bccdb8a3d2f4d5bdcabf"]),
    Case("GBK", "我的ありがとう", "周杰伦", ["ced2b5c4a4a2a4eaa4aca4c8a4a6", "d6dcbddcc2d7"]),
    Case("GBK", "島唄の歌", "沖縄", ["8d758668a4ceb8e8", "9b5fbf49"]),
    Case("GBK", "無間道", "劉德華", ["9f6fe967b5c0", "84a2b5c2c841"]),
  ]) func textsInGBKWithKanaAreNotCyrillic(_ sample: Case) throws {
    #expect(try texts(sample.bytes[0], sample.bytes[1], locale: "C.UTF-8") == [sample.title, sample.artist])
  }

  @Test func textsThatAreCutInTheMiddleOfACharacterAreUTF8() throws {
    let (title, artist) = (Array("Группа крови на рукаве".utf8), Array("Björk".utf8))
    #expect(try texts(title.dropLast(), artist, locale: "C.UTF-8") == ["Группа крови на рукав", "Björk"])
    #expect(
      try texts(title.dropLast(), artist + [0xE2, 0x80], locale: "ru_RU.UTF-8") == ["Группа крови на рукав", "Björk"])
  }

  /// The ideographs of this text exist in EUC-JP, too.
  @Test func theLocaleDistinguishesChineseTextsWithKanaFromJapaneseOnes() throws {
    let title = Self.bytes("a4c8a4caa4eaa4cea5c8a5c8a5ed")
    let artist = Self.bytes("bec3caafc8c3")
    #expect(try texts(title, artist, locale: "zh_CN.UTF-8") == ["となりのトトロ", "久石让"])
    let japanese = try texts(Self.bytes("baf9a4ceb2d6"), Self.bytes("c0a4b3a6b0ecbcfea4ceceb9"), locale: "C.UTF-8")
    #expect(japanese == ["桜の花", "世界一周の旅"])
  }

  @Test(arguments: [
    (
      "pl_PL.UTF-8",
      Case(
        "windows-1250", "Dni, których nie znamy", "Marek Grechuta – Żyję",
        ["446e692c206b74f372796368206e6965207a6e616d79", "4d6172656b204772656368757461209620af796aea"])
    ),
    (
      "pl_PL.UTF-8",
      Case(
        "ISO-8859-2", "Dziwny jest ten świat", "Czesław Niemen Ą",
        ["447a69776e79206a6573742074656e20b677696174", "437a6573b36177204e69656d656e20a1"])
    ),
    ("pl_PL", Case("windows-1250", "Żółć", "Być", ["aff3b3e6", "4279e6"])),
    ("pl_PL.UTF-8", Case("ISO-8859-2", "Idź swoją drogą", "Łona", ["4964bc2073776f6ab12064726f67b1", "a36f6e61"])),
    ("cs_CZ.UTF-8", Case("windows-1250", "Příběh", "Žlutý pes", ["50f8ed62ec68", "8e6c7574fd20706573"])),
    (
      "cs_CZ.UTF-8",
      Case(
        "ISO-8859-2", "Šípková Růženka", "Jiří Schelinger ť",
        ["a9ed706b6f76e12052f9be656e6b61", "4a69f8ed20536368656c696e67657220bb"])
    ),
    ("sk_SK.UTF-8", Case("windows-1250", "Keď chýbaš ty", "Elán ľ", ["4b65ef206368fd62619a207479", "456ce16e20be"])),
    ("hu_HU.UTF-8", Case("ISO-8859-2", "Őszi eső", "Zorán", ["d5737a69206573f5", "5a6f72e16e"])),
    ("tr_TR.UTF-8", Case("ISO-8859-9", "Gülpembe", "Barış Manço", ["47fc6c70656d6265", "426172fdfe204d616ee76f"])),
    (
      "tr_TR.UTF-8",
      Case(
        "windows-1254", "İstanbul’da sonbahar", "Işın Karaca ğ",
        ["dd7374616e62756c92646120736f6e6261686172", "49fefd6e204b617261636120f0"])
    ),
    ("lt_LT.UTF-8", Case("windows-1257", "Laužo šviesa", "Žas", ["4c6175fe6f20f07669657361", "de6173"])),
    (
      "ro_RO.UTF-8", Case("windows-1250", "Ştefan cel Mare", "Viaţă", ["aa746566616e2063656c204d617265", "566961fee3"])
    ),
  ]) func latinTextsAreReadInTheCharsetOfTheLocale(_ locale: String, _ sample: Case) throws {
    #expect(try texts(sample.bytes[0], sample.bytes[1], locale: locale) == [sample.title, sample.artist])
  }

  /// Symbols within words show that the charset is not that of Western Europe.
  @Test(arguments: [
    Case("windows-1250", "Dąb", "Łódź", ["44b962", "a3f3649f"]),
    Case(
      "ISO-8859-2", "Idź swoją drogą", "Czesław Niemen",
      ["4964bc2073776f6ab12064726f67b1", "437a6573b36177204e69656d656e"]),
    Case(
      "windows-1250", "Timişoara", "Maria Tănase – Ciuleandra",
      ["54696d69ba6f617261", "4d617269612054e36e6173652096204369756c65616e647261"]),
    Case("ISO-8859-9", "Aşk", "Barış Manço", ["41fe6b", "426172fdfe204d616ee76f"]),
  ]) func centralEuropeanTextsAreRecognizedInAnyLocale(_ sample: Case) throws {
    for locale in ["C.UTF-8", "en_US.UTF-8", "de_DE.UTF-8"] {
      #expect(try texts(sample.bytes[0], sample.bytes[1], locale: locale) == [sample.title, sample.artist])
    }
  }

  @Test(arguments: [
    ("C.UTF-8", Case("windows-1252", "Motörhead", "¿Qué será?", ["4d6f74f67268656164", "bf5175e920736572e13f"])),
    (
      "en_US.UTF-8",
      Case(
        "windows-1252", "¡Viva! ¡Hola!", "Sigur Rós – Ágætis byrjun",
        ["a1566976612120a1486f6c6121", "53696775722052f373209620c167e6746973206279726a756e"])
    ),
    (
      "C.UTF-8",
      Case(
        "windows-1252", "L´amour", "Rock´n´Roll · 100 °C",
        ["4cb4616d6f7572", "526f636bb46eb4526f6c6c20b72031303020b043"])
    ),
    ("is_IS.UTF-8", Case("windows-1252", "Íþrótt", "Alþýðublaðið", ["cdfe72f37474", "416cfefdf075626c61f069f0"])),
    ("pl_PL.UTF-8", Case("windows-1252", "Voilà", "Motörhead", ["566f696ce0", "4d6f74f67268656164"])),
    (
      "tr_TR.UTF-8",
      Case(
        "windows-1252", "Café del Mar", "Françoise Hardy",
        ["436166e92064656c204d6172", "4672616ee76f697365204861726479"])
    ),
    ("fr_FR.UTF-8", Case("windows-1252", "Cœur", "N° 5 – 2½", ["439c7572", "4eb0203520962032bd"])),
    ("C.UTF-8", Case("windows-1252", "Norðurþing", "L·L²", ["4e6f72f07572fe696e67", "4cb74cb2"])),
  ]) func westernTextsAreReadAsWesternOnes(_ locale: String, _ sample: Case) throws {
    #expect(try texts(sample.bytes[0], sample.bytes[1], locale: locale) == [sample.title, sample.artist])
  }

  @Test(arguments: [
    Case("windows-1251", "Группа крови", "Кино", ["c3f0f3efefe020eaf0eee2e8", "cae8edee"]),
    Case("GBK", "月亮代表我的心", "邓丽君", ["d4c2c1c1b4fab1edced2b5c4d0c4", "b5cbc0f6befd"]),
    Case("Shift_JIS", "丸ノ内サディスティック", "椎名林檎", ["8adb836d93e08354836683428358836583428362834e", "92c596bc97d18ce7"]),
  ]) func textsInOtherScriptsAreRecognizedInLocalesOfCentralEurope(_ sample: Case) throws {
    for locale in ["pl_PL.UTF-8", "cs_CZ.UTF-8", "tr_TR.UTF-8", "lv_LV.UTF-8"] {
      #expect(try texts(sample.bytes[0], sample.bytes[1], locale: locale) == [sample.title, sample.artist])
    }
  }
}
