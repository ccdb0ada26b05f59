// Functions for the parts of Linux that Swift cannot use: macros, variadic functions, headers outside the Glibc module,
// and structs that belong to different modules on different systems (timeval, winsize).
#pragma once
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Creates an anonymous file of `size` bytes whose size is sealed, close-on-exec. Returns the descriptor, or -1 with errno.
int segue_memfd(const char *name, size_t size);

/// Returns the size of a memory file; -1 with errno EPERM if its size is not sealed.
int64_t segue_memfd_sealed_size(int fd);

/// Creates a pipe whose ends, the reading end first, are close-on-exec and non-blocking. Returns 0, or -1 with errno.
int segue_pipe(int ends[2]);

/// Creates a close-on-exec, non-blocking eventfd. Returns the descriptor, or -1 with errno.
int segue_eventfd(void);

/// Sends one packet with up to `SEGUE_MAX_FDS` descriptors. Returns the number of bytes sent, or -1 with errno.
#define SEGUE_MAX_FDS 16
ptrdiff_t segue_send_fds(int socket, const void *bytes, size_t count, const int *fds, int fd_count);

/// Receives one packet. `fds` has room for `SEGUE_MAX_FDS` descriptors; `fd_count` is set to the number received, all
/// close-on-exec. Returns the number of bytes, 0 at the end, or -1 with errno: EMSGSIZE if the packet or its descriptors
/// did not fit.
ptrdiff_t segue_recv_fds(int socket, void *bytes, size_t capacity, int *fds, int *fd_count);

/// Accepts a connection, which is close-on-exec and non-blocking. Returns the descriptor, or -1 with errno.
int segue_accept(int listener);

/// Returns the uid of the process at the other end of a Unix socket, or -1 with errno.
int64_t segue_peer_uid(int socket);

/// Returns the pid of that process, or of the process that began to listen; -1 with errno.
int64_t segue_peer_pid(int socket);

/// Has the kernel kill this process when the thread that started it ends (PR_SET_PDEATHSIG).
void segue_die_with_parent(void);

/// Limits malloc to one arena that returns freed memory to the system early.
void segue_use_single_arena(void);

/// Returns all freed memory to the system (malloc_trim(3)).
void segue_trim_heap(void);

/// Returns whether the byte of the file at `position` is in the page cache. False if the file system does not tell
/// (preadv2(2), RWF_NOWAIT).
bool segue_is_cached(int fd, int64_t position);

/// Waits for the semaphore for at most `nanoseconds`, however many signals interrupt it (sem_clockwait(3)). Returns whether
/// it was posted.
bool segue_wait_semaphore(sem_t *semaphore, int64_t nanoseconds);

/// Adds O_NONBLOCK to the flags of the descriptor. Returns 0, or -1 with errno.
int segue_set_nonblocking(int fd);

/// Sets or clears FD_CLOEXEC. Returns 0, or -1 with errno.
int segue_set_close_on_exec(int fd, int on);

/// Closes every descriptor from `first` on. Returns 0, or -1 with errno on kernels before 5.9.
int segue_close_from(int first);

/// Returns whether the file system at `path` is in memory; false if that is unknown.
bool segue_is_in_memory(const char *path);

/// Returns the width of the terminal in columns, or 0 if `fd` is not a terminal.
int segue_terminal_columns(int fd);

/// Opens a pseudo-terminal of the given size, in raw mode or with the default settings. Both descriptors are close-on-exec.
/// Returns 0, or -1 with errno.
int segue_open_terminal(int *terminal, int *program, unsigned short rows, unsigned short columns, bool is_raw);

/// Lets every send and receive of a blocking socket fail with EAGAIN after `seconds`. Returns 0, or -1 with errno.
int segue_set_socket_timeout(int socket, int seconds);

/// Names the calling thread for tools. The name is cut to 15 bytes.
void segue_name_thread(const char *name);

/// Prevents this process and its children from gaining privileges, permanently (PR_SET_NO_NEW_PRIVS). Returns 0, or -1
/// with errno.
int segue_no_new_privileges(void);

/// Returns the Landlock version of the kernel, from 1; -1 if it has none.
int segue_landlock_version(void);

/// Creates a ruleset that denies these rights (LANDLOCK_ACCESS_FS_*, LANDLOCK_ACCESS_NET_*, LANDLOCK_SCOPE_*) unless a rule
/// allows them. Returns the descriptor, or -1 with errno.
int segue_landlock_ruleset(uint64_t files, uint64_t network, uint64_t scopes);

/// Allows `rights` for the file at `path`, or for the files beneath it. Returns 0, or -1 with errno.
int segue_landlock_allow(int ruleset, const char *path, uint64_t rights);

/// Enforces the ruleset on the calling thread, permanently. Returns 0, or -1 with errno.
int segue_landlock_restrict(int ruleset);

/// Lets glibc read /etc/resolv.conf, which it reads again only after a change. Returns -1 with errno on failure.
int segue_read_name_servers(void);

/// Calls fstat(2), which the filters of the sandboxed processes allow. The function of glibc before 2.39 makes another call, which is
/// emulated, and takes ten times as long. `status` is a struct stat. Returns 0, or -1 with errno.
int segue_fstat(int fd, void *status);

/// Installs a handler of SIGSYS that emulates newfstatat(2) and stat(2), for which a seccomp filter raises this signal. They
/// return the status of the descriptor, or of the file if this process may open it for reading. Returns 0, or -1 with errno.
int segue_install_stat_handler(void);

/// Caches the status of the file at `path`, which the handler returns if the file cannot be opened. At most one path.
/// Returns 0, or -1.
int segue_cache_stat(const char *path);

/// Sets the numbers of rows and columns of the terminal, which may be 0. Returns false if `fd` is not a terminal.
bool segue_terminal_size(int fd, int *rows, int *columns);

/// Sets the width and the height of a cell in pixels. Returns false if `fd` is not a terminal, or if the kernel does not know
/// the size of its window.
bool segue_terminal_cell(int fd, int *width, int *height);

/// Blocks the signals in `signals`, which ends with 0, and creates a close-on-exec, non-blocking descriptor from which they are
/// read (signalfd(2)). Returns the descriptor, or -1 with errno.
int segue_signal_descriptor(const int *signals);

/// Returns the next signal of that descriptor, or 0 if there is none.
int segue_next_signal(int fd);
