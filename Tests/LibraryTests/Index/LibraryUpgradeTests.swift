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
    // The nineteenth step is the last one after which all folders are scanned again.
    #expect(try connection.integer("SELECT count(*) FROM seen_folder") == (steps < 19 ? 0 : 1))
  }

  /// A file of the version before the search knew composers: its tracks are found again without being read, with what
  /// the user thinks of them, and their composers, years and album artists can be browsed.
  @Test func tracksOfAnEarlierVersionAreFoundAndBrowsed() async throws {
    let steps = LibrarySchema.migrations.steps.count - 2
    let connection = try SQLiteConnection(path: path, busyTimeout: .zero)
    _ = try connection.addSearchTokenizer()
    for step in LibrarySchema.migrations.steps.prefix(steps) { try connection.execute(step) }
    try connection.execute(
      """
      PRAGMA user_version = \(steps);
      INSERT INTO folder (id, path, parent, offline) VALUES (1, x'2f6d', 0, 0);
      INSERT INTO part (id, folder, title_fold, artist_fold, title, title_key, artist_key, album, kin, artist, year,
          track_count, duration, discs, added, list_key)
        VALUES (1, 1, 'suites', 'pablo casals', 'Suites', x'01', x'02', 1, 'pablo casals' || char(31) || 'suites',
          'Pablo Casals', 1939, 2, 10, 2, 5, x'01');
      INSERT INTO album (id, identity, title, artist, year, compilation, track_count, disc_count, duration, added, genre,
          title_key, artist_key)
        VALUES (1, 'i', 'Suites', 'Pablo Casals', 1939, 0, 2, 1, 10, 5, 'Classical', x'01', x'02');
      INSERT INTO artist (id, fold, name, sort_key, track_count, main_count, album_count)
        VALUES (1, 'pablo casals', 'Pablo Casals', x'05', 2, 2, 1);
      INSERT INTO part_artist VALUES (1, 1);
      INSERT INTO genre (id, fold, name, track_count, sort_key) VALUES (1, 'classical', 'Classical', 2, x'03');
      INSERT INTO part_genre VALUES (1, 1);
      INSERT INTO track_genre VALUES (1, 1), (1, 2);
      INSERT INTO track_artist VALUES (1, 1, 1, 4294967297, 1), (1, 1, 1, 4294967298, 2);
      INSERT INTO track (id, folder, name, range_start, device, inode, size, modified, added, part, place, main_artist,
          rating, year, title_key, title, artist, album, album_artist, composer, genre, kind, codec, container,
          sample_rate, channels, flags, facts_version)
        VALUES (1, 1, x'31', -1, 1, 1, 1, 1, 5, 1, 4294967297, 1, 10, 1939, x'01', 'Prelude', 'Pablo Casals', 'Suites',
            'Pablo Casals', 'Johann Sebastian Bach', 'Classical', 'exact', 'flac', 'flac', 44100, 2, 0, 3),
          (2, 1, x'32', -1, 1, 2, 1, 1, 5, 1, 4294967298, 1, -1, 1939, x'02', 'Allemande', 'Pablo Casals', 'Suites',
            'Pablo Casals', 'Johann Sebastian Bach', 'Classical', 'exact', 'flac', 'flac', 44100, 2, 0, 3);
      INSERT INTO rating (uri, value, time) VALUES ('file:///m/1', 10, 1);
      INSERT INTO loved (id, score, favorite, rating, plays) VALUES (1, 10, 0, 10, 0);
      INSERT INTO meta (key, value) VALUES ('tracks', 2), ('albums', 1), ('artists', 1), ('searched', 2), ('newest', 2);
      """)
    let store = LibraryStore(path: path)
    try await store.write { writer throws(StoreError) in
      #expect(try writer.hasUnfinishedScan())
      try writer.finishScan()
    }
    try await store.waitForSearchMaintenance()
    #expect(try await store.albumList() == ["Suites / Pablo Casals / 2"])
    for query in ["allemande", "composer:bach", "rating:10", "bach allem", "1939 prelude"] {
      let found = try await store.read { reader throws(StoreError) in try reader.search(query, .track, PageRequest()) }
      #expect(found.total > 0 && found.correction == nil, "\(query)")
    }
    let albums = try await store.read { reader throws(StoreError) in
      try ["suites", "composer:bach", "year:1939", "genre:classical"].map { query throws(StoreError) in
        try reader.search(query, .album, PageRequest()).ids
      }
    }
    #expect(albums == [[1], [1], [1], [1]])
    let expected: [(LibraryTag, String)] = [
      (.composer, "Johann Sebastian Bach 1 2"), (.albumArtist, "Pablo Casals 1 2"), (.genre, "Classical 1 2"),
      (.year, "1939 1 2"), (.decade, "1930s 1 2"),
    ]
    for (tag, value) in expected { #expect(try await store.values(tag) == [value]) }
  }
}
