import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// What a daemon puts into its queue by itself: the music folders, once.
@Suite struct QueueBeginningTests {
  private static let count = LibraryStage.songs.count

  private func length(_ stage: LibraryStage) throws -> Int { Status(try stage.client.call("status")).length }

  private func addMusic(_ stage: LibraryStage) throws -> [Int] {
    let answer = try stage.client.call("queue.add", "{\"uris\":[\(quoted(FileURI.encode(stage.music)))]}")
    return answer["added"]?.elements?.compactMap(\.int) ?? []
  }

  @Test(arguments: ["queue.clear", "queue.replace", "queue.remove"], [true, false])
  func aQueueThatWasEmptiedStaysEmpty(method: String, isOrderly: Bool) throws {
    let stage = try LibraryStage()
    #expect(try length(stage) == Self.count)
    let ids = try stage.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    switch method {
    case "queue.replace": try stage.client.call(method, #"{"uris":[]}"#)
    case "queue.remove": try stage.client.call(method, "{\"ids\":\(ids)}")
    default: try stage.client.call(method)
    }
    if isOrderly { #expect(stage.daemon.stop() == 0) } else { stage.daemon.kill() }
    try stage.restart()
    #expect(try length(stage) == 0)
  }

  @Test func anEmptyQueueThatWasClearedIsNotFilledWithMusicThatComesLater() throws {
    let stage = try LibraryStage([])
    try stage.client.call("queue.clear")
    #expect(stage.daemon.stop() == 0)
    try stage.write(LibraryStage.songs[5])
    try stage.restart()
    #expect(try length(stage) == 0)
  }

  @Test(arguments: [true, false]) func aDaemonWithoutMusicFillsItsQueueOnceThereIsSome(isOrderly: Bool) throws {
    let stage = try LibraryStage([])
    if isOrderly { #expect(stage.daemon.stop() == 0) } else { stage.daemon.kill() }
    try stage.write(LibraryStage.songs[5])
    try stage.restart()
    #expect(try length(stage) == 1)
  }

  @Test func theMusicFolderIsNotAddedTwiceWhilePartOfItPlays() throws {
    let stage = try LibraryStage()
    try stage.client.call("play", #"{"index":2}"#)
    #expect(try addMusic(stage).count == Self.count)
    #expect(try length(stage) == Self.count)
    // Once more is once more.
    #expect(try addMusic(stage).count == Self.count)
    #expect(try length(stage) == 2 * Self.count)
  }

  @Test(arguments: [true, false]) func theMusicFolderIsNotAddedTwiceAfterARestart(isOrderly: Bool) throws {
    let stage = try LibraryStage()
    if isOrderly { #expect(stage.daemon.stop() == 0) } else { stage.daemon.kill() }
    try stage.restart()
    #expect(try addMusic(stage).count == Self.count)
    #expect(try length(stage) == Self.count)
  }

  @Test func whatIsNewInTheMusicFolderIsAddedToWhatTheDaemonPutThere() throws {
    let stage = try LibraryStage()
    let before = try stage.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    try stage.write(("new", [("TITLE", "New")]))
    let answered = try addMusic(stage)
    #expect(answered.count == Self.count + 1)
    #expect(Set(answered).isSuperset(of: before))
    #expect(try stage.titles("list").last == "New")
    #expect(try length(stage) == Self.count + 1)
  }

  @Test(arguments: [[0], [1], [1, 0]], [true, false]) func someOfTheMusicFoldersAreNotAddedTwice(
    named: [Int], hasNewTrack: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let track = try AudioFile.read(Repository.fixture("a.flac"))
    for name in ["one", "two"] { try folder.makeFolder(name) }
    for name in ["one/a.flac", "one/b.flac", "two/c.flac"] { try folder.write(name, track) }
    let folders = ["one", "two"].map { folder.path.appending($0) }
    let stage = try LibraryStage([], configuration: "[Library]\n" + folders.map { "MusicFolder=\($0)\n" }.joined())
    func entries() throws -> [(id: Int, uri: String)] {
      try stage.client.call("list")["tracks"]?.elements?.map { ($0["id"]?.int ?? 0, $0["uri"]?.string ?? "") } ?? []
    }
    let before = try entries()
    #expect(before.count == 3)
    if hasNewTrack { for name in ["one/new.flac", "two/new.flac"] { try folder.write(name, track) } }
    let uris = named.map { FileURI.encode(folders[$0]) }
    let answer = try stage.client.call("queue.add", "{\"uris\":[\(uris.map(quoted).joined(separator: ","))]}")
    let after = try entries()
    #expect(after.prefix(3).map(\.id) == before.map(\.id))
    #expect(after.count == 3 + (hasNewTrack ? named.count : 0))
    let below = after.filter { entry in uris.contains { entry.uri.hasPrefix($0 + "/") } }
    #expect(answer["addedTotal"]?.int == below.count)
    #expect(Set(answer["added"]?.elements?.compactMap(\.int) ?? []) == Set(below.map(\.id)))
  }

  @Test func aMusicFolderThatIsNamedTwiceIsAddedTwice() throws {
    let stage = try LibraryStage()
    let uri = quoted(FileURI.encode(stage.music))
    try stage.client.call("queue.add", "{\"uris\":[\(uri),\(uri)]}")
    #expect(try length(stage) == 3 * Self.count)
  }

  @Test func aQueueThatIsLostIsNotFilledAnew() throws {
    let stage = try LibraryStage()
    #expect(stage.daemon.stop() == 0)
    let state = stage.daemon.directory.appending("home/.local/state/segue/segue.db")
    try AudioFile.write([UInt8](repeating: 0x5A, count: 10_000), to: state)
    for _ in 0..<2 {
      try stage.restart()
      #expect(try length(stage) == 0)
      #expect(stage.daemon.stop() == 0)
    }
    try stage.restart()
  }
}
