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

  @Test func aClearedEmptyQueueIsNotFilledLater() throws {
    let fixture = try LibraryFixture([])
    try fixture.client.call("queue.clear")
    fixture.daemon.stop()
    try fixture.write(LibraryFixture.songs[5])
    try fixture.restart()
    #expect(try length(fixture) == 0)
  }

  @Test func theMusicFolderIsNotDuplicatedDuringPlayback() throws {
    let fixture = try LibraryFixture()
    try fixture.client.call("play", #"{"index":2}"#)
    #expect(try addMusic(fixture).count == Self.count)
    #expect(try length(fixture) == Self.count)
    // A further request adds the tracks again.
    #expect(try addMusic(fixture).count == Self.count)
    #expect(try length(fixture) == 2 * Self.count)
  }

  @Test func newMusicIsAddedToTheInitialQueue() throws {
    let fixture = try LibraryFixture()
    let before = try fixture.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    try fixture.write(("new", [("TITLE", "New")]))
    let answered = try addMusic(fixture)
    #expect(answered.count == Self.count + 1)
    #expect(Set(answered).isSuperset(of: before))
    #expect(try fixture.titles("list").last == "New")
    #expect(try length(fixture) == Self.count + 1)
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

  @Test func partsOfTheMusicFoldersAreNotDuplicated() throws {
    let music = try TwoFolders()
    #expect(try music.add("two/c.flac", "one/b.flac") == 2)
    #expect(try music.add("one/a.flac") == 1)
    #expect(try music.names() == ["a", "b", "c"])
    // Of a folder that contains earlier paths, only the remaining tracks count as added once.
    #expect(try music.add("one") == 2)
    #expect(try music.names() == ["a", "b", "c", "a", "b"])
  }

  @Test func anEditedInitialQueueContainsTheMusicOnce() throws {
    let music = try TwoFolders()
    let ids = try music.fixture.client.call("list")["tracks"]?.elements?.compactMap { $0["id"]?.int } ?? []
    try music.fixture.client.call("queue.remove", "{\"ids\":[\(ids[0])]}")
    try music.fixture.client.call("queue.move", "{\"ids\":[\(ids[2])],\"to\":0}")
    #expect(try music.add("one", "two") == 3)
    #expect(try music.names() == ["c", "b", "a"])
  }

  @Test func playingATrackOfTheInitialQueueAddsNoDuplicate() throws {
    let music = try TwoFolders()
    try music.fixture.client.call("play", "{\"uri\":\(quoted(music.uri("one/b.flac")))}")
    #expect(try music.names() == ["a", "b", "c"])
    #expect(Status(try music.fixture.client.call("status")).index == 1)
    #expect(try music.add("one", "two", rest: ",\"play\":true") == 3)
    #expect(Status(try music.fixture.client.call("status")).index == 0)
  }

  @Test func musicIsInsertedAtTheGivenPlaceEvenIfQueued() throws {
    let music = try TwoFolders()
    try music.fixture.client.call("play", #"{"index":0}"#)
    #expect(try music.add("two/c.flac", rest: ",\"at\":\"next\"") == 1)
    #expect(try music.add("one/b.flac", rest: ",\"at\":0") == 1)
    #expect(try music.add("one/a.flac", rest: ",\"at\":\"end\"") == 1)
    #expect(try music.names() == ["b", "a", "c", "b", "c", "a"])
  }

  @Test(arguments: [[0], [1], [1, 0]], [true, false]) func someOfTheMusicFoldersAreNotDuplicated(
    named: [Int], hasNewTrack: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let track = try AudioFile.read(Repository.fixture("a.flac"))
    for name in ["one", "two"] { try folder.makeFolder(name) }
    for name in ["one/a.flac", "one/b.flac", "two/c.flac"] { try folder.write(name, track) }
    let folders = ["one", "two"].map { folder.path.appending($0) }
    let fixture = try LibraryFixture([], configuration: "[Library]\n" + folders.map { "MusicFolder=\($0)\n" }.joined())
    func entries() throws -> [(id: Int, uri: String)] {
      try fixture.client.call("list")["tracks"]?.elements?.map { ($0["id"]?.int ?? 0, $0["uri"]?.string ?? "") } ?? []
    }
    let before = try entries()
    #expect(before.count == 3)
    if hasNewTrack { for name in ["one/new.flac", "two/new.flac"] { try folder.write(name, track) } }
    let uris = named.map { FileURI.encode(folders[$0]) }
    let response = try fixture.client.call("queue.add", "{\"uris\":[\(uris.map(quoted).joined(separator: ","))]}")
    let after = try entries()
    #expect(after.prefix(3).map(\.id) == before.map(\.id))
    #expect(after.count == 3 + (hasNewTrack ? named.count : 0))
    let below = after.filter { entry in uris.contains { entry.uri.hasPrefix($0 + "/") } }
    #expect(response["addedTotal"]?.int == below.count)
    #expect(response["alreadyQueued"]?.int == below.count - (hasNewTrack ? named.count : 0))
    #expect(Set(response["added"]?.elements?.compactMap(\.int) ?? []) == Set(below.map(\.id)))
  }

  @Test func addingTheMusicFolderTwiceAddsItTwice() throws {
    let fixture = try LibraryFixture()
    let uri = quoted(FileURI.encode(fixture.music))
    try fixture.client.call("queue.add", "{\"uris\":[\(uri),\(uri)]}")
    #expect(try length(fixture) == 2 * Self.count)
  }

  @Test func aLostQueueIsNotFilledAgain() throws {
    let fixture = try LibraryFixture()
    fixture.daemon.stop()
    let state = fixture.daemon.directory.appending("home/.local/state/segue/segue.db")
    for file in [state, state.adding(".copy")] {
      try AudioFile.write([UInt8](repeating: 0x5A, count: 10_000), to: file)
    }
    for _ in 0..<2 {
      try fixture.restart()
      #expect(try length(fixture) == 0)
      fixture.daemon.stop()
    }
    try fixture.restart()
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
