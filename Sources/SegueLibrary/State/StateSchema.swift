/// The tables of `segue.db`.
enum StateSchema {
  static let migrations = SchemaMigrations(steps: [
    """
    CREATE TABLE queue (
      id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, uri TEXT NOT NULL, duration INTEGER, kind TEXT,
      error TEXT, probed INTEGER NOT NULL, title TEXT, artist TEXT, artists TEXT, album TEXT, album_artist TEXT,
      composer TEXT, genre TEXT, date TEXT, year INTEGER, track INTEGER, track_total INTEGER, disc INTEGER,
      disc_total INTEGER, art TEXT, stream TEXT
    );
    CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    """,
    // The settings, with the values of the configuration that they replace. For the three older settings, the latter are
    // unknown.
    """
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL, instead TEXT) WITHOUT ROWID;
    INSERT INTO setting SELECT 'output.device', value, NULL FROM state WHERE key = 'device' AND value IS NOT NULL;
    INSERT INTO setting SELECT 'player.replayGain', value, NULL FROM state WHERE key = 'gain' AND value IS NOT NULL;
    INSERT INTO setting SELECT 'player.preamp', value / 1000.0, NULL FROM state
      WHERE key = 'preamp' AND value IS NOT NULL;
    DELETE FROM state WHERE key IN ('device', 'gain', 'preamp');
    """,
    "ALTER TABLE queue ADD COLUMN error_kind TEXT",
  ])
}
