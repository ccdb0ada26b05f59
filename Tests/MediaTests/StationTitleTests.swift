import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

/// Tests of the titles and the names of stations, which are in unknown charsets.
@Suite struct StationTitleTests {
  private let fetcher: WorkerProcess

  init() throws { fetcher = try WorkerProcess(.fetch, ring: false) }

  /// Waits until the worker reports `expected`, one after the other, for a station that repeats these ICY metadata.
  /// What arrives while the stream is opened is not reported.
  private func expect(
    _ expected: [String?], from metadata: [[UInt8]], name: String = "Test", locale: String = "C.UTF-8"
  ) throws {
    let server = try WebServer.station(Array(name.utf8), try Fixture.bytes("long.aac"), metadata)
    let worker = try WorkerProcess(.stream, variables: ["LC_ALL": locale])
    try worker.open(server.url("radio"), through: fetcher)
    try worker.wait(for: "the titles \(expected)") { $0.titles.contains(expected) }
  }

  private static func metadata(_ title: [UInt8]) -> [UInt8] {
    joined("StreamTitle='".utf8, title, "';StreamUrl='';".utf8)
  }

  /// Returns `text`, which is Latin or Russian, in windows-1251 if it is Russian and in Latin-1 otherwise.
  private static func legacy(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x401: 0xA8
      case 0x410...0x44F: UInt8(scalar.value - 0x410 + 0xC0)
      default: UInt8(scalar.value)
      }
    }
  }

  @Test(arguments: [
    ["Björk – Jóga", "日本語の歌", "Кино - Группа крови"]
  ])
  func titlesInUTF8AreUnchanged(_ expected: [String]) throws {
    try expect(expected, from: expected.map { Self.metadata(Array($0.utf8)) })
  }

  /// The last title of each list is too short to be judged alone.
  @Test(arguments: [
    ["Motörhead - Ace of Spades", "Beyoncé"], ["Кино - Группа крови", "Алиса - Всё это рок-н-ролл", "Ёж"],
  ])
  func titlesInLegacyCharsetsAreJudgedTogether(_ expected: [String]) throws {
    let text = expected.map { $0.replacing("ё", with: "е") }
    try expect(text, from: text.map { Self.metadata(Self.legacy($0)) })
  }

  /// The titles are in windows-1250, ISO-8859-2, ISO-8859-9 and windows-1250.
  @Test(
    arguments: [
      (
        "pl_PL.UTF-8", ["Być", "Mój świat"],
        [[0x42, 0x79, 0xE6], [0x4D, 0xF3, 0x6A, 0x20, 0x9C, 0x77, 0x69, 0x61, 0x74]]
      ),
      (
        "pl_PL.UTF-8", ["Być", "Mój świat"],
        [[0x42, 0x79, 0xE6], [0x4D, 0xF3, 0x6A, 0x20, 0xB6, 0x77, 0x69, 0x61, 0x74]]
      ),
      ("tr_TR.UTF-8", ["Barış", "Ağaç"], [[0x42, 0x61, 0x72, 0xFD, 0xFE], [0x41, 0xF0, 0x61, 0xE7]]),
      ("C.UTF-8", ["Dąb", "Kąt"], [[0x44, 0xB9, 0x62], [0x4B, 0xB9, 0x74]]),
    ] as [(String, [String], [[UInt8]])])
  func titlesInCentralEuropeanCharsetsAreDecoded(_ locale: String, _ expected: [String], _ titles: [[UInt8]]) throws {
    try expect(expected, from: titles.map(Self.metadata), locale: locale)
  }

  @Test func titlesInShiftJISAreDecoded() throws {
    let title: [UInt8] = [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x89, 0xCC]
    try expect(["日本語の歌"], from: [Self.metadata(title)])
  }

  @Test func quotationMarksBelongToTheTitle() throws {
    try expect(["Don't Stop 'til"], from: [Array("StreamTitle='Don't Stop 'til';StreamUrl='x';".utf8)])
  }

  /// Encoders limit the bytes of a title. The last one is no UTF-8: its only character beyond ASCII is incomplete.
  @Test func aTitleThatIsCutInTheMiddleOfACharacterIsUTF8() throws {
    for (title, cut) in [("Björk – Jóg", 1), ("日本語の", 2), ("Жук 🎵", 3)] {
      try expect([title], from: [Self.metadata(Array(title.utf8) + Array("🎵".utf8.prefix(cut)))])
    }
    try expect(["MANHÃ"], from: [Self.metadata(Array("MANH".utf8) + [0xC3])])
  }

  @Test func entitiesInTitlesAreDecoded() throws {
    let expected = ["Tom & Jerry", "\"Q\" 'a' <b>", "Ж é", "&amp", "&unknown; &#99999999; R&B;"]
    let sent = [
      "Tom &amp; Jerry", "&quot;Q&quot; &#39;a&apos; &lt;b&gt;", "&#x416; &#233;", "&amp", "&unknown; &#99999999; R&B;",
    ]
    try expect(expected, from: sent.map { Self.metadata(Array($0.utf8)) })
  }

  @Test func aByteOrderMarkIsNoPartOfTheTitle() throws {
    try expect(["Björk"], from: [Self.metadata(Array("\u{FEFF}Björk".utf8))])
  }

  @Test func placeholdersAreNoTitles() throws {
    let texts = ["-", "A", "", "  ", "B", "TEST", "C", "C"]
    try expect(["A", nil, "B", nil, "C"], from: texts.map { Self.metadata(Array($0.utf8)) })
  }

  /// The worker sends few events of a station that changes its title all the time, and the title at the end is right.
  @Test func aFloodOfTitlesCausesFewEvents() throws {
    let audio = try Fixture.bytes("long.aac")
    let interval = 512
    var body: [UInt8] = []
    for number in 0..<700 {
      let text = Self.metadata(Array((number < 600 ? "Title \(number)" : "The last one").utf8))
      let blocks = (text.count + 15) / 16
      body += (0..<interval).map { audio[(number * interval + $0) % audio.count] }
      body += joined([UInt8(blocks)], text, [UInt8](repeating: 0, count: blocks * 16 - text.count))
    }
    let server = try WebServer { [body] _, client in
      let head = "HTTP/1.0 200 OK\r\nContent-Type: audio/aac\r\nicy-metaint: \(interval)\r\nicy-name: Test\r\n\r\n"
      if client.send(head), client.send(body) { client.waitForEnd() }
      return false
    }
    let worker = try WorkerProcess(.stream)
    let begin = MonotonicTime.now
    try worker.open(server.url("radio"), through: fetcher)
    try worker.wait(for: "the last title") { $0.titles.contains("The last one") }
    let seconds = (MonotonicTime.now - begin).seconds
    #expect(Double(worker.titles.count) <= 32 + 4 * seconds + 1)
  }

  @Test func theNameOfAStationIsItsTitle() throws {
    let name: [UInt8] = Self.legacy("Radio Zürich")
    let server = try WebServer.station(name, try Fixture.bytes("long.aac"), [])
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("radio"), through: fetcher)
    try worker.wait(for: "the stream") { $0.info(of: 1) != nil }
    #expect(worker.info(of: 1)?.station == "Radio Zürich")
    #expect(worker.info(of: 1)?.metadata.title == "Radio Zürich")
  }

  @Test(arguments: ["", "-", "no name", "Unspecified name"])
  func aPlaceholderIsNoName(_ name: String) throws {
    let server = try WebServer.station(Array(name.utf8), try Fixture.bytes("long.aac"), [])
    let worker = try WorkerProcess(.stream)
    try worker.open(server.url("radio"), through: fetcher)
    try worker.wait(for: "the stream") { $0.info(of: 1) != nil }
    #expect(worker.info(of: 1)?.station == nil)
    #expect(worker.info(of: 1)?.metadata.title == nil)
  }
}

extension WorkerProcess {
  /// The titles that the worker has reported, nil for a title that has ended.
  var titles: [String?] {
    events.compactMap { event -> String?? in
      if case .decoding(_, .title(let title, _)) = event { .some(title) } else { nil }
    }
  }
}

extension WebServer {
  /// Creates a station with this name, which repeats `audio` with the next of `metadata` at intervals, and then closes
  /// the connection.
  fileprivate static func station(_ name: [UInt8], _ audio: [UInt8], _ metadata: [[UInt8]]) throws -> WebServer {
    // More than libavformat reads at once.
    let interval = 48 * 1024
    var body: [UInt8] = []
    var next = 0
    for text in metadata + [[]] {
      for _ in 0..<interval {
        body.append(audio[next % audio.count])
        next += 1
      }
      let blocks = (text.count + 15) / 16
      body += joined([UInt8(blocks)], text, [UInt8](repeating: 0, count: blocks * 16 - text.count))
    }
    let head = Array("HTTP/1.0 200 OK\r\nContent-Type: audio/aac\r\nicy-metaint: \(interval)\r\nicy-name: ".utf8)
    return try WebServer { [body] _, client in
      _ = client.send(joined(head, name, "\r\n\r\n".utf8, body))
      return false
    }
  }
}
