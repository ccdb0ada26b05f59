internal import SegueSQLite

/// The tables of the accounts. A step that was released is never changed.
enum AccountSchema {
  static let migrations = SchemaMigrations(steps: [
    """
    CREATE TABLE person (
      id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL, first_name TEXT NOT NULL,
      last_name TEXT NOT NULL, birth_date TEXT NOT NULL, phone TEXT NOT NULL, role TEXT NOT NULL, registered INTEGER NOT NULL
    );
    CREATE TABLE device (
      id INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE, person INTEGER REFERENCES person ON DELETE CASCADE,
      name TEXT NOT NULL, role TEXT, added INTEGER NOT NULL, used INTEGER NOT NULL
    );
    CREATE INDEX device_person ON device (person);
    -- Invitations to register, and the tokens of QR codes.
    CREATE TABLE ticket (
      token BLOB PRIMARY KEY, kind TEXT NOT NULL, role TEXT NOT NULL, expires INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """,
    AttemptDelays.schema + """

      -- The addresses from which people have signed in.
      CREATE TABLE place (
        person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE, address BLOB NOT NULL, used INTEGER NOT NULL,
        PRIMARY KEY (person, address)
      ) WITHOUT ROWID;
      """,
  ])
}
