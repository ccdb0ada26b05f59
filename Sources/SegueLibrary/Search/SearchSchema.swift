/// The tables of the search. The row of each has the number of the track, album or artist that it is about.
///
/// They keep words, no texts: to take a row away, what it was made of must be said again, to the letter.
enum SearchSchema {
  /// A connection needs the tokenizer (`SearchWriter`, `SearchReader`) before it can touch them.
  ///
  /// `loved_text` has the rows of `track_text` once more whose tracks the user thinks something of: so these are found
  /// first, however many others there are. Queries of up to four letters are read from the prefix indexes.
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

    -- The words of the tracks, by which mistyped ones are set right; reversed, too, since most are mistyped in one half.
    CREATE TABLE word (text TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE word_reversed (text TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE VIRTUAL TABLE track_word USING fts5vocab(track_text, row);
    -- What `SearchWriter.settle` has yet to do.
    CREATE TABLE search_work (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    """

  /// What one transaction writes becomes one segment, which need not be merged with others of the same transaction: so
  /// many bytes wait in memory for its end, and no more than it writes.
  static let fewSegments = """
    INSERT INTO track_text (track_text, rank) VALUES ('hashsize', 16777216);
    """
}
