/// The tables of `library.db`, and how they came to be what they are. `user_version` counts the steps that were taken.
///
/// Bytes that need not be text (paths, sort keys) are BLOBs. Times are nanoseconds since 1970, durations nanoseconds.
enum LibrarySchema {
  /// What the user made. It names things by URI, so that it outlives the rows of the index.
  static let userTables = ["favorite", "rating", "play", "search_history", "bookmark"]

  private static let user = """
    CREATE TABLE favorite (uri TEXT PRIMARY KEY, time INTEGER NOT NULL, track INTEGER) WITHOUT ROWID;
    CREATE INDEX favorite_track ON favorite (track) WHERE track IS NOT NULL;
    CREATE TABLE rating (uri TEXT PRIMARY KEY, value INTEGER NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE play (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, uri TEXT NOT NULL);
    CREATE INDEX play_time ON play (time);
    CREATE INDEX play_uri ON play (uri);
    CREATE TABLE search_history (query TEXT PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE bookmark (uri TEXT PRIMARY KEY, position INTEGER NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID;
    """

  private static let index = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

    CREATE TABLE folder (
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, parent INTEGER, offline INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX folder_parent ON folder (parent);

    -- A file, or a range of one (range_start, range_end: CD frames; -1 for a whole file). Year 0: unknown.
    CREATE TABLE track (
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name BLOB NOT NULL, range_start INTEGER NOT NULL,
      range_end INTEGER, device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
      modified INTEGER NOT NULL, added INTEGER NOT NULL, part INTEGER NOT NULL, place INTEGER NOT NULL,
      rating INTEGER NOT NULL, year INTEGER NOT NULL, title_key BLOB NOT NULL, title TEXT, artist TEXT, artists TEXT,
      album TEXT, album_artist TEXT, composer TEXT, genre TEXT, date TEXT, track INTEGER, track_total INTEGER,
      disc INTEGER, disc_total INTEGER, duration INTEGER, kind TEXT NOT NULL, codec TEXT NOT NULL,
      container TEXT NOT NULL, sample_rate INTEGER NOT NULL, channels INTEGER NOT NULL, bit_depth INTEGER,
      bit_rate INTEGER, flags INTEGER NOT NULL, release TEXT, details TEXT
    );
    CREATE INDEX track_file ON track (folder, name, range_start, inode, modified, size, device);
    CREATE INDEX track_inode ON track (inode);
    CREATE INDEX track_title ON track (title_key);
    CREATE INDEX track_part ON track (part, place);
    CREATE INDEX track_year ON track (year);
    CREATE INDEX track_added ON track (added);
    CREATE INDEX track_rating ON track (rating);

    CREATE TABLE failed_file (
      folder INTEGER NOT NULL, name BLOB NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL,
      PRIMARY KEY (folder, name)
    ) WITHOUT ROWID;

    -- What of an album lies in one folder, or in the disc folders of one. An album has one part or several; what names
    -- no album has a part without one.
    CREATE TABLE part (
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, title_fold TEXT NOT NULL, artist_fold TEXT NOT NULL,
      album INTEGER, identity TEXT, track_count INTEGER NOT NULL DEFAULT 0, list_key BLOB NOT NULL DEFAULT x''
    );
    CREATE UNIQUE INDEX part_place ON part (folder, title_fold, artist_fold);
    CREATE INDEX part_album ON part (album);
    CREATE INDEX part_identity ON part (identity);
    CREATE INDEX part_list ON part (list_key, track_count);

    -- A row is kept while an album is a favourite, without tracks too.
    CREATE TABLE album (
      id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, title TEXT NOT NULL, artist TEXT,
      year INTEGER NOT NULL, track_count INTEGER NOT NULL, disc_count INTEGER NOT NULL, duration INTEGER NOT NULL,
      compilation INTEGER NOT NULL, added INTEGER NOT NULL, art INTEGER, title_key BLOB NOT NULL,
      artist_key BLOB NOT NULL
    );
    CREATE INDEX album_title ON album (title_key) WHERE track_count > 0;
    CREATE INDEX album_artist_order ON album (artist_key) WHERE track_count > 0;
    CREATE INDEX album_year ON album (year) WHERE track_count > 0;
    CREATE INDEX album_added ON album (added) WHERE track_count > 0;

    CREATE TABLE artist (
      id INTEGER PRIMARY KEY, fold TEXT NOT NULL UNIQUE, name TEXT NOT NULL, sort_key BLOB NOT NULL,
      track_count INTEGER NOT NULL, album_count INTEGER NOT NULL, main_count INTEGER NOT NULL
    );
    CREATE INDEX artist_name ON artist (sort_key, main_count) WHERE track_count > 0;
    -- main: 1 for the artist that a track is sorted by.
    CREATE TABLE track_artist (
      artist INTEGER NOT NULL, main INTEGER NOT NULL, part INTEGER NOT NULL, place INTEGER NOT NULL,
      track INTEGER NOT NULL, PRIMARY KEY (artist, main, part, place, track)
    ) WITHOUT ROWID;
    CREATE TABLE album_artist (
      artist INTEGER NOT NULL, album INTEGER NOT NULL, PRIMARY KEY (artist, album)
    ) WITHOUT ROWID;

    CREATE TABLE genre (
      id INTEGER PRIMARY KEY, fold TEXT NOT NULL UNIQUE, name TEXT NOT NULL, track_count INTEGER NOT NULL
    );
    CREATE TABLE track_genre (
      genre INTEGER NOT NULL, track INTEGER NOT NULL, PRIMARY KEY (genre, track)
    ) WITHOUT ROWID;
    CREATE TABLE album_genre (
      genre INTEGER NOT NULL, album INTEGER NOT NULL, PRIMARY KEY (genre, album)
    ) WITHOUT ROWID;

    -- What `finishScan` has yet to count anew: parts, artists, genres.
    CREATE TABLE stale (kind INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
    -- Marks in long lists: from (key, id) up to the next mark there are so many.
    CREATE TABLE mark (
      list INTEGER NOT NULL, key NOT NULL, id INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (list, key, id)
    ) WITHOUT ROWID;
    """

  /// Each step leads from its index to the next version. A step that was released is never changed.
  static let steps = [user + index]
}

extension LibrarySchema {
  static var version: Int64 { Int64(steps.count) }

  /// Throws `newer` if the file is ahead of us.
  static func check(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.integer("PRAGMA user_version")
    guard found <= version else {
      throw StoreError(
        .newer, connection.path, "written by a later version (schema \(found), this one knows \(version))")
    }
  }

  /// Brings a file that `check` passed up to date.
  static func migrate(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.integer("PRAGMA user_version")
    guard found < version else { return }
    try connection.transaction { () throws(StoreError) in
      for step in steps[Int(max(found, 0))...] { try connection.execute(step) }
      try connection.execute("PRAGMA user_version = \(version)")
    }
  }
}
