internal import SegueSQLite

/// The search tables. A row has the id of its track, album or artist.
///
/// The tables contain words but no texts. To delete a row, exactly the same text must be passed again.
enum SearchSchema {
  /// A connection needs the tokenizer (`SearchWriter`, `SearchReader`) before it can use the tables.
  ///
  /// `loved_text` contains copies of the rows of `track_text` whose tracks have an affinity. They are found first,
  /// regardless of the number of other tracks. Prefixes of up to four letters are looked up in the prefix indexes.
  static let sql = """
    CREATE VIRTUAL TABLE track_text USING fts5(
      title, artist, album, genre, facts, content = '', columnsize = 0, tokenize = 'segue', prefix = '1 2 3 4'
    );
    CREATE VIRTUAL TABLE loved_text USING fts5(
      title, artist, album, genre, facts, content = '', columnsize = 0, tokenize = 'segue', prefix = '1 2 3 4'
    );
    CREATE TABLE loved (
      id INTEGER PRIMARY KEY, score INTEGER NOT NULL, favorite INTEGER NOT NULL, rating INTEGER NOT NULL,
      plays INTEGER NOT NULL
    );
    CREATE VIRTUAL TABLE album_text USING fts5(
      title, artist, genre, facts, content = '', columnsize = 0, tokenize = 'segue', prefix = '1 2 3 4'
    );
    CREATE VIRTUAL TABLE artist_text USING fts5(
      name, content = '', columnsize = 0, tokenize = 'segue', prefix = '1 2 3 4'
    );

    -- The vocabulary, by which misspelled words are corrected. It is also stored reversed, since most mistakes are in one
    -- half of a word.
    CREATE TABLE word (text TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE word_reversed (text TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE VIRTUAL TABLE track_word USING fts5vocab(track_text, row);
    -- The state of `SearchWriter.maintain`.
    CREATE TABLE search_work (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    """

  /// Adds the columns for composers, conductors and works. FTS5 cannot add columns to a table, and the tables contain
  /// no texts: `SearchIndexQueue` indexes the tracks again, those with an affinity when the file is opened.
  static let credits = """
    DROP TABLE track_word;
    DROP TABLE track_text;
    DROP TABLE loved_text;
    DROP TABLE album_text;
    CREATE VIRTUAL TABLE track_text USING fts5(
      title, artist, album, genre, composer, conductor, work, facts, content = '', columnsize = 0, tokenize = 'segue',
      prefix = '1 2 3 4'
    );
    CREATE VIRTUAL TABLE loved_text USING fts5(
      title, artist, album, genre, composer, conductor, work, facts, content = '', columnsize = 0, tokenize = 'segue',
      prefix = '1 2 3 4'
    );
    CREATE VIRTUAL TABLE album_text USING fts5(
      title, artist, genre, composer, conductor, work, facts, content = '', columnsize = 0, tokenize = 'segue',
      prefix = '1 2 3 4'
    );
    CREATE VIRTUAL TABLE track_word USING fts5vocab(track_text, row);
    \(segmentSize)
    INSERT INTO album_text (rowid, title, artist, genre, facts)
      SELECT id, title, artist, genre,
        CASE WHEN year > 0 THEN char(\(TokenExpander.factPrefix)) || printf('%04d', min(year, 9999)) END
      FROM album WHERE track_count > 0;
    INSERT OR REPLACE INTO meta (key, value)
      SELECT 'newest', coalesce(max(id), 0) FROM track UNION ALL SELECT 'searched', 0
        UNION ALL SELECT 'loved_lost', EXISTS (SELECT 1 FROM loved);
    """

  /// Makes FTS5 write one segment per transaction, so that segments of the same transaction need not be merged. The
  /// buffer grows up to this number of bytes, but not beyond what the transaction writes.
  static let segmentSize = """
    INSERT INTO track_text (track_text, rank) VALUES ('hashsize', 16777216);
    """
}
