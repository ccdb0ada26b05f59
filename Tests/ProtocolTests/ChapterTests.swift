import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of chapters. The chapters of chapters.* begin at 0, 1 and 2 s.
@Suite struct ChapterTests {
  private static let titles = ["Вступление", "Midle =; part", "Конец"]

  private func chapters(_ fixture: DaemonFixture, _ path: FilePath? = nil) throws -> ChapterList {
    let params = path.map { #"{"uri":\#(quoted(FileURI.encode($0)))}"# }
    return ChapterList(try fixture.client.call("chapters", params))
  }

  /// Makes a queue of a file with chapters and one without, and pauses the first at `position`.
  private func fixture(_ name: String, at position: Double) throws -> DaemonFixture {
    let fixture = try DaemonFixture()
    try fixture.add([Repository.fixture("Tags/\(name)"), Repository.fixture("a.wav")])
    try fixture.call("play")
    try fixture.wait { $0.audio != nil }
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":\#(position)}"#)
    return fixture
  }

  private func seconds(_ status: Status) -> Double? { status.position?.seconds }

  @Test(arguments: ["chapters.m4a", "chapters.ogg"]) func nextAndPrevSkipOneChapter(_ name: String) throws {
    let fixture = try fixture(name, at: 0.25)
    #expect(seconds(try fixture.call("next")) == 1)
    #expect(try chapters(fixture).current == 1)
    #expect(seconds(try fixture.call("next")) == 2)
    #expect(seconds(try fixture.call("prev")) == 1)
    #expect(seconds(try fixture.call("prev")) == 0)
    try fixture.call("seek", #"{"position":2.5}"#)
    let after = try fixture.call("next")
    #expect(after.index == 1, "the next track follows the last chapter")
    #expect(after.position == .zero)
    #expect(after.state == .paused)
    #expect(try fixture.call("prev").index == 0)
    #expect(try fixture.call("next", #"{"by":"track"}"#).index == 1)
  }

  /// The position is 3.35 s into the second file.
  @Test func prevInsideAChapterReturnsToItsStart() throws {
    let fixture = try DaemonFixture()
    let tags = [("CHAPTER001", "00:00:00.000"), ("CHAPTER001NAME", "One"), ("CHAPTER002", "00:00:00.250")]
    let flac = FLACTags.replace(try AudioFile.read(Repository.fixture("long.flac")), tags)
    let path = try fixture.write("parts.flac", flac)
    try fixture.add([path])
    try fixture.call("play")
    try fixture.wait { $0.audio != nil }
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":3.6}"#)
    #expect(seconds(try fixture.call("prev")) == 0.25)
    #expect(seconds(try fixture.call("prev")) == 0)
    #expect(try chapters(fixture).chapters.map(\.title) == ["One", ""])
  }

  /// The chapter starts between two frames.
  @Test func nextWorksForChaptersThatStartBetweenFrames() throws {
    let fixture = try DaemonFixture()
    let tags = (0..<4).flatMap { number in
      [("CHAPTER00\(number)", "00:00:0\(number).\(number)77"), ("CHAPTER00\(number)NAME", "\(number)")]
    }
    let flac = FLACTags.replace(try AudioFile.read(Repository.fixture("long.flac")), tags)
    let path = try fixture.write("parts.flac", flac)
    try fixture.add([path, Repository.fixture("a.wav")])
    try fixture.call("play")
    try fixture.wait { $0.audio != nil }
    try fixture.call("pause")
    try fixture.call("seek", #"{"position":0}"#)
    for number in 0..<4 {
      try fixture.call("next")
      #expect(try chapters(fixture).current == number)
      // After decoding and another pause, the position is that of a frame.
      try fixture.call("play")
      try fixture.wait { $0.audio != nil }
      try fixture.call("pause")
      #expect(try chapters(fixture).current == number)
    }
    #expect(try fixture.call("next").index == 1)
  }

  @Test func chaptersAreListed() throws {
    let fixture = try fixture("chapters.mka", at: 1.5)
    let list = try chapters(fixture)
    #expect(list.uri == FileURI.encode(Repository.fixture("Tags/chapters.mka")))
    #expect(list.chapters.map(\.title) == Self.titles)
    #expect(list.chapters.map(\.start.seconds) == [0, 1, 2])
    #expect(list.current == 1)
    let other = try chapters(fixture, Repository.fixture("Tags/chapters.mp3"))
    #expect(other.chapters.map(\.title) == Self.titles)
    #expect(other.current == nil)
    #expect(try chapters(fixture, Repository.fixture("a.flac")).chapters == [])
    let nowhere = #"{"uri":"file:///nowhere/at/all.flac"}"#
    #expect(try fixture.client.errorResponse(to: "chapters", nowhere).kind == "not_found")
    try fixture.client.call("queue.clear")
    #expect(try fixture.client.errorResponse(to: "chapters").kind == "empty_queue")
  }

  @Test func statusShowsTheChapterThatPlays() throws {
    let fixture = try fixture("chapters.mka", at: 1.5)
    func segue(_ words: [String], on place: ClientProcess.Place = .pipe) throws -> [String] {
      try ClientProcess.run(
        words, environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)", "NO_COLOR": "1"], on: place
      ).lines
    }
    for words in [[], ["status"]] {
      #expect(try segue(words, on: .terminal(columns: 80)).contains("  Chapter 2 of 3: Midle =; part"))
      #expect(try segue(words).suffix(3) == ["chapter: Midle =; part", "chapter-number: 2", "chapters: 3"])
    }
    try fixture.call("next", #"{"by":"track"}"#)
    #expect(try segue(["status"]).suffix(3) == ["chapter:", "chapter-number:", "chapters:"])
    #expect(try !segue([], on: .terminal(columns: 80)).joined().contains("Chapter"))
  }

  /// The file has not been opened yet, so its chapters are unknown.
  @Test func nextDirectlyAfterPlaySkipsOneChapter() throws {
    let fixture = try DaemonFixture()
    try fixture.add([Repository.fixture("a.wav"), Repository.fixture("Tags/chapters.m4a"), Repository.fixture("a.wav")])
    let play = try fixture.client.sendRequest("play", #"{"index":1}"#)
    let steps = try (0..<2).map { _ in try fixture.client.sendRequest("next") }
    _ = try fixture.client.response(to: play)
    let positions = try steps.map { Status(try fixture.client.response(to: $0)) }
    #expect(positions.map(\.index) == [1, 1])
    #expect(positions.map { seconds($0) } == [1, 2])
    #expect(try fixture.call("next").index == 2)
  }

  /// An unplayable file is skipped automatically. The request does not skip another track.
  @Test func nextFromAnUnplayableFileSkipsNoOtherTrack() throws {
    let fixture = try DaemonFixture()
    let damaged = try fixture.track("bad", 0..<Signal.rate)
    try fixture.add([damaged] + (try (1...2).map { try fixture.track("\($0)", 0..<(20 * Signal.rate)) }))
    try AudioFile.write(Array("no audio".utf8), to: damaged)
    // Both requests are sent at once, so that the second arrives before the track has failed.
    try fixture.client.send(#"[{"id":1,"method":"play","params":{"index":0}},{"id":2,"method":"next"}]"#)
    let responses = try #require(try fixture.client.json().elements)
    #expect(responses.map { $0["result"]?["index"]?.int } == [0, 1])
    #expect(try fixture.wait { $0.rate == 1 }.index == 1)
  }
}
