import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueSQLite
@testable import SegueState

/// Tests of the initial population of the queue with the music folders.
@Suite struct InitialQueueTests {
  private static let count = LibraryFixture.songs.count

  private func length(_ fixture: LibraryFixture) throws -> Int { Status(try fixture.client.call("status")).length }

  private func addMusic(_ fixture: LibraryFixture) throws -> [Int] {
    let response = try fixture.client.call("queue.add", "{\"uris\":[\(quoted(FileURI.encode(fixture.music)))]}")
    return response["added"]?.elements?.compactMap(\.int) ?? []
  }

  @Test(arguments: ["queue.clear", "queue.replace", "queue.remove"], [true, false])
  func aQueueEmptiedByRemovalStaysEmpty(method: String, isOrderly: Bool) throws {
    let fixture = try LibraryFixture()
    #expect(try length(fixture) == Self.count)
    let ids = try fixture.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    switch method {
    case "queue.replace": try fixture.client.call(method, #"{"uris":[]}"#)
    case "queue.remove": try fixture.client.call(method, "{\"ids\":\(ids)}")
    default: try fixture.client.call(method)
    }
    if isOrderly { #expect(fixture.daemon.stop() == 0) } else { fixture.daemon.kill() }
    try fixture.restart()
    #expect(try length(fixture) == 0)
  }

  @Test(arguments: [true, false]) func theInitialQueueIsFilledWhenMusicAppears(isOrderly: Bool) throws {
    let fixture = try LibraryFixture([])
    if isOrderly { #expect(fixture.daemon.stop() == 0) } else { fixture.daemon.kill() }
    try fixture.write(LibraryFixture.songs[5])
    try fixture.restart()
    #expect(try length(fixture) == 1)
  }

  @Test(arguments: [true, false]) func theMusicFolderIsNotDuplicatedAfterARestart(isOrderly: Bool) throws {
    let fixture = try LibraryFixture()
    if isOrderly { #expect(fixture.daemon.stop() == 0) } else { fixture.daemon.kill() }
    try fixture.restart()
    #expect(try addMusic(fixture).count == Self.count)
    #expect(try length(fixture) == Self.count)
  }

  // MARK: Parts of the music folders

  /// A daemon with the music folders `one` (two tracks) and `two` (one track).
  private struct TwoFolders {
    let folder: TemporaryFolder
    let fixture: LibraryFixture
    let folders: [FilePath]

    init() throws {
      let folder = try TemporaryFolder()
      let track = try AudioFile.read(Repository.fixture("a.flac"))
      for name in ["one", "two"] { try folder.makeFolder(name) }
      for name in ["one/a.flac", "one/b.flac", "two/c.flac"] { try folder.write(name, track) }
      let folders = ["one", "two"].map { folder.path.appending($0) }
      self.folder = folder
      self.folders = folders
      fixture = try LibraryFixture([], configuration: "[Library]\n" + folders.map { "MusicFolder=\($0)\n" }.joined())
    }

    func uri(_ path: String) -> String { FileURI.encode(folder.path.appending(path)) }

    /// Adds `paths` and returns the number of entries in the response.
    @discardableResult
    func add(_ paths: String..., rest: String = "") throws -> Int? {
      let uris = paths.map { quoted(uri($0)) }.joined(separator: ",")
      return try fixture.client.call("queue.add", "{\"uris\":[\(uris)]\(rest)}")["addedTotal"]?.int
    }

    /// The names of the files in the queue.
    func names() throws -> [String] {
      try fixture.client.call("list")["tracks"]?.elements?.map { entry in
        String((entry["uri"]?.string ?? "").split(separator: "/").last?.first ?? "?")
      } ?? []
    }
  }

  @Test(arguments: [[], [true], [false]]) func musicFoldersAddedOneByOneAreInTheQueueOnce(
    orderlyRestart: [Bool]
  ) throws {
    let music = try TwoFolders()
    #expect(try music.names() == ["a", "b", "c"])
    #expect(try music.add("one") == 2)
    for isOrderly in orderlyRestart {
      if isOrderly { #expect(music.fixture.daemon.stop() == 0) } else { music.fixture.daemon.kill() }
      try music.fixture.restart()
    }
    #expect(try music.add("two") == 1)
    #expect(try music.names() == ["a", "b", "c"])
    // Adding a folder a second time adds its tracks again.
    #expect(try music.add("one") == 2)
    #expect(try music.names() == ["a", "b", "c", "a", "b"])
  }

  /// A daemon that is killed directly after a transaction finds the state of that transaction.
  @Test func theQueueOriginIsSavedWithItsEntries() throws {
    let fixture = try LibraryFixture()
    #expect(try length(fixture) == Self.count)
    #expect(try addMusic(fixture).count == Self.count)
    fixture.daemon.kill()
    let log = try WriteAheadLog(fixture.daemon.directory.appending("home/.local/state/segue/segue.db"))
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
