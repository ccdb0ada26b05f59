import SegueClient
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Lists longer than a page.
@Suite struct LibraryPagingTests {
  private static let tracks = (0..<2_500).map { LibraryRecordings.track("Title \($0)", "Artist") }

  private let script: StubDaemon.Script = { _, parameters in
    [.result(LibraryRecordings.page(Self.tracks, parameters))]
  }

  private func requests(_ offsets: [Int]) -> [String] {
    offsets.map { #"library.tracks {"offset":\#($0),"limit":1000}"# }
  }

  @Test func allPagesAreReadAndEachItemIsPrintedOnce() throws {
    let daemon = try StubDaemon(script)
    let outcome = try ClientProcess.run(["tracks"], environment: daemon.environment)
    #expect(outcome.lines.map { $0.split(separator: "\t")[1] } == Self.tracks.map { $0.metadata.title?[...] })
    #expect(daemon.requests == requests([0, 1000, 2000]))
  }

  @Test func jsonIsOneLineHoweverManyPages() throws {
    let daemon = try StubDaemon(script)
    let outcome = try ClientProcess.run(["tracks", "--json"], environment: daemon.environment)
    #expect(outcome.lines == [Recordings.json(ListPage(items: Self.tracks, total: 2_500, offset: 0))])
  }

  /// The first page is printed while the second is not there yet.
  @Test func linesComeBeforeTheListIsRead() throws {
    let daemon = try StubDaemon { _, parameters in
      (parameters.contains(#""offset":0"#) ? [] : [.hold])
        + [.result(LibraryRecordings.page(Self.tracks, parameters))]
    }
    let client = try ClientProcess(["tracks"], environment: daemon.environment)
    #expect(try client.readLine()?.contains("\tTitle 0\t") == true)
    for _ in 0..<2 { daemon.release() }
    #expect(try client.finish().lines.count == 2_499)
  }

  @Test func aReaderWhoHasEnoughEndsIt() throws {
    let endless: StubDaemon.Script = { _, parameters in
      let offset = (try? JSON(parsing: parameters))?["offset"]?.int ?? 0
      return [.result(Recordings.json(ListPage(items: Self.tracks.prefix(1000) + [], total: .max, offset: offset)))]
    }
    let daemon = try StubDaemon(endless)
    let client = try ClientProcess(["tracks"], environment: daemon.environment)
    _ = try client.readLine()
    client.closeOutput()
    let outcome = try client.finish()
    #expect(outcome.code == 0 && outcome.errors == [])
  }

  /// What a search counts only up to a bound is read until nothing more comes.
  @Test func aTotalThatIsNoneIsNotBelieved() throws {
    let daemon = try StubDaemon { _, parameters in
      let asked = try? JSON(parsing: parameters)
      let offset = asked?["offset"]?.int ?? 0
      let items = FoundItems(tracks: Array(Self.tracks.dropFirst(offset).prefix(1000)), total: 500, offset: offset)
      return [.result(Recordings.json(SearchAnswer(found: items, exact: false, correction: nil)))]
    }
    #expect(try ClientProcess.run(["tracks", "x"], environment: daemon.environment).lines.count == 2_500)
  }

  /// The tables of later pages stand under the first.
  @Test func aTableKeepsItsColumns() throws {
    let daemon = try StubDaemon(script)
    let lines = try ClientProcess.run(
      ["tracks"], environment: daemon.environment.merging(["NO_COLOR": "1"]) { $1 }, on: .terminal(columns: 60)
    ).lines
    #expect(lines.count == 2_500)
    #expect(
      Set(lines.map { line in line.firstRange(of: "Artist").map { Columns.of(String(line[..<$0.lowerBound])) } }).count
        == 1)
  }

  @Test func aPersonSeesTheLastOfTheHistory() throws {
    let plays = (0..<50).map {
      PlayedTrack(time: UnixTime(nanoseconds: 1), track: LibraryRecordings.track("Title \($0)"))
    }
    let daemon = try StubDaemon { _, parameters in [.result(LibraryRecordings.page(plays, parameters))] }
    let terminal = ClientProcess.Place.terminal(columns: 80)
    #expect(try ClientProcess.run(["history"], environment: daemon.environment, on: terminal).lines.count == 20)
    #expect(try ClientProcess.run(["history", "30"], environment: daemon.environment, on: terminal).lines.count == 30)
    #expect(try ClientProcess.run(["history"], environment: daemon.environment).lines.count == 50)
  }
}
