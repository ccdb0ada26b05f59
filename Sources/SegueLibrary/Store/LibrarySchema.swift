internal import SegueSQLite
internal import SegueWire

/// The tables of `library.db`.
///
/// Bytes that need not be text (paths, sort keys) are BLOBs. Times are in nanoseconds since 1970, durations in
/// nanoseconds. The names in the tables are older than those in the code: a `part` is an album fragment, `kin` its
/// group key, a `mark` a checkpoint.
enum LibrarySchema {
  /// The user data. It names items by URI, so that it outlives the rows of the index.
  private static let user = """
    -- kind and item: the item of the index that the URI names (FavoriteKind), or 0 if there is none.
    CREATE TABLE favorite (
      uri TEXT PRIMARY KEY, time INTEGER NOT NULL, kind INTEGER NOT NULL, item INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX favorite_item ON favorite (kind, item);
    CREATE INDEX favorite_time ON favorite (time);
    CREATE TABLE rating (uri TEXT PRIMARY KEY, value INTEGER NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE play (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, uri TEXT NOT NULL);
    CREATE INDEX play_time ON play (time);
    CREATE INDEX play_uri ON play (uri);
    CREATE TABLE search_history (fold TEXT PRIMARY KEY, query TEXT NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE bookmark (uri TEXT PRIMARY KEY, position INTEGER NOT NULL, time INTEGER NOT NULL) WITHOUT ROWID;
    """

  private static let index = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;

    -- Folders with files in or below them. offline: 1 for the topmost of the unavailable folders (FolderAvailability).
    CREATE TABLE folder (
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, parent INTEGER NOT NULL, offline INTEGER NOT NULL
    );
    CREATE INDEX folder_parent ON folder (parent);

    -- A track is a file or a range of a file (in CD frames; range_start is -1 for a whole file). Year 0: unknown.
    CREATE TABLE track (
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name BLOB NOT NULL, range_start INTEGER NOT NULL,
      range_end INTEGER, device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
      modified INTEGER NOT NULL, added INTEGER NOT NULL, part INTEGER NOT NULL, place INTEGER NOT NULL,
      main_artist INTEGER NOT NULL, rating INTEGER NOT NULL, year INTEGER NOT NULL, title_key BLOB NOT NULL,
      title TEXT, artist TEXT, artists TEXT, album TEXT, album_artist TEXT, composer TEXT, genre TEXT, date TEXT,
      track INTEGER, track_total INTEGER, disc INTEGER, disc_total INTEGER, duration INTEGER, kind TEXT NOT NULL,
      codec TEXT NOT NULL, container TEXT NOT NULL, sample_rate INTEGER NOT NULL, channels INTEGER NOT NULL,
      bit_depth INTEGER, bit_rate INTEGER, flags INTEGER NOT NULL, release TEXT, details TEXT
    );
    -- Contains the stamp: for a file that has not changed, a scan reads only this index.
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

    -- Album fragments: the part of an album in one folder, or in the disc folders of one. An album has one or several.
    -- Tracks without an album have a fragment without one. kin: the group key; fragments with the same group key may
    -- belong to one album. discs: bit n for disc n.
    CREATE TABLE part (
      id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, title_fold TEXT NOT NULL, artist_fold TEXT NOT NULL,
      title TEXT NOT NULL, title_key BLOB NOT NULL, artist_key BLOB NOT NULL, album INTEGER, kin TEXT, artist TEXT,
      release TEXT, year INTEGER NOT NULL DEFAULT 0, compilation INTEGER NOT NULL DEFAULT 0,
      track_count INTEGER NOT NULL DEFAULT 0, duration INTEGER NOT NULL DEFAULT 0, discs INTEGER NOT NULL DEFAULT 0,
      added INTEGER NOT NULL DEFAULT 0, art INTEGER, has_art INTEGER NOT NULL DEFAULT 0, list_key BLOB
    );
    CREATE UNIQUE INDEX part_place ON part (folder, title_fold, artist_fold);
    CREATE INDEX part_album ON part (album);
    CREATE INDEX part_kin ON part (kin);
    CREATE INDEX part_list ON part (list_key, track_count) WHERE list_key IS NOT NULL;

