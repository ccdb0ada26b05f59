import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueLibrary

/// Tests of the initial population of the queue with the music folders.
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
    // A further request adds the tracks again.
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

  // MARK: Parts of the music folders

  /// A daemon with the music folders `one` (two tracks) and `two` (one track).
  private struct TwoFolders {
    let folder: TemporaryFolder
    let stage: LibraryStage
    let folders: [FilePath]

    init() throws {
      let folder = try TemporaryFolder()
      let track = try AudioFile.read(Repository.fixture("a.flac"))
      for name in ["one", "two"] { try folder.makeFolder(name) }
      for name in ["one/a.flac", "one/b.flac", "two/c.flac"] { try folder.write(name, track) }
      let folders = ["one", "two"].map { folder.path.appending($0) }
      self.folder = folder
      self.folders = folders
      stage = try LibraryStage([], configuration: "[Library]\n" + folders.map { "MusicFolder=\($0)\n" }.joined())
    }

    func uri(_ path: String) -> String { FileURI.encode(folder.path.appending(path)) }

    /// Adds `paths` and returns the number of entries in the response.
    @discardableResult
    func add(_ paths: String..., rest: String = "") throws -> Int? {
      let uris = paths.map { quoted(uri($0)) }.joined(separator: ",")
      return try stage.client.call("queue.add", "{\"uris\":[\(uris)]\(rest)}")["addedTotal"]?.int
    }

    /// The names of the files in the queue.
    func names() throws -> [String] {
      try stage.client.call("list")["tracks"]?.elements?.map { entry in
        String((entry["uri"]?.string ?? "").split(separator: "/").last?.first ?? "?")
      } ?? []
    }
  }

  @Test(arguments: [[], [true], [false]]) func musicFoldersThatAreNamedInTurnAreInTheQueueOnce(
    orderlyRestart: [Bool]
  ) throws {
    let music = try TwoFolders()
    #expect(try music.names() == ["a", "b", "c"])
    #expect(try music.add("one") == 2)
    for isOrderly in orderlyRestart {
      if isOrderly { #expect(music.stage.daemon.stop() == 0) } else { music.stage.daemon.kill() }
      try music.stage.restart()
    }
    #expect(try music.add("two") == 1)
    #expect(try music.names() == ["a", "b", "c"])
    // Adding a folder a second time adds its tracks again.
    #expect(try music.add("one") == 2)
    #expect(try music.names() == ["a", "b", "c", "a", "b"])
  }

  @Test func whatIsInTheMusicFoldersIsInTheQueueOnceIfItIsNamedPieceByPiece() throws {
    let music = try TwoFolders()
    #expect(try music.add("two/c.flac", "one/b.flac") == 2)
    #expect(try music.add("one/a.flac") == 1)
    #expect(try music.names() == ["a", "b", "c"])
    // Of a folder that contains earlier paths, only the remaining tracks count as added once.
    #expect(try music.add("one") == 2)
    #expect(try music.names() == ["a", "b", "c", "a", "b"])
  }

  @Test func musicOfAnEditedQueueIsStillInItOnce() throws {
    let music = try TwoFolders()
    let ids = try music.stage.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    try music.stage.client.call("queue.remove", "{\"ids\":[\(ids[0])]}")
    try music.stage.client.call("queue.move", "{\"ids\":[\(ids[2])],\"to\":0}")
    #expect(try music.add("one", "two") == 3)
    #expect(try music.names() == ["c", "b", "a"])
  }

  @Test func musicThatIsPlayedByNameIsInTheQueueOnce() throws {
    let music = try TwoFolders()
    try music.stage.client.call("play", "{\"uri\":\(quoted(music.uri("one/b.flac")))}")
    #expect(try music.names() == ["a", "b", "c"])
    #expect(Status(try music.stage.client.call("status")).index == 1)
    #expect(try music.add("one", "two", rest: ",\"play\":true") == 3)
    #expect(Status(try music.stage.client.call("status")).index == 0)
  }

  @Test func musicIsPutWhereTheUserSaysEvenIfItIsInTheQueue() throws {
    let music = try TwoFolders()
    try music.stage.client.call("play", #"{"index":0}"#)
    #expect(try music.add("two/c.flac", rest: ",\"at\":\"next\"") == 1)
    #expect(try music.add("one/b.flac", rest: ",\"at\":0") == 1)
    #expect(try music.names() == ["b", "a", "c", "b", "c"])
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

  @Test func aMusicFolderThatIsNamedTwiceIsInTheQueueTwice() throws {
    let stage = try LibraryStage()
    let uri = quoted(FileURI.encode(stage.music))
    try stage.client.call("queue.add", "{\"uris\":[\(uri),\(uri)]}")
    #expect(try length(stage) == 2 * Self.count)
  }

  /// A daemon that is killed directly after a transaction finds the state of that transaction.
  @Test func noTransactionSavesThatTheQueueWasFilledWithoutItsEntries() throws {
    let stage = try LibraryStage()
    #expect(try length(stage) == Self.count)
    #expect(try addMusic(stage).count == Self.count)
    stage.daemon.kill()
    let log = try WriteAheadLog(stage.daemon.directory.appending("home/.local/state/segue/segue.db"))
    var found: [QueueOrigin] = []
    for count in log.commits.indices {
      let state = try log.state(after: count)
      #expect(state.entries.isEmpty == (state.queueOrigin == .none), "after \(count) transactions")
      if state.queueOrigin != found.last { found.append(state.queueOrigin) }
    }
    #expect(found.first == QueueOrigin.none)
    #expect(found.last == .user)
    #expect(found.count > 2)
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

/// The write-ahead log of a closed SQLite database (https://sqlite.org/fileformat2.html#walformat).
private struct WriteAheadLog {
  private let database: [UInt8]
  private let log: [UInt8]
  /// The length of the log at the end of each transaction.
  let commits: [Int]

  init(_ path: FilePath) throws {
    database = try AudioFile.read(path)
    let log = try AudioFile.read(path.adding("-wal"))
    func integer(_ offset: Int) -> Int { log[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
    let frame = 24 + integer(8)
    // The last frame of a transaction contains the number of pages. Frames with another salt belong to an older log.
    commits = stride(from: 32, through: log.count - frame, by: frame).filter { start in
      log[(start + 8)..<(start + 16)] == log[16..<24] && integer(start + 4) > 0
    }.map { $0 + frame }
    self.log = log
  }

  /// Returns the state that a daemon reads after a kill behind transaction `index`.
  func state(after index: Int) throws -> SavedState {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("segue.db")
    try AudioFile.write(database, to: path)
    try AudioFile.write(Array(log[..<commits[index]]), to: path.adding("-wal"))
    return try SavedState(reading: try SQLiteConnection(path: path, busyTimeout: .zero))
  }
}
