import Glibc
import SegueScan
import SegueSystem
import SegueTestKit
import SegueWire
import Testing

@testable import SegueLibrary
@testable import SegueSQLite

/// Tests of files that an earlier version of Segue has read. It may have read other tags and durations.
@Suite(.timeLimit(.minutes(1))) struct ScanVersionTests {
  private let fixture = ScanFixture()

  /// Changes the index to the state that an earlier version and the migration of the schema leave.
  private func makeOutdated() async throws {
    try await fixture.store.write { writer throws(StoreError) in
      try writer.connection.execute(
        """
        UPDATE track SET facts_version = 0, duration = 1;
        UPDATE failed_file SET facts_version = 0, message = 'old';
        DELETE FROM seen_folder
        """)
    }
  }

  private func failures() async throws -> [LocalizableMessage] {
    try await fixture.store.read { reader throws(StoreError) in try reader.failures().items.map(\.localizableMessage) }
  }

  @Test func filesReadByAnEarlierVersionAreReadAgainOnce() async throws {
    for name in ["a/1.wav", "a/2.wav", "b/3.wav"] { fixture.writeSong(name) }
    fixture.music.write("bad.wav")
    try fixture.start()
    try await fixture.walk()
    let before = try #require(try await fixture.track("a/1.wav"))
    let moved = try #require(try await fixture.track("a/2.wav"))
    let reason = try await failures()
    try await fixture.store.write { writer throws(StoreError) in try writer.setFavorite([before.uri], true) }
    fixture.stop()
    try await makeOutdated()
    // One of the files has been moved since.
    let renamed = fixture.music["a/2.wav"].withCString { old in
      fixture.music["b/2.wav"].withCString { Glibc.rename(old, $0) }
    }
    #expect(renamed == 0)
    fixture.removeReports()
    try fixture.start()
    let status = try await fixture.walk()
    #expect(status.total == 4)

    let after = try #require(try await fixture.track("a/1.wav"))
    #expect(after.duration == before.duration)
    #expect(after.id == before.id && after.added == before.added && after.isFavorite)
    let elsewhere = try #require(try await fixture.track("b/2.wav"))
    #expect(elsewhere.id == moved.id && elsewhere.duration == moved.duration)
    #expect(try await fixture.indexedFiles().count == 4)
    #expect(try await failures() == reason)
    #expect(reason.count == 1 && reason[0].template != nil && reason[0].text != "old")

    fixture.stop()
    fixture.removeReports()
    try fixture.start()
    #expect(try await fixture.walk().total == 0, "the files are not read a third time")
  }

  /// An earlier version may have made the digest of the audio by other rules.
  @Test func fileWithAnotherDigestKeepsItsDataWhenItMoves() async throws {
    for name in ["a/1.wav", "a/2.wav"] { fixture.writeSong(name) }
    try fixture.start()
    try await fixture.walk()
    let before = try #require(try await fixture.track("a/2.wav"))
    try await fixture.store.write { writer throws(StoreError) in try writer.setFavorite([before.uri], true) }
    fixture.stop()
    try await makeOutdated()
    try await fixture.store.write { writer throws(StoreError) in
      try writer.connection.execute("UPDATE track SET audio_digest = id")
    }
    let renamed = fixture.music["a/2.wav"].withCString { old in
      fixture.music["a/3.wav"].withCString { Glibc.rename(old, $0) }
    }
    #expect(renamed == 0)
    fixture.removeReports()
    try fixture.start()
    try await fixture.walk()
    let after = try #require(try await fixture.track("a/3.wav"))
    #expect(after.id == before.id && after.added == before.added && after.isFavorite)
    #expect(try await fixture.indexedFiles().count == 2)
    #expect(try await fixture.track("a/1.wav")?.isFavorite == false)
  }

  /// A row stays as it is until its file has been read again. For a missing folder, that may take long.
  @Test func tracksOfAMissingFolderAreKeptUntilTheyCanBeReadAgain() async throws {
    for name in ["a/1.wav", "b/2.wav"] { fixture.writeSong(name) }
    let folders = [fixture.music["a"], fixture.music["b"]]
    try fixture.start(folders)
    try await fixture.walk()
    fixture.stop()
    try await makeOutdated()
    let hidden = fixture.music["b"].withCString { old in fixture.music["c"].withCString { Glibc.rename(old, $0) } }
    #expect(hidden == 0)
    fixture.removeReports()
    try fixture.start(folders)
    try await fixture.walk()
    #expect(try await fixture.track("a/1.wav")?.duration != MediaTime(nanoseconds: 1))
    #expect(try await fixture.track("b/2.wav")?.duration == MediaTime(nanoseconds: 1))
  }
}