    -- An album without tracks exists only while it is a favorite. Ids are not reused: scripts and queues refer to them.
    CREATE TABLE album (
      id INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT NOT NULL, title TEXT NOT NULL, artist TEXT,
      year INTEGER NOT NULL, compilation INTEGER NOT NULL, track_count INTEGER NOT NULL, disc_count INTEGER NOT NULL,
      duration INTEGER NOT NULL, added INTEGER NOT NULL, art INTEGER, genre TEXT, title_key BLOB NOT NULL,
      artist_key BLOB NOT NULL
    );
    CREATE INDEX album_identity ON album (identity);
    CREATE INDEX album_title ON album (title_key) WHERE track_count > 0;
    CREATE INDEX album_artist ON album (artist_key) WHERE track_count > 0;
    CREATE INDEX album_year ON album (year) WHERE track_count > 0;
    CREATE INDEX album_added ON album (added) WHERE track_count > 0;

    CREATE TABLE artist (
      id INTEGER PRIMARY KEY AUTOINCREMENT, fold TEXT NOT NULL UNIQUE, name TEXT NOT NULL, sort_key BLOB NOT NULL,
      track_count INTEGER NOT NULL, main_count INTEGER NOT NULL, album_count INTEGER NOT NULL
    );
    CREATE INDEX artist_name ON artist (sort_key) WHERE track_count > 0;
    CREATE INDEX artist_list ON artist (sort_key, main_count) WHERE main_count > 0;
    -- Artist 0 stands for the tracks without an artist.
    INSERT INTO artist VALUES (0, '', '', x'ff', 0, 0, 0);
    -- main: 1 for the artist by which a track is sorted.
    CREATE TABLE track_artist (
      artist INTEGER NOT NULL, main INTEGER NOT NULL, part INTEGER NOT NULL, place INTEGER NOT NULL,
      track INTEGER NOT NULL, PRIMARY KEY (artist, main, part, place, track)
    ) WITHOUT ROWID;
    CREATE TABLE part_artist (artist INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY (artist, part)) WITHOUT ROWID;
    CREATE INDEX part_artist_part ON part_artist (part);

    CREATE TABLE genre (
      id INTEGER PRIMARY KEY, fold TEXT NOT NULL UNIQUE, name TEXT NOT NULL, track_count INTEGER NOT NULL
    );
    CREATE TABLE track_genre (genre INTEGER NOT NULL, track INTEGER NOT NULL, PRIMARY KEY (genre, track)) WITHOUT ROWID;
    CREATE TABLE part_genre (genre INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY (genre, part)) WITHOUT ROWID;
    CREATE INDEX part_genre_part ON part_genre (part);

