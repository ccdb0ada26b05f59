/// The tables of `segue.db`.
enum StateSchema {
  static let steps = SchemaSteps(steps: [
    """
    CREATE TABLE queue (
      id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, uri TEXT NOT NULL, duration INTEGER, kind TEXT,
      error TEXT, probed INTEGER NOT NULL, title TEXT, artist TEXT, artists TEXT, album TEXT, album_artist TEXT,
      composer TEXT, genre TEXT, date TEXT, year INTEGER, track INTEGER, track_total INTEGER, disc INTEGER,
      disc_total INTEGER, art TEXT, stream TEXT
    );
    CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    """
  ])
}
