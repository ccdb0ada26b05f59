// Functions for programs that draw on a terminal.
#pragma once
#include <stdbool.h>

/// Creates an empty memory file (memfd_create(2)), close-on-exec. Returns the descriptor, or -1 with errno.
int segue_growing_memfd(const char *name);