    -- Album fragments that `finishScan` has not updated yet.
    CREATE TABLE stale (part INTEGER PRIMARY KEY);
    -- Checkpoints of long lists (LibraryList). count: the number of items from (key, id) up to the next checkpoint.
    CREATE TABLE mark (
      list INTEGER NOT NULL, key NOT NULL, id INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (list, key, id)
    ) WITHOUT ROWID;
    """

  private static let scan = """
    -- The digest of a folder's content (FolderDigest) when all its files were in the index, by the hash of the path. A
    -- migration that drops tracks clears the table.
    CREATE TABLE seen_folder (path INTEGER PRIMARY KEY, digest INTEGER NOT NULL);
    """

  private static let loudness = """
    -- The measured loudness of tracks (decibels and peaks as in ReplayGain; NULL for silence), valid for this stamp.
    CREATE TABLE loudness (
      track INTEGER PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, track_gain REAL, track_peak REAL,
      album_gain REAL, album_peak REAL
    );
    """

  private static let sorting = """
    ALTER TABLE genre ADD COLUMN sort_key BLOB NOT NULL DEFAULT x'';
    -- Texts without a sort key, or with one of an outdated order (PendingSortKey).
    CREATE TABLE unsorted (kind INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
    """

  private static let picture = """
    -- The file in which to look for an album's picture: folder and name of the file of the track `art`.
    ALTER TABLE album ADD COLUMN art_folder INTEGER;
    ALTER TABLE album ADD COLUMN art_name BLOB;
    UPDATE album SET (art_folder, art_name) = (SELECT folder, name FROM track WHERE track.id = art);
    """

  private static let years = """
    -- The years of tracks, which the search needs without reading the rows.
    CREATE INDEX track_fact ON track (id, year);
    """

  private static let order = """
    -- The columns of tracks that the search needs without reading the rows.
    DROP INDEX track_fact;
    CREATE INDEX track_facts ON track (id, year, part, place);
    """

  private static let availability = """
    -- Only the topmost unavailable folder is marked: one row changes the availability of a million tracks.
    UPDATE folder SET offline = 0 WHERE parent IN (SELECT id FROM folder WHERE offline = 1);
    CREATE INDEX folder_offline ON folder (id) WHERE offline = 1;
    """

  private static let plays = """
    -- The facts about a track when it was played, for tracks that the index no longer has. artists: see TextList.
    ALTER TABLE play ADD COLUMN title TEXT;
    ALTER TABLE play ADD COLUMN artist TEXT;
    ALTER TABLE play ADD COLUMN artists TEXT;
    ALTER TABLE play ADD COLUMN album TEXT;
    ALTER TABLE play ADD COLUMN duration INTEGER;
    ALTER TABLE play ADD COLUMN kind TEXT;
    """

  private static let charsets = """
    -- Cue sheets in legacy charsets are read again (FolderCueSheets).
    DELETE FROM seen_folder;
    """

  private static let versions = """
    -- The version of the facts from which a row was made (FileFacts.version). A scan reads files with older facts again.
    ALTER TABLE track ADD COLUMN facts_version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE failed_file ADD COLUMN facts_version INTEGER NOT NULL DEFAULT 0;
    DROP INDEX track_file;
    CREATE INDEX track_file ON track (
      folder, name, range_start, inode, modified, size, device, facts_version
    );
    DELETE FROM seen_folder;
    """

  private static let favorites = """
    -- What the index never has about a favorite: the name of a station, or what an online catalogue states. rating: 0 to 10, as the users of the
    -- catalogue rate it.
    ALTER TABLE favorite ADD COLUMN title TEXT;
    ALTER TABLE favorite ADD COLUMN artist TEXT;
    ALTER TABLE favorite ADD COLUMN album TEXT;
    ALTER TABLE favorite ADD COLUMN date TEXT;
    ALTER TABLE favorite ADD COLUMN year INTEGER;
    ALTER TABLE favorite ADD COLUMN rating REAL;
    ALTER TABLE favorite ADD COLUMN title_key BLOB;
    """

  private static let templates = """
    -- The template of the message and its arguments, with which clients translate it (LocalizableMessage.savedTemplate).
    ALTER TABLE failed_file ADD COLUMN template TEXT;
    """

  private static let speeds = """
    -- The speed at which a track was left, in hundredths of the original speed; NULL in rows of earlier versions.
    ALTER TABLE bookmark ADD COLUMN speed INTEGER;
    """

  private static let identities = """
    -- What identifies a track apart from its path: the digest of its audio (FileFacts.audioDigest), and a hash of its
    -- MusicBrainz recording id.
    ALTER TABLE track ADD COLUMN audio_digest INTEGER;
    ALTER TABLE track ADD COLUMN recording INTEGER;
    -- The album artists, if there are several (TextList).
    ALTER TABLE track ADD COLUMN album_artists TEXT;
    CREATE INDEX track_digest ON track (audio_digest) WHERE audio_digest IS NOT NULL;
    CREATE INDEX track_recording ON track (recording) WHERE recording IS NOT NULL;

    -- Tracks that have left the index. If one appears under another path, the user data follows it there. time: when it left.
    -- elsewhere: 1 if its file still existed then.
    CREATE TABLE vanished (
      uri TEXT PRIMARY KEY, range_start INTEGER NOT NULL, audio_digest INTEGER, recording INTEGER, release TEXT,
      size INTEGER NOT NULL, modified INTEGER NOT NULL, added INTEGER NOT NULL, time INTEGER NOT NULL,
      elsewhere INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX vanished_digest ON vanished (audio_digest) WHERE audio_digest IS NOT NULL;
    CREATE INDEX vanished_recording ON vanished (recording) WHERE recording IS NOT NULL;
    CREATE INDEX vanished_time ON vanished (time);
    CREATE INDEX vanished_elsewhere ON vanished (uri) WHERE elsewhere = 1;

    -- Files and folders that have moved, in order, until queue and playlists have followed them.
    CREATE TABLE move (id INTEGER PRIMARY KEY AUTOINCREMENT, old BLOB NOT NULL, new BLOB NOT NULL);

    -- Files are read once more (version 2 of FileFacts): for the digest, for cue sheets in tags, for those beside files
    -- (FolderCueSheets), and for the durations of files whose tables contradict their audio.
    DELETE FROM seen_folder;
    """

  private static let changes = """
    -- FileStamp.changed. Cue sheets are read again (FolderCueSheets).
    ALTER TABLE track ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE failed_file ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    DELETE FROM seen_folder;
    """

  private static let replacements = """
    -- elsewhere is the number of a VanishedTrackTable.State. The index has the tracks on which a scan has still to decide.
    CREATE INDEX vanished_replaced ON vanished (uri) WHERE elsewhere > 1;
    """

  private static let digests = """
    -- Files are read once more (version 3 of FileFacts): the digests of different Matroska files could be equal.
    DELETE FROM seen_folder;
    """

  private static let values = """
    -- The values of the tags by which the library is browsed (LibraryTag.number). Genres and years have their own
    -- tables.
    CREATE TABLE tag_value (
      id INTEGER PRIMARY KEY, tag INTEGER NOT NULL, fold TEXT NOT NULL, name TEXT NOT NULL, sort_key BLOB NOT NULL,
      track_count INTEGER NOT NULL, album_count INTEGER NOT NULL
    );
    CREATE UNIQUE INDEX tag_value_name ON tag_value (tag, fold);
    CREATE INDEX tag_value_list ON tag_value (tag, sort_key, fold) WHERE track_count > 0;
    -- The values that tracks have. Album artists are values of albums only.
    CREATE TABLE track_value (
      value INTEGER NOT NULL, part INTEGER NOT NULL, track INTEGER NOT NULL, PRIMARY KEY (value, part, track)
    ) WITHOUT ROWID;
    CREATE INDEX track_value_part ON track_value (part);
    CREATE TABLE album_value (album INTEGER NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (album, value)) WITHOUT ROWID;
    CREATE INDEX album_value_value ON album_value (value);
    CREATE TABLE year (year INTEGER PRIMARY KEY, track_count INTEGER NOT NULL, album_count INTEGER NOT NULL);
    INSERT INTO year SELECT year, count(*), 0 FROM track WHERE year > 0 GROUP BY year;
    INSERT INTO year SELECT year, 0, count(*) FROM album WHERE track_count > 0 AND year > 0 GROUP BY year
      ON CONFLICT (year) DO UPDATE SET album_count = excluded.album_count;
    ALTER TABLE genre ADD COLUMN album_count INTEGER NOT NULL DEFAULT 0;
    UPDATE genre SET album_count = (
      SELECT count(DISTINCT p.album) FROM part_genre x JOIN part p ON p.id = x.part WHERE x.genre = genre.id);

    -- What `Metadata` does not have (TextList). composers: the composers, if there are several.
    ALTER TABLE track ADD COLUMN composers TEXT;
    ALTER TABLE track ADD COLUMN conductors TEXT;
    ALTER TABLE track ADD COLUMN works TEXT;
    -- The names by which the search finds an album, one per line.
    ALTER TABLE album ADD COLUMN composers TEXT;
    ALTER TABLE album ADD COLUMN conductors TEXT;
    ALTER TABLE album ADD COLUMN works TEXT;

    -- The values are computed from the tracks of each album fragment. Files are read once more (version 4 of
    -- FileFacts), because conductors and works were not read before.
    INSERT OR IGNORE INTO stale SELECT id FROM part;
    DELETE FROM seen_folder;
    """

  static let migrations = SchemaMigrations(steps: [
    user + index + scan + SearchSchema.sql, loudness, sorting, picture, years, SearchSchema.segmentSize, order,
    availability,
    plays, charsets, versions, favorites, templates, speeds, identities,
    changes, replacements, digests, values, SearchSchema.credits,
  ])
}
