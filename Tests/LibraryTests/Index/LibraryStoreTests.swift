import Glibc
import SegueLibrary
import SegueSQLite
import SegueState
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// The durability of the file, and damaged, newer, unreadable files and full disks.
@Suite(.timeLimit(.minutes(2))) struct LibraryStoreTests {
  private let scratch = Scratch()
  private var path: FilePath { scratch["deep/er/library.db"] }

  /// Adds tracks and all kinds of user data.
  private func fill(_ store: LibraryStore, _ count: Int = 3) async throws {
    try await store.scan(
      (1...count).map { ScannedFileBuilder(album: "Album").file("/m/\($0).flac", "T\($0)", track: $0) })
    let album = try await store.read { reader throws(StoreError) in try reader.albums().items.map(\.uri) }
    try await store.write { writer throws(StoreError) in
      try writer.setFavorite(["file:///m/1.flac"] + album, true, at: UnixTime(nanoseconds: 9))
      try writer.setRating("file:///m/2.flac", 6)
      for number in 1...count {
        try writer.addPlay("file:///m/\(number).flac", at: UnixTime(nanoseconds: Int64(number)))
      }
      try writer.addSearch("query", at: UnixTime(nanoseconds: 1))
      try writer.setBookmark("file:///m/3.flac", ResumePoint(position: MediaTime(nanoseconds: 5)))
    }
  }

  private struct UserData: Equatable {
    var favorites: [String]
    var rating: Int?
    var plays: Int
    var searches: [String]
    var bookmark: MediaTime?
  }

  private func userData(_ store: LibraryStore) async throws -> UserData {
    try await store.read { reader throws(StoreError) in
      UserData(
        favorites: try reader.favorites(by: .date, .ascending).items.map(\.uri),
        rating: try reader.rating("file:///m/2.flac"), plays: try reader.plays().total,
        searches: try reader.searches(), bookmark: try reader.bookmark("file:///m/3.flac")?.point.position)
    }
  }

  private func setAside(_ suffix: String) -> [String] {
    scratch.names(path.parent).filter { $0.hasPrefix("library.db.\(suffix)-") && !$0.hasSuffix("-wal") }
  }

  /// Anybody who may control the daemon can make up items of catalogues.
  @Test func aListOfTheUserHasRoomForSoManyItemsThatAreNoFiles() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let items = (0..<UserList.maximumOthers).map { "itunes:song:\($0)" }
    let room = try await store.write { writer throws(StoreError) in
      let album = 1
      try writer.setFavorite(Array(items.dropLast(album + 1)), true)
      let isOneLeft = try writer.hasRoom(for: [items[0]], in: .favorites)
      try writer.setFavorite(items.suffix(1), true)
      return [
        isOneLeft, try writer.hasRoom(for: ["itunes:song:x"], in: .favorites),
        try writer.hasRoom(for: ["file:///m/2.flac"], in: .favorites),
        try writer.hasRoom(for: ["itunes:song:x"], in: .ratings),
      ]
    }
    #expect(room == [true, false, true, true])
    store.close()
  }

  @Test func aFileThatIsPutTwiceIsStoredOnce() async throws {
    let store = LibraryStore(path: path)
    let file = ScannedFileBuilder(album: "Album").file("/m/1.flac", "T1", track: 1)
    try await store.scan([file, file])
    #expect(try await store.albumList() == ["Album / Artist / 1"])
    store.close()
  }

  @Test func tracksAndUserDataAreStored() async throws {
    let store = LibraryStore(path: path)
    #expect(try await store.read { reader throws(StoreError) in try reader.counts() } == LibraryCounts())
    try await fill(store)
    let expected = try await userData(store)
    let tracks = try await store.read { reader throws(StoreError) in try reader.tracks() }
    store.close()
    #expect(scratch.names(path.parent) == ["library.db"], "closing leaves one file")
    let again = LibraryStore(path: path)
    #expect(try await userData(again) == expected)
    #expect(expected.favorites == ["file:///m/1.flac", "segue:album/1"] && expected.plays == 3)
    #expect(try await again.read { reader throws(StoreError) in try reader.tracks() } == tracks)
    again.close()
  }

  /// The files of an open store are what `kill -9` leaves.
  @Test func confirmedChangesSurviveTheEndOfTheProcess() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let image = scratch["image/library.db"]
    for suffix in ["", "-wal"] {
      scratch.write(FilePath("\(image)\(suffix)"), scratch.read(FilePath("\(path)\(suffix)")))
    }
    let revived = LibraryStore(path: image)
    #expect(try await userData(revived) == userData(store))
    #expect(try await revived.albumList() == ["Album / Artist / 3"])
    revived.close()
    store.close()
  }

  /// Searches one time after another until the lookup has returned.
  @Test func aLookupDoesNotWaitForASearch() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let events = Events()
    let searching = Task {
      try await store.read { reader throws(StoreError) in
        events.append("begun")
        let end = MonotonicTime.now + defaultTimeout
        while !events.all.contains("looked up"), MonotonicTime.now < end {
          _ = try reader.search("mistypd words", .track, PageRequest(limit: 10))
        }
        events.append("ended")
      }
    }
    try await eventually("a search has started") { events.all == ["begun"] }
    let found = await withCheckedContinuation { continuation in
      store.lookUp({ reader throws(StoreError) in try reader.track("file:///m/1.flac") }) { result in
        events.append("looked up")
        continuation.resume(returning: result)
      }
    }
    #expect(try found.get()?.metadata.title == "T1")
    try await searching.value
    #expect(events.all == ["begun", "looked up", "ended"])
    store.close()
  }

  private final class Events: Sendable {
    private let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }
    func append(_ event: String) { list.withLock { $0.append(event) } }
  }

  @Test func aFailedChangeIsRolledBack() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let before = try await store.read { reader throws(StoreError) in try reader.counts() }
    let elsewhere = StateStore(path: FilePath("/dev/null/none"))
    var failure: StoreError?
    do { _ = try await elsewhere.load() } catch { failure = error as? StoreError }
    elsewhere.close()
    let error = try #require(failure)
    await #expect(throws: Failure.self) {
      try await store.write { writer throws(StoreError) in
        try writer.put([ScannedFileBuilder(album: "X", artists: ["New"]).file("/m/x.flac", "x")])
        try writer.removeFolder(FilePath("/m"))
        throw error
      }
    }
    #expect(try await store.read { reader throws(StoreError) in try reader.counts() } == before)
    // The caches of the writer contain nothing of the change.
    try await store.scan([ScannedFileBuilder(album: "X", artists: ["New"]).file("/m/x.flac", "x")])
    #expect(try await store.albumList() == ["Album / Artist / 3", "X / New / 1"])
    store.close()
  }

  @Test(arguments: [100, 4096, 100_000]) func aFileThatIsNoDatabaseIsSetAside(size: Int) async throws {
    scratch.write(path, [UInt8](repeating: 0x5A, count: size))
    let store = LibraryStore(path: path)
    #expect(try await store.albumList() == [])
    try await fill(store)
    #expect(try await store.albumList() == ["Album / Artist / 3"])
    store.close()
    let kept = setAside("broken")
    #expect(kept.count == 1)
    if let name = kept.first { #expect(scratch.read(path.parent.appending(name)).count == size) }
  }

  /// user_version, big-endian, at offset 60 (SQLite file format, 1.3).
  @Test func aNewerFileIsSetAsideAndItsUserDataRecovered() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let expected = try await userData(store)
    store.close()
    var bytes = scratch.read(path)
    bytes[63] = 200
    scratch.write(path, bytes)
    let again = LibraryStore(path: path)
    #expect(try await userData(again) == expected)
    #expect(try await again.albumList() == [], "a scan adds the tracks again")
    try await fill(again)
    #expect(
      try await again.read { reader throws(StoreError) in try reader.albums().items.map(\.uri) } == ["segue:album/1"])
    #expect(try await again.track("/m/1.flac")?.isFavorite == true)
    #expect(try await again.track("/m/2.flac")?.rating == 6)
    again.close()
    let kept = setAside("newer")
    #expect(kept.count == 1)
    if let name = kept.first { #expect(scratch.read(path.parent.appending(name)) == bytes) }
  }

  /// Pages of the index are overwritten. The user data is on other pages, and is recovered while both threads work.
  @Test func aDamagedPageLosesTheIndexButNotTheFavorites() async throws {
    let store = LibraryStore(path: path)
    try await fill(store, 600)
    let expected = try await userData(store)
    store.close()
    var bytes = scratch.read(path)
    var damaged = 0
    // These are leaf pages of the table of tracks, recognised by their text.
    let text = Array("T57".utf8) + Array("Artist".utf8)
    for page in stride(from: 8192, to: bytes.count, by: 4096) where bytes[page..<(page + 4096)].contains(text) {
      for index in page..<(page + 64) { bytes[index] = 0xA5 }
      damaged += 1
    }
    try #require(damaged > 0)
    scratch.write(path, bytes)
    let again = LibraryStore(path: path)
    await #expect(throws: Failure.self) {
      _ = try await again.read { reader throws(StoreError) in
        try reader.tracks(by: .title, .ascending, PageRequest(limit: 1000))
      }
    }
    #expect(try await userData(again) == expected)
    try await again.scan(ScannedFileBuilder(album: "Album").files("/m", "T1"))
    #expect(try await again.albumList() == ["Album / Artist / 1"])
    again.close()
    #expect(setAside("broken").count == 1)
  }

  /// There is a folder in place of the file.
  @Test func anUnreadableFileIsSetAside() async throws {
    scratch.makeFolder(path)
    scratch.write("deep/er/library.db/inside", "x")
    let store = LibraryStore(path: path)
    try await fill(store)
    #expect(try await store.albumList() == ["Album / Artist / 3"])
    store.close()
    #expect(setAside("unread").count == 1)
  }

  @Test func aFailureToCreateTheFileIsReported() async throws {
    let obstacle = scratch.write("deep")
    let store = LibraryStore(path: path)
    for _ in 0..<2 {
      do {
        try await store.write { writer throws(StoreError) in try writer.setRating("file:///a", 3) }
        Issue.record("writing succeeded although a file is in place of the folder")
      } catch let failure as Failure {
        #expect(failure.kind == .unavailable)
        #expect(failure.message.contains("deep"))
      }
    }
    _ = obstacle.withCString { unlink($0) }
    try await fill(store)
    #expect(try await userData(store).plays == 3)
    store.close()
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk"))
  func aFullDiskIsReportedAndWritingResumesLater()
    async throws
  {
    scratch.makeFolder(path.parent)
    let disk = try TmpfsVolume(over: path.parent, kilobytes: 4096)
    let store = LibraryStore(path: path)
    try await fill(store)
    let expected = try await userData(store)
    try disk.fill()
    var failures = 0
    for round in 0..<20 {
      let files = (0..<100).map { (number: Int) in
        ScannedFileBuilder(album: "B\(round)").file("/m/\(round)/\(number).flac", "x\(number)", track: number)
      }
      do {
        try await store.scan(files)
      } catch {
        failures += 1
        #expect((error as? Failure)?.kind == .unavailable)
      }
    }
    #expect(failures > 0)
    #expect(try await userData(store) == expected, "reading still works")
    disk.free()
    try await store.scan(ScannedFileBuilder(album: "After").files("/after", "1"))
    #expect(try await store.albumList().contains("After / Artist / 1"))
    store.close()
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk")) func aFileOnAReadOnlyDiskIsRead()
    async throws
  {
    scratch.makeFolder(path.parent)
    let disk = try TmpfsVolume(over: path.parent, kilobytes: 4096)
    var store = LibraryStore(path: path)
    try await fill(store)
    let expected = try await userData(store)
    store.close()
    try disk.makeWritable(false)
    store = LibraryStore(path: path)
    #expect(try await userData(store) == expected)
    #expect(try await store.albumList() == ["Album / Artist / 3"])
    let refused = store
    await #expect(throws: Failure.self) {
      try await refused.write { writer throws(StoreError) in try writer.setRating("file:///a", 3) }
    }
    try disk.makeWritable(true)
    try await store.write { writer throws(StoreError) in try writer.setRating("file:///m/2.flac", 9) }
    #expect(try await userData(store).rating == 9)
    store.close()
  }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(_ text: [UInt8]) -> Bool {
    guard count >= text.count else { return false }
    return indices.dropLast(text.count - 1).contains { self[$0] == text[0] && self[$0...].starts(with: text) }
  }
}
