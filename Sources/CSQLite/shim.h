// SQLite, and the destructor macros Swift cannot import.
#pragma once
#include <sqlite3.h>

static inline sqlite3_destructor_type segue_sqlite_transient(void) { return SQLITE_TRANSIENT; }
