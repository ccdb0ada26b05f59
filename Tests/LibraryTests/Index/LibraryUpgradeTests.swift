import SegueSystem
import SegueWire
import SegueWorkerProtocol
import Testing

@testable import SegueLibrary
@testable import SegueSQLite

/// Migrations of files of earlier versions.
@Suite(.timeLimit(.minutes(1))) struct LibraryUpgradeTests {
  private let scratch = Scratch()
  private var path: FilePath { scratch["library.db"] }

  private static let uri = "file:///m/1.flac"

  /// Writes a file of the version that had the first `steps` migrations.
  private func write(steps: Int) throws {
    let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
    _ = try connection.addSearchTokenizer()
    for step in LibrarySchema.migrations.steps.prefix(steps) { try connection.execute(step) }
    try connection.execute(
      """
      PRAGMA user_version = \(steps);
      INSERT INTO favorite (uri, time, kind, item) VALUES ('\(Self.uri)', 1, 0, 0), ('http://radio/', 2, 0, 0);
      INSERT INTO rating (uri, value, time) VALUES ('\(Self.uri)', 8, 3);
      INSERT INTO play (id, time, uri) VALUES (1, 4, '\(Self.uri)'), (2, 5, '\(Self.uri)');
      INSERT INTO search_history (fold, query, time) VALUES ('kino', 'Kino', 6);
      INSERT INTO bookmark (uri, position, time) VALUES ('\(Self.uri)', 7, 8);
      INSERT INTO seen_folder (path, digest) VALUES (1, 2);
      INSERT INTO folder (id, path, parent, offline) VALUES (9, x'2f62', 0, 0);
      INSERT INTO failed_file (folder, name, device, inode, size, modified, kind, message)
        VALUES (9, x'31', 1, 2, 3, 4, 'damaged', 'no header')
      """)
  }

  @Test(arguments: 1..<LibrarySchema.migrations.steps.count) func userDataSurvivesMigration(_ steps: Int) async throws {
    try write(steps: steps)
    let store = LibraryStore(path: path)
    try await store.scan(ScannedFileBuilder(album: "Album", genres: ["Rock"]).files("/m", "One", "Two"))
    let track = try #require(try await store.track("/m/1.flac"))
    #expect(track.isFavorite && track.rating == 8)
    let (favorites, plays, searches, bookmarks) = try await store.read { reader throws(StoreError) in
      (try reader.favorites().items, try reader.plays().items, try reader.searches(), try reader.bookmarks())
    }
    #expect(favorites.map(\.uri) == ["http://radio/", Self.uri])
    #expect(favorites.map(\.time.nanoseconds) == [2, 1])
    #expect(plays.map(\.time.nanoseconds) == [5, 4])
    #expect(searches == ["Kino"])
    // Earlier versions saved no templates.
    let failures = try await store.read { reader throws(StoreError) in try reader.failures().items }
    #expect(failures == [URIFailure(uri: "file:///b/1", failure: Failure(.damaged, .plain("no header")))])
    #expect(bookmarks == [Self.uri: ResumePoint(position: MediaTime(nanoseconds: 7))])
    // The tables of later versions exist.
    let (pictures, genres, gain) = try await store.read { reader throws(StoreError) in
      (
        try reader.albums().items.map { album throws(StoreError) in try reader.artSource(ofAlbum: album.id) },
        try reader.genres().items, try reader.loudness(Self.uri)
      )
    }
    #expect(pictures == [FilePath("/m/1.flac")])
    #expect(genres.map(\.name) == ["Rock"])
    #expect(gain.isEmpty)
    store.close()
    #expect(scratch.names(scratch.path) == ["library.db"], "no file was set aside")
    let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
    // The eighteenth step is the last one after which all folders are scanned again.
    #expect(try connection.integer("SELECT count(*) FROM seen_folder") == (steps < 18 ? 0 : 1))
  }
}
