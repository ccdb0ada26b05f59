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
    """
    -- The numbers of people and devices are not used again: somebody may still refer to one that was removed.
    ALTER TABLE person RENAME TO old_person;
    ALTER TABLE device RENAME TO old_device;
    ALTER TABLE place RENAME TO old_place;
    CREATE TABLE person (
      id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL, first_name TEXT NOT NULL,
      last_name TEXT NOT NULL, birth_date TEXT NOT NULL, phone TEXT NOT NULL, role TEXT NOT NULL, registered INTEGER NOT NULL
    );
    CREATE TABLE device (
      id INTEGER PRIMARY KEY AUTOINCREMENT, token BLOB NOT NULL UNIQUE,
      person INTEGER REFERENCES person ON DELETE CASCADE, name TEXT NOT NULL, role TEXT, added INTEGER NOT NULL,
      used INTEGER NOT NULL
    );
    CREATE TABLE place (
      person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE, address BLOB NOT NULL, used INTEGER NOT NULL,
      PRIMARY KEY (person, address)
    ) WITHOUT ROWID;
    INSERT INTO person SELECT * FROM old_person;
    INSERT INTO device SELECT * FROM old_device;
    INSERT INTO place SELECT * FROM old_place;
    DROP TABLE old_place;
    DROP TABLE old_device;
    DROP TABLE old_person;
    CREATE INDEX device_person ON device (person);
    """,
  ])
}
