// Functions for programs that draw on a terminal.
#pragma once
#include <stdbool.h>

/// Creates an empty memory file (memfd_create(2)), close-on-exec. Returns the descriptor, or -1 with errno.
int segue_growing_memfd(const char *name);

/// Returns whether the process group of this process is in the foreground of the terminal `fd`, or `fd` is not its controlling
/// terminal.
bool segue_is_in_foreground(int fd);

/// Stops the processes of this process group as SIGTSTP, SIGTTIN or SIGTTOU does, until SIGCONT, although the signal may be
/// blocked. Returns false, at once, if no shell could continue them. If SIGCONT is blocked, it is waiting afterwards.
bool segue_stop_processes(int signal);

/// Divides this process in two, as fork(2) does; it must have only one thread. In the new process, returns 0. The original one
/// becomes its guardian: it passes SIGTERM, SIGHUP, SIGINT and SIGQUIT on, and waits for its end. If a signal ends the new
/// process, the guardian restores the settings that the terminal `fd` has now, writes `text` to it, and ends by the same signal.
/// Otherwise it returns 1 and sets the exit status of the new process. If standard error is a terminal, what the new process
/// writes there is printed after its end. Signals of crashes end it without a handler. Returns -1 with errno on failure.
int segue_fork_guardian(int fd, const char *text, int *status);
