import SegueLink
import SegueSystem
import SegueWire
import Testing

/// What the daemon makes of facts that no honest worker tells of a file.
struct ScanReportTests {
  private func report(_ json: String) throws -> WorkerReport? { WorkerReport(try JSON(parsing: json)) }

  private func facts(_ members: String) throws -> FileFacts? {
    let packet = #"{"report":"scanned","ticket":7,"results":[{"info":{},\#(members)}]}"#
    guard case .scanned(7, let results) = try report(packet), case .facts(let facts) = results.first else { return nil }
    return facts
  }

  @Test func textsAreNoLongerThanIsKept() throws {
    let long = String(repeating: "é", count: 20_000)
    let facts = try #require(
      try facts(#""details":{"titleSort":"\#(long)","originalDate":"\#(long)","musicBrainz":{"track":"\#(long)"}}"#))
    #expect(facts.details.titleSort?.utf8.count == Metadata.longestText)
    #expect(facts.details.originalDate?.utf8.count == Metadata.longestText)
    #expect(facts.details.musicBrainz.track == nil, "no UUID")
  }

  @Test func numbersAreThoseThatAFileCanHave() throws {
    let facts = try #require(
      try facts(#""details":{"gain":{"trackGain":1e300,"trackPeak":-1,"albumGain":-64,"albumPeak":0.5}}"#))
    #expect(facts.details.gain == ReplayGain(albumGain: -64, albumPeak: 0.5))
  }

  @Test func sortKeysAreBytesAndNoMoreThanThat() throws {
    let long = String(repeating: "ab", count: SortKeys.longest + 1)
    let facts = try #require(
      try facts(#""sortKeys":{"title":"00ff","artist":"0x","album":"abc","albumArtist":"\#(long)"}"#))
    #expect(facts.sortKeys == SortKeys(title: [0, 0xFF]))
  }

  @Test func chaptersAreInOrderAndNotTooMany() throws {
    let title = String(repeating: "x", count: 1000)
    let many = (0..<2000).map { #"{"title":"\#(title)","start":\#(2000 - $0)}"# }.joined(separator: ",")
    let facts = try #require(try facts(#""chapters":[\#(many)]"#))
    #expect(facts.chapters.count == Chapter.most)
    #expect(facts.chapters.map(\.start) == facts.chapters.map(\.start).sorted())
    #expect(facts.chapters.reduce(0) { $0 + $1.title.utf8.count } <= 16 * 1024)
    #expect(facts.chapters == Chapter.bounded(facts.chapters))
  }

  @Test func noMoreFilesAreToldOfThanAnOrderNames() throws {
    let results = [String](repeating: #"{"kind":"unplayable","message":"x"}"#, count: 100).joined(separator: ",")
    guard case .scanned(1, let found) = try report(#"{"report":"scanned","ticket":1,"results":[\#(results)]}"#) else {
      Issue.record("not read")
      return
    }
    #expect(found == Array(repeating: .failed(Failure(.unplayable, "x")), count: WorkerOrder.mostScanned))
  }

  @Test func coversAndLyricsAreBounded() throws {
    #expect(
      try report(#"{"report":"cover","ticket":1,"cover":{"size":-1,"format":"exe"}}"#)
        == .cover(ticket: 1, CoverFound(size: 0, format: .other, width: 1, height: 1)))
    #expect(
      try report(#"{"report":"cover","ticket":1,"cover":{"size":99999999999}}"#)
        == .cover(ticket: 1, CoverFound(size: CoverFound.largest, format: .other, width: 1, height: 1)))
    #expect(try report(#"{"report":"cover","ticket":1,"cover":null}"#) == .cover(ticket: 1, nil))
    let long = String(repeating: "é", count: 60_000)
    guard case .lyrics(1, let text?) = try report(#"{"report":"lyrics","ticket":1,"text":"\#(long)"}"#) else {
      Issue.record("not read")
      return
    }
    #expect(text.utf8.count == WorkerReport.longestLyrics)
  }

  /// What is written is what is read.
  @Test func factsSurviveTheWay() throws {
    var metadata = Metadata()
    metadata.title = "Ти́тр \"\\\u{1F6EB}"
    metadata.artists = ["a", "b"]
    var details = TagDetails()
    details.compilation = true
    details.albumSort = "x"
    details.gain = ReplayGain(trackGain: -7.25, albumPeak: 1.000001)
    details.musicBrainz = MusicBrainzIDs(release: "F4A1B2C3-0000-4000-8000-00000000000A")
    let audio = Audio(
      codec: "flac", container: "flac", sampleRate: 44_100, channels: 2, bitDepth: 16, bitRate: 900_000,
      lossless: true, gapless: .exact)
    let info = MediaInfo(
      audio: audio, duration: MediaTime(nanoseconds: 531_904_761), durationKind: .exact, seekable: true,
      metadata: metadata)
    let facts = FileFacts(
      info: info, details: details, sortKeys: SortKeys(title: [1, 0, 255], artists: [[1], []]), hasCover: true,
      hasLyrics: true, chapters: [Chapter(title: "1", start: .zero), Chapter(title: "", start: MediaTime(seconds: 5))])
    let report = WorkerReport.scanned(ticket: 3, [.facts(facts), .failed(Failure(.timeout, "x"))])
    var json = JSONWriter()
    report.encode(into: &json)
    #expect(WorkerReport(try JSON(parsing: json.bytes)) == report)
    #expect(details.musicBrainz.release == "f4a1b2c3-0000-4000-8000-00000000000a")
  }

  @Test(arguments: [
    WorkerOrder.scan(ticket: 1, names: ["a", "б\n\""]), .lyrics(ticket: 2, name: "x"), .cover(ticket: 3, name: ""),
    .measure(ticket: 5, MediaSource(name: "я.flac"), isFirst: true),
    .collate(ticket: 4, []), .collate(ticket: 4, [SortText(""), SortText("я", sortName: "The я")]),
  ])
  func ordersSurviveTheWay(_ order: WorkerOrder) throws {
    var json = JSONWriter()
    order.encode(into: &json)
    #expect(WorkerOrder(try JSON(parsing: json.bytes)) == order)
  }
}
