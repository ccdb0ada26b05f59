import SegueLibrary
import SegueSQLite
import SegueSystem
import SegueWire
import Synchronization
import Testing

/// The counts that the writer reports with its changes.
@Suite(.timeLimit(.minutes(2))) struct LibraryCountTests {
  private let scratch = Scratch()
  private let store: LibraryStore
  private let reports = Reports()

  private final class Reports: Sendable {
    private let counts = Mutex<[LibraryCounts?]>([])

    func append(_ new: LibraryCounts?) { counts.withLock { $0.append(new) } }

    /// Returns the counts that were reported since the last call.
    func take() -> [LibraryCounts?] {
      counts.withLock { counts in
        defer { counts = [] }
        return counts
      }
    }
  }

  init() {
    store = LibraryStore(path: scratch["library.db"])
    store.onChange { [reports] _, counts in reports.append(counts) }
  }

  private func files(_ count: Int) -> [ScannedFile] {
    (0..<count).map { ScannedFileBuilder(album: "Album").file("/m/\($0).flac", "T\($0)", track: $0 + 1) }
  }

  @Test func theWriterReportsItsCountsBeforeTheCompletion() async throws {
    try await store.scan(files(3))
    let counts = try await store.read { reader throws(StoreError) in try reader.counts() }
    #expect(counts.tracks == 3)
    #expect(counts.searchable == 3)
    #expect(reports.take() == [counts])
    store.close()
  }

  @Test func theFirstJobReportsTheCountsOfAnEarlierProcess() async throws {
    try await store.scan(files(2))
    store.close()
    let next = LibraryStore(path: scratch["library.db"])
    _ = reports.take()
    next.onChange { [reports] _, counts in reports.append(counts) }
    try await next.write { _ in }
    #expect(reports.take().map { $0?.tracks } == [2])
    next.close()
  }

  @Test func aJobThatChangesNothingReportsNothing() async throws {
    try await store.scan(files(1))
    try await store.waitForSearchMaintenance()
    _ = reports.take()
    try await store.write { _ in }
    #expect(reports.take().isEmpty)
    store.close()
  }

  @Test func theMaintenanceReportsHowManyTracksASearchFinds() async throws {
    let files = files(400)
    try await store.write { writer throws(StoreError) in try writer.put(files) }
    #expect(reports.take().last??.searchable == 0)
    try await store.write { writer throws(StoreError) in try writer.finishScan() }
    try await store.waitForSearchMaintenance()
    #expect(reports.take().last??.searchable == 400)
    store.close()
  }

  @Test func theCountsAreUnknownAfterAJobThatHasFailedUntilAnotherSucceeds() async throws {
    try await store.scan(files(1))
    try await store.waitForSearchMaintenance()
    _ = reports.take()
    for _ in 1...2 {
      await #expect(throws: (any Error).self) {
        try await store.write { _ throws(StoreError) in throw StoreError(.full, FilePath("/m"), "full") }
      }
    }
    try await store.write { _ in }
    #expect(reports.take().map { $0?.tracks } == [nil, nil, 1])
    store.close()
  }
}
