/// The tables of the search. The row of each has the number of the track, album or artist that it is about.
///
/// They keep words, no texts: to take a row away, what it was made of must be said again, to the letter.
enum SearchSchema {
  /// A connection needs the tokenizer (`SearchWriter`, `SearchReader`) before it can touch them.
  static let sql = """
    CREATE VIRTUAL TABLE track_text USING fts5(
      title, artist, album, genre, facts, content = '', columnsize = 0, tokenize = 'segue', prefix = '1 2 3'
    );
    -- The rows of the same numbers in track_text, of tracks that have a SearchRegard.
    CREATE VIRTUAL TABLE loved_text USING fts5(
      title, artist, album, genre, facts, content = '', columnsize = 0, tokenize = 'segue', prefix = '1 2 3'
    );
    CREATE TABLE loved (id INTEGER PRIMARY KEY, score INTEGER NOT NULL, regard TEXT NOT NULL);
    CREATE VIRTUAL TABLE album_text USING fts5(
      title, artist, content = '', columnsize = 0, tokenize = 'segue', prefix = '1 2 3'
    );
    CREATE VIRTUAL TABLE artist_text USING fts5(
      name, content = '', columnsize = 0, tokenize = 'segue', prefix = '1 2 3'
    );
    """
}
