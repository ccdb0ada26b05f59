import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of the client's verbs that change or search the whole queue, with a real daemon and real files.
@Suite struct QueueVerbTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture() }

  @discardableResult
  private func segue(_ words: String...) throws -> ClientProcess.Outcome {
    try ClientProcess.run(words, environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)"])
  }

  private func titles() throws -> [String] { try fixture.titles("list").compactMap(\.self) }

  private static let sorted = [
    "Human Behaviour", "Violently Happy", "Loose", "Группа крови", "Закрой за мной дверь", "Звезда по имени Солнце",
  ]

  @Test func theQueueIsSortedInOneStepThatCanBeUndone() throws {
    try segue("sort", "title", "reverse")
    let reversed = try titles()
    #expect(reversed == reversed.sorted { $0.lowercased() > $1.lowercased() })
    #expect(try segue("sort").lines == ["sorted 6 tracks"])
    #expect(try titles() == Self.sorted)
    #expect(try segue("sort", "album").lines == ["the queue is in this order already"])
    #expect(try segue("undo").lines == ["undid the move of 6 tracks; 6 in the queue"])
    #expect(try titles() == reversed)
    // A track without a date is the last one in both orders.
    for words in [["date"], ["date", "reverse"]] {
      #expect(
        try ClientProcess.run(["sort"] + words, environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)"]).code == 0)
      #expect(try titles().last == "Loose")
    }
    #expect(try titles().first == "Human Behaviour" || titles().first == "Violently Happy")
    let refused = try segue("sort", "colour")
    #expect(refused.code == 2 && refused.errorText.contains("album, title, artist"))
  }

  @Test func entriesThatAreQueuedTwiceAreRemovedExceptTheCurrentOne() throws {
    #expect(try segue("dedupe").lines == ["there is nothing to remove"])
    let uris = try fixture.client.call("list")["tracks"]?.elements?.compactMap { $0["uri"]?.string } ?? []
    try fixture.client.call(
      "queue.add", "{\"uris\":[\(uris.prefix(2).map(quoted).joined(separator: ","))],\"at\":\"end\"}")
    let ids = try fixture.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    #expect(ids.count == 8)
    try fixture.client.call("play", "{\"id\":\(ids[7])}")
    #expect(try segue("dedupe").lines == ["removed 2 tracks; 6 in the queue"])
    let rest = try fixture.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    #expect(rest == [ids[0], ids[2], ids[3], ids[4], ids[5], ids[7]])
  }

  @Test func allEntriesButTheCurrentOneAreRemoved() throws {
    let none = try segue("crop")
    #expect(none.code == 1 && none.errorText.contains("no current track"))
    try fixture.client.call("play", #"{"index":2}"#)
    let current = try titles()[2]
    #expect(try segue("crop").lines == ["removed 5 tracks; 1 in the queue"])
    #expect(try titles() == [current])
    try segue("undo")
    #expect(try titles().count == 6)
  }

  @Test func theQueueIsReplacedUnlessNothingCanBeAdded() throws {
    let folder = fixture.music.appending("Björk").description
    let missing = try segue("replace", "\(folder)/gone")
    #expect(missing.code == 1)
    #expect(try titles().count == 6)
    #expect(try segue("replace", folder).lines == ["added 2 tracks"])
    #expect(try titles() == ["Human Behaviour", "Violently Happy"])
  }

  @Test func entriesAreFoundByAllWords() throws {
    let number = try #require(try titles().firstIndex(of: "Violently Happy")) + 1
    let found = try segue("find", "DEBUT", "violent")
    #expect(found.lines.count == 1 && found.lines[0].hasPrefix("\(number)\tViolently Happy\tBjörk\t"))
    let json = try JSON(parsing: try segue("find", "кино", "--json").output)
    #expect(json["total"]?.int == 3 && json["tracks"]?.count == 3)
    let nothing = try segue("find", "debut", "кино")
    #expect(nothing.code == 1 && nothing.output == [] && nothing.errorText.contains("no entry of the queue"))
  }

  @Test func theRestOfTheQueueIsRemovedByAnOpenRange() throws {
    let before = try titles()
    #expect(try segue("remove", "3-").lines == ["removed 4 tracks; 2 in the queue"])
    #expect(try titles() == Array(before.prefix(2)))
    #expect(try segue("remove", "3-").code == 1)
  }

  @Test func theTrackThatFollowsIsShownWithoutASkip() throws {
    let nothing = try segue("next", "--show")
    #expect(nothing.code == 1 && nothing.errorText.contains("no track follows"))
    try fixture.client.call("repeat", #"{"mode":"all"}"#)
    try fixture.client.call("shuffle", #"{"mode":"tracks"}"#)
    try fixture.client.call("play", #"{"index":0}"#)
    let next = try #require(Status(try fixture.client.call("status")).next)
    #expect(
      try segue("next", "--show").lines.first?.hasPrefix("\(next.index + 1): \(next.metadata.title ?? "?")") == true)
    #expect(Status(try fixture.client.call("next")).track?.id == next.id)
  }

  @Test func pathsAreReadFromStandardInput() throws {
    try fixture.client.call("queue.clear")
    let program = WorkerProcess.product("segue")
    let script =
      "find '\(fixture.music)' -name '*.flac' -path '*Debut*' | '\(program)' add - && '\(program)' add - </dev/null"
    let outcome = try ChildProcess.run(
      ["sh", "-c", script], environment: ["SEGUE_SOCKET": "\(fixture.daemon.socket)", "PATH": "/usr/bin:/bin"])
    #expect(outcome.text == "added 2 tracks\n")
    #expect(Set(try titles()) == ["Human Behaviour", "Violently Happy"])
  }
}
