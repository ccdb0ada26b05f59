import Glibc
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueLibrary

/// Files that an earlier version of Segue looked into, which may have read other tags and lengths.
@Suite(.timeLimit(.minutes(1))) struct ScanVersionTests {
  private let stage = ScanFixture()

  /// Makes the index what an earlier version and the step of the schema leave.
  private func age() async throws {
    try await stage.store.write { writer throws(StoreError) in
      try writer.connection.execute(
        """
        UPDATE track SET facts_version = 0, duration = 1;
        UPDATE failed_file SET facts_version = 0, message = 'old';
        DELETE FROM seen_folder
        """)
    }
  }

  private func failures() async throws -> [String] {
    try await stage.store.read { reader throws(StoreError) in try reader.failures().items.map(\.failure.message) }
  }

  @Test func whatAnEarlierVersionReadIsReadOnceMore() async throws {
    for name in ["a/1.wav", "a/2.wav", "b/3.wav"] { stage.song(name) }
    stage.music.write("bad.wav")
    try stage.start()
    try await stage.walk()
    let before = try #require(try await stage.track("a/1.wav"))
    let moved = try #require(try await stage.track("a/2.wav"))
    let reason = try await failures()
    try await stage.store.write { writer throws(StoreError) in try writer.setFavorite([before.uri], true) }
    stage.stop()
    try await age()
    // One of them is elsewhere by now.
    let renamed = stage.music["a/2.wav"].withCString { old in
      stage.music["b/2.wav"].withCString { Glibc.rename(old, $0) }
    }
    #expect(renamed == 0)
    stage.forgetReports()
    try stage.start()
    let status = try await stage.walk()
    #expect(status.total == 4)

    let after = try #require(try await stage.track("a/1.wav"))
    #expect(after.duration == before.duration)
    #expect(after.id == before.id && after.added == before.added && after.isFavorite)
    let elsewhere = try #require(try await stage.track("b/2.wav"))
    #expect(elsewhere.id == moved.id && elsewhere.duration == moved.duration)
    #expect(try await stage.known().count == 4)
    #expect(try await failures() == reason)
    #expect(reason.count == 1 && reason != ["old"])

    stage.stop()
    stage.forgetReports()
    try stage.start()
    #expect(try await stage.walk().total == 0, "they are not read a third time")
  }

  /// Rows stay as they are until their file has been read: those of a folder that cannot be reached stay for long.
  @Test func whatCannotBeReadAgainIsKept() async throws {
    for name in ["a/1.wav", "b/2.wav"] { stage.song(name) }
    let folders = [stage.music["a"], stage.music["b"]]
    try stage.start(folders)
    try await stage.walk()
    stage.stop()
    try await age()
    let hidden = stage.music["b"].withCString { old in stage.music["c"].withCString { Glibc.rename(old, $0) } }
    #expect(hidden == 0)
    stage.forgetReports()
    try stage.start(folders)
    try await stage.walk()
    #expect(try await stage.track("a/1.wav")?.duration != MediaTime(nanoseconds: 1))
    #expect(try await stage.track("b/2.wav")?.duration == MediaTime(nanoseconds: 1))
  }
}
