import SegueSystem
import SegueTestKit
import SegueUnicode
import SegueWire
import Testing

/// Tests of the covers of results.
@Suite struct CatalogPictureTests {
  private static let png = Repository.fixture("Tags/front.png").description

  private static func art(_ parameters: String) -> [StubDaemon.Step] {
    [.result(#"{"path":"\#(png)","uri":"file:///x.png","width":128,"height":128}"#)]
  }

  private func run(
    _ words: [String], _ stub: StubDaemon, answering answers: TerminalAnswers? = .kitty, _ more: [String: String] = [:]
  ) throws -> ClientProcess.Outcome {
    let process = try ClientProcess(
      words, environment: ["SEGUE_SOCKET": stub.path.description, "TERM": "xterm"].merging(more) { $1 },
      on: .terminal(columns: 80))
    try answers?.type(to: process)
    return try process.finish()
  }

  private func daemon(
    art: @escaping @Sendable (String) -> [StubDaemon.Step] = art
  ) throws -> StubDaemon {
    try StubDaemon { method, parameters in
      method == "art" ? art(parameters) : RecordedCatalogResponses.standard(method, parameters)
    }
  }

  private func pictures(in outcome: ClientProcess.Outcome) -> Int {
    outcome.text.matches(of: /\u{1B}_Ga=T/).count
  }

  @Test func tableHasTheCoversOfItemsThatHaveOne() throws {
    let stub = try daemon()
    let outcome = try run(["popular"], stub)
    #expect(outcome.code == 0, "\(outcome.errorText)")
    // 128 × 128 pixels occupy 4 × 2 cells of 10 × 20 pixels.
    #expect(outcome.text.contains("c=4,r=2,"))
    #expect(pictures(in: outcome) == 2)
    #expect(
      Set(stub.requests.dropFirst()) == [
        #"art {"uri":"itunes:song:1","size":"small","format":"png"}"#,
        #"art {"uri":"itunes:album:2","size":"small","format":"png"}"#,
      ])
    #expect(outcome.text.contains("\u{1B}[5C 1  ♥") || outcome.text.contains("\u{1B}[5C♥"))
  }

  @Test func tilesHaveCoversBesideEachOther() throws {
    let outcome = try run(["popular", "--tiles"], try daemon())
    #expect(pictures(in: outcome) == 2)
    #expect(outcome.text.contains("c=8,r=4,"))
    #expect(outcome.text.contains("\r\u{1B}7\u{1B}[41C\u{1B}_Ga=T"))
  }

  @Test func infoShowsTheCoverBesideTheText() throws {
    let outcome = try run(["info", "itunes:album:2"], try daemon())
    #expect(pictures(in: outcome) == 1)
  }

  @Test func linesBesideACoverEndAtTheEdgeOfTheTerminal() throws {
    let uri = "file:///" + String(repeating: "folder/", count: 20) + "song.flac"
    let daemon = try StubDaemon { method, parameters in
      guard method == "library.track" || method == "catalog.info" else {
        return method == "art" ? Self.art(parameters) : RecordedCatalogResponses.standard(method, parameters)
      }
      if method == "catalog.info" {
        let link = "https://example.org/" + String(repeating: "folder/", count: 20)
        let album = RecordedCatalogResponses.item("itunes:album:2", .album, "Title") {
          $0.art = "https://a/b"
          $0.link = link
        }
        return [.result(RecordedCatalogResponses.details(album))]
      }
      let audio = Audio(
        codec: "flac", container: "flac", sampleRate: 0, channels: 0, bitDepth: nil, bitRate: nil, lossless: true,
        gapless: .exact)
      return [.result(RecordedResponses.json(TrackReport(track: ListedTrack(uri: uri), audio: audio)))]
    }
    for words in [["info", "/usr"], ["info", "itunes:album:2"]] {
      let outcome = try run(words, daemon)
      #expect(pictures(in: outcome) == 1, "\(words)")
      let beside = outcome.lines.compactMap { $0.firstMatch(of: /\u{1B}\[(\d+)C(.*)/) }
      #expect(beside.count > 3)
      for line in beside {
        let text = String(line.2).replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "")
        #expect((Int(line.1) ?? 0) + DisplayWidth.of(text) <= 80, "\(text)")
      }
    }
  }

  /// All requests are sent before the first response arrives.
  @Test func coversAreRequestedAtTheSameTime() throws {
    let items = (1...30).map { number in
      RecordedCatalogResponses.item("itunes:song:\(number)", .song, "Title \(number)") { $0.art = "https://a/b" }
    }
    let stub = try StubDaemon { method, parameters in
      method == "art" ? Self.art(parameters) : [.result(RecordedCatalogResponses.page(items))]
    }
    let outcome = try run(["popular"], stub)
    #expect(pictures(in: outcome) == 30)
    #expect(stub.requests.count == 31)
  }

  @Test func lateCoversDelayTheTextByALimitedTime() throws {
    let stub = try daemon { $0.contains("itunes:album:2") ? [.hold] : Self.art($0) }
    let start = MonotonicTime.now
    let outcome = try run(["popular"], stub)
    let time = MonotonicTime.now - start
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(pictures(in: outcome) == 1)
    #expect(outcome.text.contains("Fight Club"))
    #expect(time > .milliseconds(1_400) && time < .seconds(15))
    stub.release()
  }

  @Test func missingCoversAreLeftOut() throws {
    let outcome = try run(["popular"], try daemon { _ in [.error(code: 3, kind: "not_found", message: "none")] })
    #expect(outcome.code == 0 && pictures(in: outcome) == 0)
    #expect(outcome.text.contains("Fight Club") && outcome.errorText == "")
  }

  @Test func nothingIsDrawnWithoutSupport() throws {
    for (words, answers) in [(["popular", "--no-pictures"], nil), (["popular"], TerminalAnswers("\u{1B}[?1;2c"))]
      as [([String], TerminalAnswers?)]
    {
      let stub = try daemon()
      let outcome = try run(words, stub, answering: answers, ["LANG": "C"])
      #expect(outcome.code == 0 && pictures(in: outcome) == 0)
      #expect(stub.requests.count == 1)
    }
    let stub = try daemon()
    let pipe = try ClientProcess.run(["popular", "--tiles"], environment: stub.environment)
    #expect(!pipe.text.contains("\u{1B}") && stub.requests.count == 1)
  }

  /// A number of pixels limits the size at which the picture is drawn.
  @Test func artIsDrawnInTheGivenSize() throws {
    let outcome = try run(["art", "itunes:album:2", "--size", "60"], try daemon())
    #expect(outcome.text.contains("c=6,r=3,"))
  }
}
