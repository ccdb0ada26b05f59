// Actions that a worker might attempt after a hostile file has taken control of it.
#pragma once

/// Creates the objects that the action called `name` needs. It must be called before the process enters the sandbox.
void attempt_prepare(const char *name);

/// Makes the kernel reject Landlock for this process and its children, as a kernel without Landlock does. Returns 0, or
/// -1 with errno.
int attempt_hide_landlock(void);

/// Mounts `folder` over /etc for this process and its children. Returns 0, or -1 with errno if that is not permitted.
int attempt_replace_etc(const char *folder);

/// Moves the calling thread into a network without any connection, and gives it its own mounts. The processes that it
/// starts are in this network too. Returns 0, or -1 with errno if that is not permitted.
int attempt_replace_network(void);

/// Attempts the action called `name`. Returns 0 if it succeeded, otherwise its errno; -1 if there is no such action.
int attempt(const char *name);
