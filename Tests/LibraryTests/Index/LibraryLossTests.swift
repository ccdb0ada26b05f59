import Glibc
import SegueSystem
import SegueWire
import Testing

@testable import SegueLibrary
@testable import SegueSQLite

/// Damage to the file by other processes while it is in use.
@Suite(.timeLimit(.minutes(2))) struct LibraryLossTests {
  private let scratch = Scratch()
  private var path: FilePath { scratch["deep/library.db"] }

  private static let known = {
    var metadata = Metadata()
    metadata.title = "As it was"
    return PlayedFacts(metadata)
  }()

  enum Loss: CaseIterable { case file, files, folder, replaced, emptied }

  private static let losses = Loss.allCases.map { ($0, 2) } + [(.file, 4200)]

  /// After the loss, confirmed changes are durable again, and the user data is recovered as far as it can be read. This
  /// includes the case that the connection was opened again to release the memory of FTS5.
  @Test(arguments: losses)
  func aLostFileIsRecreatedWithTheUserData(_ loss: Loss, count: Int) async throws {
    let store = LibraryStore(path: path)
    let found = (1...count).map { ScannedFileBuilder(album: "Album").file("/m/\($0).flac", "\($0)", track: $0) }
    try await store.scan(found)
    try await store.write { writer throws(StoreError) in
      try writer.setFavorite(["file:///m/1.flac", "segue:album/1"], true)
      try writer.addPlay("file:///m/2.flac", Self.known)
    }
    try await store.waitForSearchMaintenance()
    lose(loss)
    try await store.write { writer throws(StoreError) in try writer.setRating("file:///m/2.flac", 6) }
    try await store.scan(found)
    store.close()

    let again = LibraryStore(path: path)
    let (favorites, rating, plays) = try await again.read { reader throws(StoreError) in
      (try reader.favoriteURIs(), try reader.rating("file:///m/2.flac"), try reader.plays().items.map(\.known))
    }
    #expect(rating == 6)
    #expect(try await again.albumList() == ["Album / Artist / \(count)"])
    let isFavorite = try await again.track("/m/1.flac")?.isFavorite
    if loss == .emptied {
      // The data is in no file any more, and SQLite has no pages in its cache (LibraryConnection releases the cache
      // after each job).
      #expect(favorites.isEmpty && plays.isEmpty && isFavorite == false)
    } else {
      #expect(favorites == ["file:///m/1.flac", "segue:album/1"])
      #expect(plays == [Self.known])
      #expect(isFavorite == true)
    }
    again.close()
  }

  private func lose(_ loss: Loss) {
    let files = ["", "-wal"].map { FilePath("\(path)\($0)") }
    switch loss {
    case .file: _ = path.withCString { unlink($0) }
    case .files: for file in files { _ = file.withCString { unlink($0) } }
    case .folder: _ = path.parent.withCString { rename($0, "\(scratch.path)/away") }
    case .replaced:
      let bytes = scratch.read(path)
      _ = path.withCString { unlink($0) }
      scratch.write(path, bytes)
    case .emptied: for file in files { _ = file.withCString { truncate($0, 0) } }
    }
  }

  /// Only changes that were only in the log are lost. No restart of the daemon is needed.
  @Test(arguments: [true, false]) func anEmptiedLogLosesOnlyItsChanges(_ isOpen: Bool) async throws {
    let store = LibraryStore(path: path)
    try await store.scan(ScannedFileBuilder(album: "Album").files("/m", "1", "2"))
    try await store.waitForSearchMaintenance()
    if isOpen { #expect(try await store.albumList() == ["Album / Artist / 2"]) }
    // The reader has read an older version of the file.
    try await store.write { writer throws(StoreError) in try writer.setRating("file:///m/1.flac", 2) }
    _ = "\(path)-wal".withCString { truncate($0, 0) }
    // An open connection fails once. A new connection uses the new file.
    if isOpen { await #expect(throws: Failure.self) { try await store.albumList() } }
    #expect(try await store.albumList() == [])
    try await store.write { writer throws(StoreError) in try writer.setRating("file:///m/2.flac", 6) }
    try await store.scan(ScannedFileBuilder(album: "Album").files("/m", "1"))
    #expect(try await store.albumList() == ["Album / Artist / 1"])
    store.close()
    let again = LibraryStore(path: path)
    #expect(try await again.read { reader throws(StoreError) in try reader.rating("file:///m/2.flac") } == 6)
    again.close()
  }

  /// Without a new file, later changes would be lost if the daemon were killed.
  @Test func aRemovedLogCausesANewFile() async throws {
    let store = LibraryStore(path: path)
    try await store.write { writer throws(StoreError) in try writer.setFavorite(["file:///m/1.flac"], true) }
    _ = "\(path)-wal".withCString { unlink($0) }
    try await store.write { writer throws(StoreError) in try writer.setRating("file:///m/2.flac", 6) }
    // These are the files as a killed process leaves them.
    for suffix in ["", "-wal"] {
      scratch.write(scratch["left.db\(suffix)"], scratch.read(FilePath("\(path)\(suffix)")))
    }
    store.close()

    let again = LibraryStore(path: scratch["left.db"])
    let (favorites, rating) = try await again.read { reader throws(StoreError) in
      (try reader.favoriteURIs(), try reader.rating("file:///m/2.flac"))
    }
    #expect(favorites == ["file:///m/1.flac"])
    #expect(rating == 6)
    again.close()
  }

  /// The damage is noticed when the writer reads the stored numbers, before the first row.
  @Test func aFileWithDamagedNumbersIsSetAside() async throws {
    let store = LibraryStore(path: path)
    try await store.scan(ScannedFileBuilder(album: "Album").files("/m", "1", "2"))
    try await store.write { writer throws(StoreError) in try writer.setFavorite(["file:///m/1.flac"], true) }
    store.close()
    var bytes = scratch.read(path)
    let text = Array("marks_fresh".utf8)
    let pages = stride(from: 0, to: bytes.count, by: 4096).filter { page in
      (page..<(page + 4096 - text.count)).contains { bytes[$0..<($0 + text.count)].elementsEqual(text) }
    }
    try #require(!pages.isEmpty)
    for page in pages { for index in page..<(page + 64) { bytes[index] = 0xA5 } }
    scratch.write(path, bytes)

    let again = LibraryStore(path: path)
    await #expect(throws: Failure.self) { try await again.scan(ScannedFileBuilder(album: "Album").files("/m", "1")) }
    try await again.scan(ScannedFileBuilder(album: "Album").files("/m", "1"))
    #expect(try await again.albumList() == ["Album / Artist / 1"])
    #expect(try await again.track("/m/1.flac")?.isFavorite == true)
    again.close()
  }

  /// There are fewer tracks than the stored number.
  @Test func choosingRandomTracksEndsDespiteAWrongCount() async throws {
    let store = LibraryStore(path: path)
    try await store.scan((0..<20).flatMap { ScannedFileBuilder(album: "Album").files("/m/\($0)", "1") })
    try await store.write { writer throws(StoreError) in try StoredNumber.write(.tracks, 100, writer.connection) }
    let tracks = try await store.read { reader throws(StoreError) in try reader.random(30) }
    #expect(Set(tracks.map(\.id)).count == 20)
    store.close()
  }

  /// A second daemon or another tool may write to the file. Each process uses the changes of the other.
  @Test func changesOfAnotherProcessAreUsed() async throws {
    let (first, second) = (LibraryStore(path: path), LibraryStore(path: path))
    let one = ScannedFileBuilder(album: "One", artists: ["Somebody"], genres: ["Rock"])
    let two = ScannedFileBuilder(album: "Two", artists: ["Else"], genres: ["Jazz"])
    try await first.scan(one.files("/m/one", "1", "2"))
    try await second.scan(two.files("/m/two", "1"))
    try await second.remove("/m/one/1.flac", "/m/one/2.flac")
    try await first.scan(one.files("/m/one", "3"))
    for store in [first, second] {
      let (counts, artists, genres) = try await store.read { reader throws(StoreError) in
        (try reader.counts(), try reader.artists().items, try reader.genres().items)
      }
      #expect(counts.tracks == 2 && counts.albums == 2 && counts.artists == 2)
      #expect(artists.map { "\($0.name) \($0.trackCount)" } == ["Else 1", "Somebody 1"])
      #expect(genres.map { "\($0.name) \($0.trackCount)" } == ["Jazz 1", "Rock 1"])
      #expect(try await store.albumList() == ["One / Somebody / 1", "Two / Else / 1"])
      #expect(try await store.titles(by: .artist) == ["1", "3"])
    }
    first.close()
    second.close()
  }

  /// While the new file cannot be created, changes fail. Nothing is lost when it can.
  @Test func recreatingALostFileIsRetried() async throws {
    let store = LibraryStore(path: path)
    try await store.write { writer throws(StoreError) in try writer.setRating("file:///a", 3) }
    _ = path.parent.withCString { rename($0, "\(scratch.path)/away") }
    let obstacle = scratch.write("deep")
    await #expect(throws: Failure.self) {
      try await store.write { writer throws(StoreError) in try writer.setRating("file:///b", 4) }
    }
    _ = obstacle.withCString { unlink($0) }
    try await store.write { writer throws(StoreError) in try writer.setRating("file:///b", 4) }
    store.close()
    let again = LibraryStore(path: path)
    let ratings = try await again.read { reader throws(StoreError) in
      (try reader.rating("file:///a"), try reader.rating("file:///b"))
    }
    #expect(ratings == (3, 4))
    again.close()
  }
}
