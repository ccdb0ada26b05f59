import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

/// Tests of facts that the queue takes from the library.
@Suite struct LibraryQueueTests {
  let fixture: LibraryFixture

  init() throws { fixture = try LibraryFixture(configuration: "[Player]\nGracePeriod=0\n") }

  private func add(_ uris: [String]) throws -> JSON {
    let list = uris.map(quoted).joined(separator: ",")
    return try fixture.client.call("queue.replace", "{\"uris\":[\(list)]}")
  }

  private func workersStarted() throws -> Int? { try fixture.client.call("daemon.stats")["workersStarted"]?.int }

  @Test func indexedFilesAreNotProbedAgain() throws {
    let pid = try #require(fixture.daemon.pid)
    // The scan workers have exited, and no worker is kept ready.
    try Processes.waitForNoChildren(of: pid)
    let before = try #require(try workersStarted())
    #expect(try add([FileURI.encode(fixture.music)])["added"]?.count == 6)
    let tracks = try #require(try fixture.client.call("list")["tracks"]?.elements)
    #expect(tracks.allSatisfy { $0["durationKind"]?.string == "exact" && $0["metadata"]?["artist"]?.string != nil })
    #expect(try workersStarted() == before)
    // A file that the index does not contain is probed.
    let outside = fixture.daemon.directory.appending("outside.flac")
    let flac = try AudioFile.read(Repository.fixture("a.flac"))
    try AudioFile.write(FLACTags.replace(flac, [("TITLE", "Outside")]), to: outside)
    _ = try add([FileURI.encode(outside)])
    #expect(try fixture.titles("list") == ["Outside"])
    #expect(try #require(try workersStarted()) > before)
  }

  /// Waits until the entries of the queue have these titles. It requests the queue now and after every event.
  private func waitForTitles(_ isDone: ([String?]) -> Bool) throws {
    let watcher = try fixture.daemon.connect()
    try watcher.call("subscribe", #"{"topics":["queue"]}"#)
    while !isDone(try fixture.titles("list")) { _ = try watcher.event(of: "queue") }
  }

  private static let allTitles = Set(LibraryFixture.songs.map { $0.tags[0].1 })

  @Test func theFirstStartProbesEachFileOnce() throws {
    try waitForTitles { Set($0.compactMap(\.self)) == Self.allTitles }
    let tracks = try #require(try fixture.client.call("list")["tracks"]?.elements)
    #expect(
      tracks.map { $0["uri"]?.string }.first == fixture.uri("loose"), "the files of a folder come before its subfolders"
    )
    #expect(tracks.allSatisfy { $0["durationKind"]?.string == "exact" && $0["metadata"]?["artist"]?.string != nil })
    #expect(try workersStarted() == 0)
    // The facts are saved.
    fixture.daemon.kill()
    try fixture.restart()
    #expect(Set(try fixture.titles("list").compactMap(\.self)) == Self.allTitles)
    #expect(try workersStarted() == 0)
  }

  /// The files of a million entries may be those that a scan reads.
  @Test func entriesThatWaitForTheScanAreKeptByAnotherThread() throws {
    try waitForTitles { Set($0.compactMap(\.self)) == Self.allTitles }
    #expect(Processes.waits(ofThread: "probes", in: try #require(fixture.daemon.pid)) > 0)
  }
}
