import Glibc
import SegueSQLite
import SegueSystem
import SegueTestKit
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SegueCatalogProviders
@testable import SegueCatalogService

/// Tests of the cache of results.
@Suite struct CatalogDatabaseTests {
  private let folder: TemporaryFolder
  private let path: FilePath

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path.appending("cache/catalog.db")
  }

  /// The freshness of results of which the server states no lifetime.
  private let hour = Freshness(standard: .seconds(3600), maximum: .maximum)

  private func result(
    _ ids: Int..., size: Int = 0, age: MediaTime = .zero, lifetime: MediaTime? = .seconds(120)
  ) -> CachedResult {
    let entries = ids.map { id in
      var item = CatalogItem(uri: "itunes:song:\(id)", kind: .song, title: "t\(id)", provider: "itunes")
      item.description = String(repeating: "x", count: size)
      return CatalogEntry(item: item, stream: "http://h/\(id)")
    }
    let version = CatalogVersion(etag: "\"e\"", lastModified: nil)
    return CachedResult(
      result: CatalogResult(entries),
      origin: CatalogOrigin(version: version, scope: .private, lifetime: lifetime),
      received: UnixTime(nanoseconds: UnixTime.now.nanoseconds - age.nanoseconds), store: "de")
  }

  @Test func result_survivesARestart() throws {
    let stored = result(1, 2)
    CatalogDatabase(path: path).store("key", stored)
    let found = try #require(CatalogDatabase(path: path).find("key"))
    #expect((found.result, found.origin, found.received) == (stored.result, stored.origin, stored.received))
    #expect(found.store == "de")
    #expect(CatalogDatabase(path: path).find("other") == nil)
  }

  @Test func pageOfAResult_isReadWhileTheResultIsFresh() throws {
    let page = PageRequest(limit: 1)
    for (lifetime, age, isFresh) in [(60, 59, true), (60, 61, false), (7200, 7100, true)] {
      let database = CatalogDatabase(path: path)
      database.store("key", result(1, 2, age: .seconds(age), lifetime: .seconds(lifetime)))
      let found = try #require(database.find("key", page, hour))
      #expect((found.isPart, found.result.entries.count) == (isFresh, isFresh ? 1 : 2))
      #expect(database.find("key", page, Freshness(standard: .maximum, maximum: .zero))?.isPart == false)
    }
    let database = CatalogDatabase(path: path)
    for (age, isFresh) in [(3500, true), (3700, false), (-100, false)] {
      database.store("key", result(1, 2, age: .seconds(age), lifetime: nil))
      #expect(database.find("key", page, hour)?.isPart == isFresh)
    }
  }

  @Test func item_isFoundInTheLastResult() throws {
    let database = CatalogDatabase(path: path)
    database.store("one", result(1, 2))
    database.store("two", result(2, 3))
    let found = try #require(database.find(try CatalogItemURI("itunes:song:2")))
    #expect(found.result.entries.map(\.item.title) == ["t2"])
    #expect(found.result.entries.first?.stream == "http://h/2")
    #expect(database.findStore(of: try CatalogItemURI("itunes:song:2")) == "de")
    #expect(database.findStore(of: try CatalogItemURI("itunes:song:4")) == nil)
    #expect(database.find(try CatalogItemURI("itunes:song:4")) == nil)
    database.store("one", result(5))
    #expect(database.find(try CatalogItemURI("itunes:song:1")) == nil, "the result has another content now")
  }

  @Test func confirmedResult_isNew() throws {
    let database = CatalogDatabase(path: path)
    database.store("key", result(1, age: .seconds(100)))
    let now = UnixTime.now
    database.confirm("key", CatalogOrigin(version: nil, scope: .public), at: now)
    let found = try #require(database.find("key"))
    #expect((found.received, found.origin) == (now, CatalogOrigin(version: nil, scope: .public)))
  }

  @Test func cache_holdsAtMostFiftyMegabytes() throws {
    let database = CatalogDatabase(path: path)
    let ids = Array(1...150)
    for key in 0..<60 {
      var large = result(size: 0)
      large.result = CatalogResult(ids.flatMap { result(key * 1000 + $0, size: 7000).result.entries })
      database.store("\(key)", large)
    }
    #expect(database.find("59") != nil)
    #expect(database.find("0") == nil, "the oldest result was removed")
    #expect(database.find(try CatalogItemURI("itunes:song:1")) == nil)
    let kept = (0..<60).count { database.find("\($0)") != nil }
    #expect((35...50).contains(kept))
  }

  /// The keys of 200 items are longer than the items.
  @Test func file_hasAtMostFiftyMegabytes() throws {
    let database = CatalogDatabase(path: path)
    for key in 0..<600 {
      var small = result(size: 0)
      small.result = CatalogResult((0..<200).flatMap { result(key * 1000 + $0, size: 400).result.entries })
      database.store(String(repeating: "k", count: 1500) + "\(key)", small)
    }
    var status = stat()
    #expect(path.withCString { stat($0, &status) } == 0)
    #expect(status.st_size < 56 << 20, "with a margin for what SQLite has not written back yet")
    #expect(database.find(String(repeating: "k", count: 1500) + "599") != nil)
  }

  @Test func outdatedResults_areRemoved() {
    // Each value closes the file at the end of its line.
    CatalogDatabase(path: path).store("old", result(1, age: .seconds(40 * 86_400)))
    CatalogDatabase(path: path).store("new", result(2, age: .seconds(6 * 86_400)))
    let reopened = CatalogDatabase(path: path)
    #expect(reopened.find("old") == nil)
    #expect(reopened.find("new") != nil)
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed)) func fullDisk_leavesTheCacheReadable() throws {
    try Folder.create(path.parent)
    let disk = try TmpfsVolume(over: path.parent, kilobytes: 400)
    let database = CatalogDatabase(path: path, retryInterval: .zero)
    database.store("one", result(1, 2))
    try disk.fill()
    database.store("two", result(3, size: 100_000))
    #expect(database.find("two") == nil)
    #expect(database.find("one") != nil)
    disk.free()
    database.store("three", result(4))
    #expect(database.find("three") != nil)
  }

  @Test(.enabled(if: TmpfsVolume.isAllowed)) func fileThatCannotBeOpened_isOpenedLater() throws {
    try Folder.create(path.parent)
    let disk = try TmpfsVolume(over: path.parent, kilobytes: 400)
    try disk.fill()
    let database = CatalogDatabase(path: path, retryInterval: .zero)
    database.store("one", result(1))
    #expect(database.find("one") == nil)
    disk.free()
    database.store("one", result(1))
    #expect(database.find("one") != nil)
  }

  @Test func fileOfAnotherSchema_isReplaced() throws {
    try Folder.create(path.parent)
    try SQLiteConnection(path: path, busyTimeout: .zero).execute(
      "CREATE TABLE result (key TEXT); PRAGMA user_version = 1")
    let database = CatalogDatabase(path: path)
    #expect(database.find("key") == nil)
    database.store("key", result(1))
    #expect(database.find("key") != nil)
  }

  @Test func damagedFile_isReplaced() throws {
    try Folder.create(path.parent)
    try SmallFile.write(Array(repeating: 0x41, count: 8192), to: path)
    let database = CatalogDatabase(path: path)
    #expect(database.find("key") == nil)
    database.store("key", result(1))
    #expect(database.find("key") != nil)
  }

  /// SQLite has no checksums: a damaged number is read as it is.
  @Test(arguments: [Int64.min, .max]) func damagedTimes_endNothing(time: Int64) throws {
    CatalogDatabase(path: path).store("key", result(1))
    try SQLiteConnection(path: path, busyTimeout: .zero).execute("UPDATE result SET received = \(time), used = \(time)")
    let database = CatalogDatabase(path: path)
    let found = try #require(database.find("key", PageRequest(limit: 1), hour))
    #expect(!found.isPart, "the result is not fresh")
    // The age is computed again by those who use the result.
    let age = UnixTime.now - found.received
    #expect(age < .zero || age > .seconds(86_400))
    database.store("key", result(2))
    #expect(database.find("key")?.result.entries.first?.item.title == "t2")
  }

  @Test func folderThatCannotBeCreated_isNoError() {
    let database = CatalogDatabase(path: FilePath("/dev/null/cache/catalog.db"))
    database.store("key", result(1))
    #expect(database.find("key") == nil)
  }
}
