// SQLite, and the destructor macros Swift cannot import.
#pragma once
#include <sqlite3.h>
#include <stddef.h>

static inline sqlite3_destructor_type segue_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Turns off SQLite's memory statistics, for which every allocation would lock a mutex. Has no effect after the first
/// connection was opened.
static inline void segue_sqlite_disable_memory_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Puts FTS5's own functions into `api`, and returns SQLite's result code: an error where this SQLite was built without
/// FTS5, or where the file cannot be read. SQLite 3.53 reads the file's schema for this statement, older ones do not.
static inline int segue_sqlite_fts5(sqlite3 *connection, fts5_api **api) {
  sqlite3_stmt *statement = NULL;
  *api = NULL;
  int code = sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  // The name must be this one: SQLite compares it when the value is asked for.
  code = sqlite3_bind_pointer(statement, 1, api, "fts5_api_ptr", NULL);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return *api ? SQLITE_OK : code == SQLITE_OK || code == SQLITE_ROW ? SQLITE_ERROR : code;
}

/// Prepares a connection for a file whose schema may be that of an attacker: it executes no triggers and no views, its tables
/// call no functions that could do harm, and no SQL changes the schema other than by its statements. Returns SQLite's result code.
static inline int segue_sqlite_distrust_schema(sqlite3 *connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  if (code == SQLITE_OK) code = sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  return code;
}
