// What a process that a file has taken over would try.
#pragma once

/// To be called before the lock-in: makes what some of the attempts are about.
void attempt_prepare(void);

/// Has the kernel refuse Landlock to this process, and to what it starts, as one does that has none. 0, or -1 with errno.
int attempt_hide_landlock(void);

/// Puts `folder` in the place of /etc, for this process and for what it starts. 0, or -1 with errno, if it may not.
int attempt_replace_etc(const char *folder);

/// Tries what `name` says. 0 if it succeeded, else errno; -1 if there is no such attempt.
int attempt(const char *name);
