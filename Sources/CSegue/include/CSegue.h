// What Linux offers only through macros, variadics, or headers outside the Glibc module; and what takes a struct that
// belongs to another module on another system (timeval, winsize), so that Swift cannot construct it everywhere.
#pragma once
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A sealed-size anonymous file of `size` bytes, close-on-exec. The descriptor, or -1 with errno.
int segue_memfd(const char *name, size_t size);

/// The size of a memory file whose size is sealed against change; -1 with errno EPERM if it is not sealed.
int64_t segue_memfd_sealed_size(int fd);

/// A pipe whose ends, the reading one first, are close-on-exec and non-blocking. 0, or -1 with errno.
int segue_pipe(int ends[2]);

/// A close-on-exec, non-blocking event counter. The descriptor, or -1 with errno.
int segue_eventfd(void);

/// Sends one packet with up to `SEGUE_MAX_FDS` descriptors beside it. Bytes sent, or -1 with errno.
#define SEGUE_MAX_FDS 16
ptrdiff_t segue_send_fds(int socket, const void *bytes, size_t count, const int *fds, int fd_count);

/// Receives one packet; `fds` has room for `SEGUE_MAX_FDS`, `fd_count` is set to how many came (all close-on-exec).
/// Bytes received, 0 at the end, or -1 with errno; EMSGSIZE if the packet or its descriptors did not fit.
ptrdiff_t segue_recv_fds(int socket, void *bytes, size_t capacity, int *fds, int *fd_count);

/// The next connection of a listening socket, close-on-exec and non-blocking; -1 with errno.
int segue_accept(int listener);

/// The uid of the process at the other end of a Unix socket, or -1 with errno.
int64_t segue_peer_uid(int socket);

/// The pid of that process, or of the one that listened there; -1 with errno.
int64_t segue_peer_pid(int socket);

/// Ends this process when the thread that started it ends (PR_SET_PDEATHSIG).
void segue_die_with_parent(void);

/// Keeps malloc to one arena and gives freed memory back early: the daemon is small and mostly asleep.
void segue_use_single_arena(void);

// malloc_trim(3), of all that is free.
void segue_trim_heap(void);

/// sem_clockwait(3): whether it was signalled in so many nanoseconds, however often signals came between.
bool segue_wait_semaphore(sem_t *semaphore, int64_t nanoseconds);

/// fcntl(F_SETFL) with O_NONBLOCK added. 0, or -1 with errno.
int segue_set_nonblocking(int fd);

/// fcntl(F_SETFD) with FD_CLOEXEC set or cleared. 0, or -1 with errno.
int segue_set_close_on_exec(int fd, int on);

/// Closes every descriptor from `first` on. 0, or -1 with errno (a kernel before 5.9).
int segue_close_from(int first);

/// Whether the file system at `path` is in memory; false if that cannot be told.
bool segue_is_in_memory(const char *path);

/// The terminal's width in columns, or 0 if `fd` is none.
int segue_terminal_columns(int fd);

/// Opens a pseudo-terminal of so many rows and columns, raw or with the usual settings; both descriptors are
/// close-on-exec. 0, or -1 with errno.
int segue_open_terminal(int *terminal, int *program, unsigned short rows, unsigned short columns, bool is_raw);

/// Has every send and receive of a blocking socket fail with EAGAIN after so many seconds. 0, or -1 with errno.
int segue_set_socket_timeout(int socket, int seconds);

/// Names the calling thread for tools; what goes beyond 15 bytes is cut off.
void segue_name_thread(const char *name);

/// prctl(PR_SET_NO_NEW_PRIVS): for good, here and in whatever is started from here. 0, or -1 with errno.
int segue_no_new_privileges(void);

/// The version of Landlock that the kernel has, from 1; -1 if it has none.
int segue_landlock_version(void);

/// A set of rules over these rights (LANDLOCK_ACCESS_FS_*, LANDLOCK_ACCESS_NET_*, LANDLOCK_SCOPE_*), all refused so far.
/// The descriptor, or -1 with errno.
int segue_landlock_ruleset(uint64_t files, uint64_t network, uint64_t scopes);

/// Allows `rights` to the file at `path`, or to the files beneath it. 0, or -1 with errno.
int segue_landlock_allow(int ruleset, const char *path, uint64_t rights);

/// Holds the calling thread to the rules, for good. 0, or -1 with errno.
int segue_landlock_restrict(int ruleset);

/// Has glibc read /etc/resolv.conf, which it then looks at again only once that has changed. -1 and errno.
int segue_read_name_servers(void);

/// Answers newfstatat(2) and stat(2), where a seccomp filter raises SIGSYS for them: with what fstat(2) says of the
/// descriptor that is named, or of the file, if this process may open that for reading. 0, or -1 with errno.
int segue_install_stat_handler(void);

/// Keeps what stat(2) says of `path`, to answer with should the file not be opened then. One path at most. 0, or -1.
int segue_cache_stat(const char *path);
