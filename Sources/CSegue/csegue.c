#define _GNU_SOURCE
#include "CSegue.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <malloc.h>
#include <pty.h>
#include <resolv.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define SIZE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

int segue_memfd(const char *name, size_t size) {
  int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  if (ftruncate(fd, (off_t)size) < 0 || fcntl(fd, F_ADD_SEALS, SIZE_SEALS | F_SEAL_SEAL) < 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
  }
  return fd;
}

int64_t segue_memfd_sealed_size(int fd) {
  int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0) return -1;
  if ((seals & SIZE_SEALS) != SIZE_SEALS) {
    errno = EPERM;
    return -1;
  }
  struct stat status;
  if (fstat(fd, &status) < 0) return -1;
  return (int64_t)status.st_size;
}

int segue_fstat(int fd, void *status) {
#ifdef SYS_fstat
  return (int)syscall(SYS_fstat, fd, status);
#else
  return fstat(fd, status);
#endif
}

int segue_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

int segue_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

ptrdiff_t segue_send_fds(int socket, const void *bytes, size_t count, const int *fds, int fd_count) {
  if (fd_count < 0 || fd_count > SEGUE_MAX_FDS) {
    errno = EINVAL;
    return -1;
  }
  struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * SEGUE_MAX_FDS)];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (fd_count > 0) {
    message.msg_control = control.space;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)fd_count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)fd_count);
    memcpy(CMSG_DATA(header), fds, sizeof(int) * (size_t)fd_count);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ptrdiff_t segue_recv_fds(int socket, void *bytes, size_t capacity, int *fds, int *fd_count) {
  struct iovec vector = {.iov_base = bytes, .iov_len = capacity};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * SEGUE_MAX_FDS)];
  } control;
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  *fd_count = 0;
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return -1;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int i = 0; i < count; i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(header) + (size_t)i * sizeof(int), sizeof(int));
      if (*fd_count < SEGUE_MAX_FDS) fds[(*fd_count)++] = fd;
      else close(fd);
    }
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    for (int i = 0; i < *fd_count; i++) close(fds[i]);
    *fd_count = 0;
    errno = EMSGSIZE;
    return -1;
  }
  return received;
}

int segue_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

static int read_peer(int socket, struct ucred *credentials) {
  socklen_t size = sizeof *credentials;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, credentials, &size);
}

int64_t segue_peer_uid(int socket) {
  struct ucred credentials;
  return read_peer(socket, &credentials) < 0 ? -1 : (int64_t)credentials.uid;
}

int64_t segue_peer_pid(int socket) {
  struct ucred credentials;
  return read_peer(socket, &credentials) < 0 ? -1 : (int64_t)credentials.pid;
}

void segue_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

void segue_use_single_arena(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}

void segue_trim_heap(void) { malloc_trim(0); }

bool segue_is_cached(int fd, int64_t position) {
#ifdef RWF_NOWAIT
  char byte;
  struct iovec target = {&byte, 1};
  return preadv2(fd, &target, 1, position, RWF_NOWAIT) == 1;
#else
  return false;
#endif
}

bool segue_wait_semaphore(sem_t *semaphore, int64_t nanoseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  int64_t sum = end.tv_nsec + nanoseconds;
  end.tv_sec += sum / 1000000000;
  end.tv_nsec = sum % 1000000000;
  while (sem_clockwait(semaphore, CLOCK_MONOTONIC, &end) != 0)
    if (errno == ETIMEDOUT) return false;
  return true;
}

int segue_set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int segue_set_close_on_exec(int fd, int on) { return fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0); }

int segue_close_from(int first) { return (int)syscall(SYS_close_range, first, ~0u, 0); }

bool segue_is_in_memory(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 && (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}

// res_init is a macro, and resolv.h is outside the Glibc module.
int segue_read_name_servers(void) { return res_init(); }

int segue_terminal_columns(int fd) {
  struct winsize size;
  return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int segue_open_terminal(int *terminal, int *program, unsigned short rows, unsigned short columns, bool is_raw) {
  struct winsize size = {.ws_row = rows, .ws_col = columns};
  struct termios settings = {0};
  cfmakeraw(&settings);
  if (openpty(terminal, program, NULL, is_raw ? &settings : NULL, &size) < 0) return -1;
  // openpty cannot set close-on-exec.
  fcntl(*terminal, F_SETFD, FD_CLOEXEC);
  fcntl(*program, F_SETFD, FD_CLOEXEC);
  return 0;
}

int segue_set_socket_timeout(int socket, int seconds) {
  struct timeval time = {.tv_sec = seconds};
  int status = setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  return status < 0 ? -1 : setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

void segue_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
