import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueFetch

/// Tests of the translation of DASH manifests to those of HLS.
@Suite struct DASHManifestTests {
  private static let url = "http://radio.example/live/a.mpd?x=1"
  /// 2026-11-23T12:00:00Z.
  private static let noon = UnixTime(nanoseconds: 1_795_435_200_000_000_000)

  /// Reads a manifest, whose attributes and content are given.
  private func read(
    _ attributes: String, _ content: String, now: UnixTime = noon, _ session: StreamSession = StreamSession()
  ) throws -> RemotePlaylist.Content {
    let bytes = Array(
      "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" \(attributes)>\(content)</MPD>".utf8)
    let format = try #require(RemotePlaylist.format(bytes, mediaType: nil, pathExtension: nil))
    #expect(format == .dash)
    return try RemotePlaylist.read(bytes, format, at: Self.url, now: now, session)
  }

  /// Returns the lines of the translation.
  private func lines(
    _ attributes: String, _ content: String, now: UnixTime = noon, _ session: StreamSession = StreamSession()
  ) throws -> [String] {
    guard case .manifest(let bytes, _) = try read(attributes, content, now: now, session) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func audio(_ content: String, _ attributes: String = "") -> String {
    """
    <Period><AdaptationSet contentType="audio" \(attributes)>\(content)\
    <Representation id="low" bandwidth="48000"/><Representation id="high" bandwidth="96000"/></AdaptationSet></Period>
    """
  }

  @Test func segmentsOfOneLength_areNumbered() throws {
    let template = """
      <SegmentTemplate timescale="1000" duration="4000" startNumber="5" initialization="$RepresentationID$/init.mp4" \
      media="$RepresentationID$/$Bandwidth$/$Number%03d$$$.m4s"/>
      """
    let lines = try lines(#"type="static" mediaPresentationDuration="PT0M10.5S""#, Self.audio(template))
    #expect(
      lines == [
        "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:4",
        "#EXT-X-MAP:URI=\"http://radio.example/live/high/init.mp4\"",
        "#EXTINF:4.0,", "http://radio.example/live/high/96000/005$.m4s",
        "#EXTINF:4.0,", "http://radio.example/live/high/96000/006$.m4s",
        "#EXTINF:4.0,", "http://radio.example/live/high/96000/007$.m4s", "#EXT-X-ENDLIST",
      ])
  }

  @Test func segmentsOfATimeline_haveTheirTimes() throws {
    let template = """
      <SegmentTemplate timescale="100" presentationTimeOffset="700" media="$Time$.m4s"><SegmentTimeline>\
      <S t="700" d="200" r="1"/><S d="150"/><S t="1300" d="100" r="-1"/></SegmentTimeline></SegmentTemplate>
      """
    let lines = try lines(#"mediaPresentationDuration="PT8S""#, Self.audio(template))
    #expect(
      lines.filter { !$0.hasPrefix("#") }.map { $0.split(separator: "/").last } == [
        "700.m4s", "900.m4s", "1100.m4s", "1300.m4s", "1400.m4s",
      ])
    let lengths = ["2.0", "2.0", "1.5", "1.0", "1.0"]
    #expect(lines.filter { $0.hasPrefix("#EXTINF") } == lengths.map { "#EXTINF:\($0)," })
  }

  /// The client knows a live manifest by the clock of the server.
  @Test func liveSegments_endBeforeTheCurrentTime() throws {
    let template = #"<SegmentTemplate duration="10" startNumber="1" media="$Number$.m4s"/>"#
    let attributes = #"type="dynamic" availabilityStartTime="2026-11-23T11:00:05+00:00""#
    let session = StreamSession()
    // 3,595 seconds have passed, and 359 segments are complete.
    let first = try lines(attributes, Self.audio(template), session)
    #expect(first.last == "http://radio.example/live/359.m4s" && !first.contains("#EXT-X-ENDLIST"))
    #expect(first.filter { !$0.hasPrefix("#") }.count == 12 && first[3] == "#EXT-X-MEDIA-SEQUENCE:0")
    let second = try lines(attributes, Self.audio(template), now: Self.noon + .seconds(25), session)
    #expect(second.last == "http://radio.example/live/362.m4s" && second[3] == "#EXT-X-MEDIA-SEQUENCE:3")
    // If all segments are new, the next number follows the last one.
    let third = try lines(attributes, Self.audio(template), now: Self.noon + .seconds(1_000), session)
    #expect(third[3] == "#EXT-X-MEDIA-SEQUENCE:15")
  }

  @Test func liveTimeline_keepsTheNumbersOfItsSegments() throws {
    func timeline(_ start: Int, _ count: Int) -> String {
      Self.audio(
        """
        <SegmentTemplate timescale="44100" media="$Time$.m4s"><SegmentTimeline>\
        <S t="\(start)" d="88064" r="\(count - 1)"/></SegmentTimeline></SegmentTemplate>
        """)
    }
    let session = StreamSession()
    let time = 79_178_690_000_000
    let first = try lines(#"type="dynamic""#, timeline(time, 5), session)
    let second = try lines(#"type="dynamic""#, timeline(time + 2 * 88_064, 5), session)
    #expect(first[3] == "#EXT-X-MEDIA-SEQUENCE:0" && second[3] == "#EXT-X-MEDIA-SEQUENCE:2")
    #expect(first.last == "http://radio.example/live/\(time + 4 * 88_064).m4s")
  }

  @Test func listedSegments_mayBeRangesOfOneFile() throws {
    let list = """
      <BaseURL> ../files/a&amp;b.mp4 </BaseURL><SegmentList timescale="10" duration="25"><Initialization range="0-99"/>\
      <SegmentURL mediaRange="100-299"/><SegmentURL mediaRange="300-301"/></SegmentList>
      """
    let lines = try lines(#"mediaPresentationDuration="PT5S""#, Self.audio(list))
    let file = "http://radio.example/files/a&b.mp4"
    #expect(lines[3] == "#EXT-X-MAP:URI=\"\(file)\",BYTERANGE=\"100@0\"")
    let segments = ["#EXTINF:2.5,", "#EXT-X-BYTERANGE:200@100", file, "#EXTINF:2.5,", "#EXT-X-BYTERANGE:2@300", file]
    #expect(Array(lines[4...]) == segments + ["#EXT-X-ENDLIST"])
  }

  @Test func aSingleFile_isPlayedItself() throws {
    let content = """
      <BaseURL>http://cdn.example/</BaseURL><Period><AdaptationSet mimeType="video/mp4"><Representation id="v"/>\
      </AdaptationSet><AdaptationSet><Representation mimeType="audio/mp4"><BaseURL>a.m4a</BaseURL>\
      <SegmentBase indexRange="800-1500"><Initialization range="0-799"/></SegmentBase></Representation></AdaptationSet></Period>
      """
    #expect(try read(#"mediaPresentationDuration="PT5S""#, content) == .list(["http://cdn.example/a.m4a"]))
  }

  @Test func periods_followEachOther() throws {
    func period(_ name: String, _ duration: String) -> String {
      """
      <Period duration="\(duration)"><AdaptationSet contentType="audio"><SegmentTemplate duration="2" initialization="\(name)i" \
      media="\(name)$Number$"/><Representation id="1"/></AdaptationSet></Period>
      """
    }
    let lines = try lines("", period("a", "PT4S") + period("b", "PT2S"))
    #expect(
      lines[3...].map { $0.split(separator: "/").last.map(String.init) } == [
        "ai\"", "#EXTINF:2.0,", "a1", "#EXTINF:2.0,", "a2", "#EXT-X-DISCONTINUITY", "bi\"", "#EXTINF:2.0,", "b1",
        "#EXT-X-ENDLIST",
      ])
  }

  static let invalid: [(LongArgument, Failure.Kind, String)] =
    ([
      ("<Period>", .unplayable, "malformed DASH manifest in line 2"),
      ("", .unplayable, "names no audio"),
      (audio(""), .unplayable, "includes itself"),
      (audio("<BaseURL>file:///etc/passwd</BaseURL>"), .unplayable, "cannot be played"),
      (audio("<ContentProtection schemeIdUri=\"x\"/><BaseURL>a.m4a</BaseURL>"), .unplayable, "encrypted"),
      (audio("<SegmentTemplate media=\"$Number$\"/>"), .unplayable, "the length of its segments"),
      (audio("<SegmentTemplate duration=\"2\" media=\"$Number$\"/>"), .unplayable, "does not state its length"),
      (
        audio(
          "<SegmentTemplate media=\"$Time$\"><SegmentTimeline><S d=\"1\" r=\"1000000000\"/></SegmentTimeline></SegmentTemplate>"
        ),
        .tooLarge, "too many segments"
      ),
      (
        audio("<SegmentList duration=\"2\"><SegmentURL media=\"a.mpd?x=1\"/></SegmentList>"), .unplayable,
        "includes itself"
      ),
      (String(repeating: "<a/>", count: 20_000), .tooLarge, "more than 20000 elements"),
      (String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100), .unplayable, "nested too deeply"),
    ] as [(String, Failure.Kind, String)]).map { (LongArgument($0), $1, $2) }

  /// Numbers that a manifest may state, and of which no sum or product is a valid number.
  static let enormous: [(attributes: String, content: String)] = [
    ("", template(#"media="$Time$""#, #"<S t="0" d="1152921504606846976" r="8"/>"#)),
    ("", template(#"media="$Time$""#, #"<S t="0" d="1" r="1152921504606846976"/>"#)),
    ("", template(#"media="$Time$" startNumber="1152921504606846976""#, #"<S d="1099511627776" r="99999999"/>"#)),
    (
      #"mediaPresentationDuration="PT3000S""#,
      audio(#"<SegmentTemplate timescale="4503599627370496" duration="4503599627370496" media="$Number$"/>"#)
    ),
    (
      #"type="dynamic""#,
      audio(#"<SegmentTemplate timescale="1152921504606846976" duration="1152921504606846976" media="$Number$"/>"#)
    ),
    (
      #"type="dynamic" availabilityStartTime="1970-01-01T00:00:00Z""#,
      template(#"timescale="1152921504606846976" media="$Time$""#, #"<S t="0" d="1073741824" r="-1"/>"#)
    ),
  ]

  private static func template(_ attributes: String, _ timeline: String) -> String {
    audio("<SegmentTemplate \(attributes)><SegmentTimeline>\(timeline)</SegmentTimeline></SegmentTemplate>")
  }

  @Test(arguments: enormous)
  func enormousNumbers_areRefused(_ attributes: String, _ content: String) {
    #expect {
      try read(attributes, content)
    } throws: { error in
      [.tooLarge, .unplayable].contains((error as? Failure)?.kind)
    }
  }

  /// Some servers count ticks of 100 ns from 1970.
  @Test func timesOfManyTicks_areExact() throws {
    let timeline = #"<S t="17954352000000001" d="20000000" r="1"/>"#
    let content = Self.template(#"timescale="10000000" media="$Time$.m4s""#, timeline)
    let lines = try lines(#"type="dynamic""#, content)
    #expect(lines.last == "http://radio.example/live/17954352020000001.m4s")
  }

  /// A segment keeps its number although the list of segments becomes longer, or loses its first ones.
  @Test func aLiveList_keepsTheNumbersOfItsSegments() throws {
    let session = StreamSession()
    func sequence(from start: Int, _ names: ClosedRange<Int>) throws -> String {
      let segments = names.map { "<SegmentURL media=\"\($0)\"/>" }.joined()
      let list = "<SegmentList duration=\"2\" startNumber=\"\(start)\">\(segments)</SegmentList>"
      return try lines(#"type="dynamic""#, Self.audio(list), session)[3]
    }
    #expect(try sequence(from: 1, 1...20) == "#EXT-X-MEDIA-SEQUENCE:0")
    #expect(try sequence(from: 1, 1...22) == "#EXT-X-MEDIA-SEQUENCE:2")
    #expect(try sequence(from: 5, 5...23) == "#EXT-X-MEDIA-SEQUENCE:3")
  }

  /// Manifests whose addresses would take gigabytes, or minutes, although they are short themselves.
  static let enormousAddresses: [LongArgument] =
    [
      period(
        "", template(String(repeating: "$RepresentationID$", count: 20_000)),
        "id=\"\(String(repeating: "x", count: 400_000))\""),
      period("", template(long + "$Number$")),
      period("<BaseURL>\(long)/</BaseURL>", template("/$Number$")),
      period(
        "<BaseURL>\(long)/</BaseURL>",
        "<SegmentList>\(String(repeating: "<SegmentURL media=\"/a\"/>", count: 19_000))</SegmentList>"),
    ].map { LongArgument($0) }

  private static let long = String(repeating: "x", count: 16_000)

  private static func template(_ media: String) -> String { "<SegmentTemplate duration=\"1\" media=\"\(media)\"/>" }

  /// Returns a period of 40,000 seconds with one representation.
  private static func period(_ base: String, _ addressing: String, _ attributes: String = "") -> String {
    """
    <Period duration="PT40000S">\(base)<AdaptationSet contentType="audio">\(addressing)<Representation \(attributes)/>\
    </AdaptationSet></Period>
    """
  }

  @Test(arguments: enormousAddresses)
  func enormousAddresses_areRefused(_ content: LongArgument) {
    #expect {
      try read("", content.text)
    } throws: { error in
      (error as? Failure)?.kind == .tooLarge
    }
  }

  /// The thread that reads a manifest serves nothing else meanwhile. If the time grew with the square of the number of
  /// elements, these manifests would take minutes.
  @Test func manyElements_areReadInTime() throws {
    let representations = String(repeating: "<Representation id=\"a\"/>", count: 19_990)
    let set =
      "<AdaptationSet mimeType=\"audio/\(String(repeating: "x", count: 500_000))\">\(representations)</AdaptationSet>"
    #expect(
      try read("", "<BaseURL>a.mp4</BaseURL><Period>\(set)</Period>") == .list(["http://radio.example/live/a.mp4"]))
    let silent =
      "<Period duration=\"PT1S\"><AdaptationSet contentType=\"audio\"><Representation/></AdaptationSet></Period>"
    #expect(throws: Failure.self) {
      try read("", "<BaseURL>\(Self.long)</BaseURL>" + String(repeating: silent, count: 6_600))
    }
    let timeline = Self.period(
      "",
      "<SegmentTemplate media=\"http://[/\"><SegmentTimeline><S d=\"1\" r=\"99999\"/></SegmentTimeline></SegmentTemplate>"
    )
    #expect(throws: Failure.self) { try read("type=\"dynamic\"", String(repeating: timeline, count: 3_300)) }
  }

  @Test(arguments: invalid)
  func anInvalidManifest_isRefusedWithAReason(_ content: LongArgument, _ kind: Failure.Kind, _ text: String) {
    #expect {
      try read("", content.text)
    } throws: { error in
      (error as? Failure)?.kind == kind && (error as? Failure)?.message.contains(text) == true
    }
  }

  @Test(
    arguments: [
      ("PT1H2M3.5S", 3723.5), ("P1DT1S", 86_401), ("P1W", 604_800), ("PT0S", 0), ("P1Y", nil), ("PT", 0), ("1S", nil),
      ("PT5", nil), ("PTXS", nil), ("-PT1S", nil), ("PT99999999999999S", nil),
    ] as [(String, Double?)])
  func durationsAreRead(_ text: String, _ seconds: Double?) { #expect(ISO8601.seconds(text) == seconds) }

  @Test(
    arguments: [
      ("2026-11-23T12:00:00Z", 1_795_435_200), ("2026-11-23T14:30:00.25+02:30", 1_795_435_200.25),
      ("2026-11-23T12:00:00", 1_795_435_200), ("2026-11-23T11:00:00-0100", 1_795_435_200),
      ("2026-13-23T12:00:00Z", nil),
      ("2026-11-23", nil), ("2026-11-23T12:00:00+x", nil),
    ] as [(String, Double?)])
  func pointsInTimeAreRead(_ text: String, _ seconds: Double?) { #expect(ISO8601.secondsSince1970(text) == seconds) }
}
