// ncursesw. Its functions on the standard screen are macros, its screens are mutable globals, and some of its functions are
// variadic: Swift cannot use these.
#pragma once
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/// Attributes of cells, which can be combined.
enum {
  SEGUE_CURSES_BOLD = 1,
  SEGUE_CURSES_DIM = 2,
  SEGUE_CURSES_REVERSE = 4,
  SEGUE_CURSES_UNDERLINE = 8,
};

/// Starts curses for the terminal that TERM names, with the given size. What it would write to the terminal goes to the file
/// `output`, which is not a terminal: the caller sets the modes of the terminal. Returns NULL if terminfo does not know the
/// terminal, or if the terminal cannot move the cursor.
static inline SCREEN *segue_curses_start(int output, int rows, int columns) {
  // The first sequences set the scroll region to the whole screen. As the size of a file is unknown, curses takes it from these
  // variables.
  char number[16];
  snprintf(number, sizeof number, "%d", rows);
  setenv("LINES", number, 1);
  snprintf(number, sizeof number, "%d", columns);
  setenv("COLUMNS", number, 1);
  FILE *file = fdopen(output, "w");
  SCREEN *screen = file ? newterm(NULL, file, stdin) : NULL;
  // The programs that the interface starts have other sizes.
  unsetenv("LINES");
  unsetenv("COLUMNS");
  if (!screen) return NULL;
  const char *cursor_address = tigetstr("cup");
  if (!cursor_address || cursor_address == (const char *)-1) {
    delscreen(screen);
    return NULL;
  }
  nonl();
  // Input that is waiting does not interrupt a frame.
  typeahead(-1);
  if (has_colors() && start_color() == OK) use_default_colors();
  return screen;
}

/// Writes the sequences that end the display. `segue_curses_refresh` begins it again.
static inline void segue_curses_stop(void) { endwin(); }

/// Changes the size of the screen.
static inline void segue_curses_resize(int rows, int columns) { resizeterm(rows, columns); }

/// Returns the number of colours of the terminal, which is 0 if it has none.
static inline int segue_curses_colors(void) { return has_colors() ? COLORS : 0; }

/// Returns whether the terminal has a title that xterm's sequences set, save and restore, as a flag of terminfo states. GNU screen,
/// whose entries may have the flag, does not save the title.
static inline bool segue_curses_has_title(void) {
  const char *name = termname();
  return tigetflag("XT") > 0 && !(name && strncmp(name, "screen", 6) == 0);
}

/// The way in which curses displays a cell.
struct segue_curses_style {
  uint32_t attributes;
  int16_t pair;
};

/// Returns a style. A colour is a number below `segue_curses_colors`, or -1 for that of the terminal.
static inline struct segue_curses_style segue_curses_make_style(int emphasis, int foreground, int background) {
  attr_t attributes = 0;
  if (emphasis & SEGUE_CURSES_BOLD) attributes |= A_BOLD;
  if (emphasis & SEGUE_CURSES_DIM) attributes |= A_DIM;
  if (emphasis & SEGUE_CURSES_REVERSE) attributes |= A_REVERSE;
  if (emphasis & SEGUE_CURSES_UNDERLINE) attributes |= A_UNDERLINE;
  // Pairs of colours are created when they are needed, and found again by their colours.
  int pair = foreground < 0 && background < 0 ? 0 : alloc_pair(foreground, background);
  return (struct segue_curses_style){attributes, (int16_t)(pair < 0 ? 0 : pair)};
}

/// Puts a character with its combining characters, code points that end with 0, into a cell.
static inline void segue_curses_put(int row, int column, const uint32_t *text, struct segue_curses_style style) {
  cchar_t cell;
  // wchar_t has 32 bits and a sign that depends on the architecture.
  const wchar_t *wide = (const wchar_t *)text;
  if (setcchar(&cell, wide, style.attributes, style.pair, NULL) == OK) mvadd_wch(row, column, &cell);
}

/// Puts a character of one code point into a cell. Most cells are of this kind.
static inline void segue_curses_put_scalar(int row, int column, uint32_t scalar, struct segue_curses_style style) {
  const uint32_t text[] = {scalar, 0};
  segue_curses_put(row, column, text, style);
}

/// Places the cursor, unless the row is negative, and writes what has changed. A cursor that is not visible is placed, too:
/// screen readers and magnifiers follow it.
static inline void segue_curses_refresh(int row, int column, bool is_visible) {
  if (row >= 0) move(row, column);
  curs_set(is_visible ? 1 : 0);
  refresh();
}

/// Has the next refresh write the whole screen.
static inline void segue_curses_redraw(void) { clearok(curscr, TRUE); }

/// Has the next refresh write the cells of some rows, as if they did not show what curses has written.
static inline void segue_curses_redraw_rows(int row, int count) { wredrawln(stdscr, row, count); }

/// Sets the locale of the environment, with UTF-8 as its character set, even if it has another one or is not installed.
static inline void segue_curses_set_locale(void) {
  setlocale(LC_ALL, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
}

/// Returns the number of columns that the C library assigns to a character, or -1 if the locale has no such character.
static inline int segue_curses_width(uint32_t character) {
  char bytes[MB_LEN_MAX];
  mbstate_t state = {0};
  if (wcrtomb(bytes, (wchar_t)character, &state) == (size_t)-1) return -1;
  return wcwidth((wchar_t)character);
}
