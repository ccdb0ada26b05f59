import Glibc
import SegueLibrary
import SegueSystem
import SegueTestKit
import SegueWire
import Synchronization
import Testing

/// The file itself: that it comes back, and what a broken, newer, unreadable or full one does.
@Suite(.timeLimit(.minutes(2))) struct LibraryStoreTests {
  private let scratch = Scratch()
  private var path: FilePath { scratch["deep/er/library.db"] }

  /// Something of everything.
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
      try writer.setBookmark("file:///m/3.flac", MediaTime(nanoseconds: 5))
    }
  }

  private struct Made: Equatable {
    var favorites: [String]
    var rating: Int?
    var plays: Int
    var searches: [String]
    var bookmark: MediaTime?
  }

  private func made(_ store: LibraryStore) async throws -> Made {
    try await store.read { reader throws(StoreError) in
      Made(
        favorites: try reader.favorites(by: .date, .ascending).items.map(\.uri),
        rating: try reader.rating("file:///m/2.flac"), plays: try reader.plays().total,
        searches: try reader.searches(), bookmark: try reader.bookmark("file:///m/3.flac")?.position)
    }
  }

  private func setAside(_ mark: String) -> [String] {
    scratch.names(path.parent).filter { $0.hasPrefix("library.db.\(mark)-") && !$0.hasSuffix("-wal") }
  }

  @Test func aFileThatIsFoundTwiceIsThereOnce() async throws {
    let store = LibraryStore(path: path)
    let file = ScannedFileBuilder(album: "Album").file("/m/1.flac", "T1", track: 1)
    try await store.scan([file, file])
    #expect(try await store.albumList() == ["Album / Artist / 1"])
    store.close()
  }

  @Test func everythingComesBack() async throws {
    let store = LibraryStore(path: path)
    #expect(try await store.read { reader throws(StoreError) in try reader.counts() } == LibraryCounts())
    try await fill(store)
    let expected = try await made(store)
    let tracks = try await store.read { reader throws(StoreError) in try reader.tracks() }
    store.close()
    #expect(scratch.names(path.parent) == ["library.db"], "an orderly end leaves one file")
    let again = LibraryStore(path: path)
    #expect(try await made(again) == expected)
    #expect(expected.favorites == ["file:///m/1.flac", "segue:album/1"] && expected.plays == 3)
    #expect(try await again.read { reader throws(StoreError) in try reader.tracks() } == tracks)
    again.close()
  }

  /// What the files hold while the store is open is what a `kill -9` leaves.
  @Test func whatWasConfirmedSurvivesTheDeathOfTheProcess() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let image = scratch["image/library.db"]
    for suffix in ["", "-wal"] {
      scratch.write(FilePath("\(image)\(suffix)"), scratch.read(FilePath("\(path)\(suffix)")))
    }
    let revived = LibraryStore(path: image)
    #expect(try await made(revived) == made(store))
    #expect(try await revived.albumList() == ["Album / Artist / 3"])
    revived.close()
    store.close()
  }

  /// One search after the other, until somebody else was answered.
  @Test func aLookUpWaitsForNoSearch() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let events = Events()
    let searching = Task {
      try await store.read { reader throws(StoreError) in
        events.note("begun")
        let end = MonotonicTime.now + patience
        while !events.all.contains("looked up"), MonotonicTime.now < end {
          _ = try reader.search("mistypd words", .track, PageRequest(limit: 10))
        }
        events.note("ended")
      }
    }
    try await eventually("a search is under way") { events.all == ["begun"] }
    let found = await withCheckedContinuation { continuation in
      store.lookUp({ reader throws(StoreError) in try reader.track("file:///m/1.flac") }) { result in
        events.note("looked up")
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
    func note(_ event: String) { list.withLock { $0.append(event) } }
  }

  @Test func aChangeThatThrowsIsTakenBack() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let before = try await store.read { reader throws(StoreError) in try reader.counts() }
    let elsewhere = StateStore(path: FilePath("/dev/null/none"))
    let error = try #require(
      await #expect(throws: StoreError.self) { _ = try await elsewhere.load() })
    elsewhere.close()
    await #expect(throws: Failure.self) {
      try await store.write { writer throws(StoreError) in
        try writer.put([ScannedFileBuilder(album: "X", artists: ["New"]).file("/m/x.flac", "x")])
        try writer.removeFolder(FilePath("/m"))
        throw error
      }
    }
    #expect(try await store.read { reader throws(StoreError) in try reader.counts() } == before)
    // And the writer has forgotten what it remembered of it.
    try await store.scan([ScannedFileBuilder(album: "X", artists: ["New"]).file("/m/x.flac", "x")])
    #expect(try await store.albumList() == ["Album / Artist / 3", "X / New / 1"])
    store.close()
  }

  @Test(arguments: [100, 4096, 100_000]) func junkIsSetAside(size: Int) async throws {
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
  @Test func aNewerOneIsSetAsideAndWhatTheUserMadeCarriedOver() async throws {
    let store = LibraryStore(path: path)
    try await fill(store)
    let expected = try await made(store)
    store.close()
    var bytes = scratch.read(path)
    bytes[63] = 200
    scratch.write(path, bytes)
    let again = LibraryStore(path: path)
    #expect(try await made(again) == expected)
    #expect(try await again.albumList() == [], "tracks are found again by a scan")
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

  /// Pages of the index are destroyed; what the user made lies elsewhere and is carried over while both threads work.
  @Test func aBrokenPageCostsTheIndexAndNotTheFavourites() async throws {
    let store = LibraryStore(path: path)
    try await fill(store, 600)
    let expected = try await made(store)
    store.close()
    var bytes = scratch.read(path)
    var broken = 0
    // Leaf pages of the tracks, known by a text of theirs.
    let text = Array("T57".utf8) + Array("Artist".utf8)
    for page in stride(from: 8192, to: bytes.count, by: 4096) where bytes[page..<(page + 4096)].holds(text) {
      for index in page..<(page + 64) { bytes[index] = 0xA5 }
      broken += 1
    }
    try #require(broken > 0)
    scratch.write(path, bytes)
    let again = LibraryStore(path: path)
    await #expect(throws: Failure.self) {
      _ = try await again.read { reader throws(StoreError) in
        try reader.tracks(by: .title, .ascending, PageRequest(limit: 1000))
      }
    }
    #expect(try await made(again) == expected)
    try await again.scan(ScannedFileBuilder(album: "Album").files("/m", "T1"))
    #expect(try await again.albumList() == ["Album / Artist / 1"])
    again.close()
    #expect(setAside("broken").count == 1)
  }

  /// A folder where the file should be: nothing that can be read.
  @Test func whatCannotBeReadIsSetAside() async throws {
    scratch.makeFolder(path)
    scratch.write("deep/er/library.db/inside", "x")
    let store = LibraryStore(path: path)
    try await fill(store)
    #expect(try await store.albumList() == ["Album / Artist / 3"])
    store.close()
    #expect(setAside("unread").count == 1)
  }

  @Test func whereNothingCanBeMadeTheCallerIsTold() async throws {
    let obstacle = scratch.write("deep")
    let store = LibraryStore(path: path)
    for _ in 0..<2 {
      do {
        try await store.write { writer throws(StoreError) in try writer.setRating("file:///a", 3) }
        Issue.record("written into a file where a folder should be")
      } catch let failure as Failure {
        #expect(failure.kind == .unavailable)
        #expect(failure.message.contains("deep"))
      }
    }
    _ = obstacle.withCString { unlink($0) }
    try await fill(store)
    #expect(try await made(store).plays == 3)
    store.close()
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk")) func aFullDiskIsToldAndOutlived()
    async throws
  {
    scratch.makeFolder(path.parent)
    let disk = try TmpfsVolume(over: path.parent, kilobytes: 4096)
    let store = LibraryStore(path: path)
    try await fill(store)
    let expected = try await made(store)
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
    #expect(try await made(store) == expected, "reading goes on")
    disk.free()
    try await store.scan(ScannedFileBuilder(album: "After").files("/after", "1"))
    #expect(try await store.albumList().contains("After / Artist / 1"))
    store.close()
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed, "only root may mount a small disk")) func whatCannotBeWrittenIsRead()
    async throws
  {
    scratch.makeFolder(path.parent)
    let disk = try TmpfsVolume(over: path.parent, kilobytes: 4096)
    var store = LibraryStore(path: path)
    try await fill(store)
    let expected = try await made(store)
    store.close()
    try disk.makeWritable(false)
    store = LibraryStore(path: path)
    #expect(try await made(store) == expected)
    #expect(try await store.albumList() == ["Album / Artist / 3"])
    let refused = store
    await #expect(throws: Failure.self) {
      try await refused.write { writer throws(StoreError) in try writer.setRating("file:///a", 3) }
    }
    try disk.makeWritable(true)
    try await store.write { writer throws(StoreError) in try writer.setRating("file:///m/2.flac", 9) }
    #expect(try await made(store).rating == 9)
    store.close()
  }
}

extension ArraySlice<UInt8> {
  fileprivate func holds(_ text: [UInt8]) -> Bool {
    guard count >= text.count else { return false }
    return indices.dropLast(text.count - 1).contains { self[$0] == text[0] && self[$0...].starts(with: text) }
  }
}
