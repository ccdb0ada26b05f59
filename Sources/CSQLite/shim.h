// SQLite, and the destructor macros Swift cannot import.
#pragma once
#include <sqlite3.h>
#include <stddef.h>

static inline sqlite3_destructor_type segue_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Spares every allocation the mutex of SQLite's statistics. Before the first connection is opened; else it does nothing.
static inline void segue_sqlite_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// FTS5's own functions, or NULL if this SQLite was built without it.
static inline fts5_api *segue_sqlite_fts5(sqlite3 *connection) {
  fts5_api *api = NULL;
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, NULL) == SQLITE_OK) {
    // The name must be this one: SQLite compares it when the value is asked for.
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
}
