import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// Tests of the client's verbs for online catalogues with a real daemon and its fetch process, against a server on the
/// loopback interface.
@Suite final class CatalogClientTests: CatalogFixture {
  let folder: TemporaryFolder

  override init() throws {
    folder = try TemporaryFolder()
    try super.init()
  }

  private var environment: [String: String] {
    ["SEGUE_SOCKET": "\(fixture.daemon.socket)", "XDG_RUNTIME_DIR": "\(folder.path)", "TERM": "xterm"]
  }

  private func segue(
    _ words: [String], on place: ClientProcess.Place = .pipe
  ) throws -> ClientProcess.Outcome {
    try ClientProcess.run(words, environment: environment.merging(["NO_COLOR": "1"]) { $1 }, on: place)
  }

  /// Returns a column of the output for programs.
  private func column(_ number: Int, _ words: [String]) throws -> [String] {
    let outcome = try segue(words)
    #expect(outcome.code == 0 && outcome.errorText == "", "\(words): \(outcome.errorText)")
    return outcome.lines.map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[number]) }
  }

  @Test func verbsListTheItemsOfTheProviders() throws {
    #expect(try column(2, ["search", "--online", "тест", "--kind", "song"]).contains("Тестовая песня"))
    #expect(
      try column(2, ["search", "--online", "пример", "--kind", "albums"]) == [
        "Banana", "zebra", "Альбом А", "Ёлка", "Жук",
      ])
    #expect(try column(2, ["popular", "--page", "3"]) == (41...45).map { "Chart Song \($0)" })
    #expect(try column(2, ["popular", "films", "--genre", "all"]).count == 1)
    #expect(try column(2, ["radio", "jazz"]).contains("Synthetic Jazz"))
    #expect(try column(0, ["radio"]).allSatisfy { $0.hasPrefix("radio:") })
    #expect(try column(0, ["people"]).allSatisfy { $0.hasPrefix("itunes:artist:") })
    #expect(Set(try column(0, ["providers"])) == ["itunes", "tmdb", "radio"])
    #expect(try column(1, ["genres", "--online", "--kind", "film", "--provider", "itunes", "comedy"]).count >= 1)
    #expect(try segue(["search", "--online"]).lines == ["jazz", "пример", "тест"])
    let album = try segue(["info", "itunes:album:900000001"]).lines
    #expect(album.contains("title: Альбом А"))
    #expect(album.count { $0.hasPrefix("content: itunes:song:") } == 2)
  }

  @Test func resultIsPlayedByItsNumber() throws {
    let list = try segue(["search", "--online", "тест", "--kind", "song"], on: .terminal(columns: 80)).lines
    #expect(list.first?.hasPrefix("1") == true && list.contains("provided courtesy of iTunes"))
    let outcome = try segue(["play", "1"])
    #expect(outcome.code == 0, "\(outcome.errorText)")
    #expect(outcome.lines.first == "1: Тестовая песня — Пример")
    #expect(try fixture.status().track?.uri == "itunes:song:920000001")
    #expect(try segue(["fav", "add", "1"]).code == 0)
    let again = try column(6, ["search", "--online", "тест", "--kind", "song"])
    #expect(again.first == "favorite")
  }

  /// The first line "…" stands for lines that the page omits.
  @Test func outputInTheDocumentsIsThatOfTheProgram() throws {
    let page = try SmallFile.read(Repository.root.appending("contrib/docs/radio-and-catalogues.md"), upTo: 1 << 20)
    let blocks = String(decoding: page, as: UTF8.self).split(separator: "```\n")
    let block = try #require(blocks.dropFirst().first)
    let examples = block.split(separator: "$ segue ").map { $0.split(separator: "\n").map(String.init) }
    #expect(examples.count >= 3)
    for example in examples {
      let words = example[0].split(separator: " ").map(String.init)
      var lines = try segue(words, on: .terminal(columns: 80)).lines
      var shown = example.dropFirst()
      if shown.first == "…" {
        shown = shown.dropFirst()
        lines = lines.suffix(shown.count)
      }
      #expect(lines == Array(shown), "segue \(example[0])")
    }
  }

  @Test func errorsOfProvidersAreExplained() throws {
    let short = try segue(["search", "--online", "ab"])
    #expect(short.code == 1)
    #expect(short.errorText == "segue: Please enter at least 3 characters for the search (query_too_short)\n")
    let denied = try segue(["search", "--online", "somebody", "--kind", "person"])
    #expect(denied.errorText.hasSuffix("(denied)\n  segue providers   shows which providers can be used\n"))
    server.respond(to: "/itunes/", with: .init(429, headers: ["Retry-After: 42"], ""))
    let limited = try segue(["search", "--online", "limited"])
    #expect(limited.code == 1 && limited.errorText.contains("(rate_limited)\n  try again in "), "\(limited.errorText)")
    #expect(try segue(["info", "itunes:song:x"]).errorText.contains("(not_found)"))
  }

  @Test func pictureOfAnItemIsCached() throws {
    let path = try segue(["art", "itunes:song:920000001", "--size", "full"]).lines.first ?? ""
    #expect(try RegularFile.open(FilePath(path)).raw >= 0)
  }

  /// The server sends the first of five pictures when all are requested.
  @Test func picturesOfAListAreLoadedAtTheSameTime() throws {
    let picture = try SmallFile.read(Repository.fixture("Tags/front.png"), upTo: 1 << 20)
    let requested = Atomic(0)
    let areRequested = TestEvent()
    server.respond(to: "/art/") { _ in
      if requested.add(1, ordering: .relaxed).newValue == 5 { areRequested.happen() }
      areRequested.wait()
      return .init(headers: ["Content-Type: image/png"], body: picture)
    }
    let process = try ClientProcess(
      ["search", "--online", "пример", "--kind", "album"], environment: environment, on: .terminal(columns: 90))
    _ = try #require(try process.read(upTo: "\u{1B}[c"))
    try process.type("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[8;24;80t\u{1B}[?62;c")
    let outcome = try process.finish()
    #expect(outcome.text.matches(of: /\u{1B}_Ga=T/).count == 5, "\(outcome.text)")
  }
}
