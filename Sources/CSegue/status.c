// Stands in for the system calls that tell of a file by its path. A filter sees the address of a path and not the path:
// it can only allow newfstatat(2) for every file or for none, and before 2.39 glibc makes fstat(3) of it. So the filter
// (SegueSandbox) refuses these calls by raising SIGSYS, and the handler answers with the status of a descriptor: the one
// that was named, or one of the file, if that may be opened. The handler has no right that its process lacks.
#define _GNU_SOURCE
#include "CSegue.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static struct {
  char path[64];
  struct stat status;
  bool is_known;
} kept;

int segue_cache_stat(const char *path) {
  if (strlen(path) >= sizeof kept.path || stat(path, &kept.status) != 0) return -1;
  strcpy(kept.path, path);
  kept.is_known = true;
  return 0;
}

#if defined(__x86_64__) || defined(__aarch64__)

// fstat(2) itself. 0, or a negated errno, as the kernel returns them.
static long status_of_descriptor(int fd, struct stat *status) {
  return syscall(SYS_fstat, fd, status) == 0 ? 0 : -errno;
}

static long status_of_path(int folder, const char *path, struct stat *status, int flags) {
  if (path == NULL) return -EFAULT;
  if (*path == 0 && flags & AT_EMPTY_PATH) return status_of_descriptor(folder, status);
  int links = flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0;
  int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | links);
  if (fd < 0) {
    if (!kept.is_known || strcmp(path, kept.path) != 0) return -errno;
    *status = kept.status;
    return 0;
  }
  long result = status_of_descriptor(fd, status);
  close(fd);
  return result;
}

// Async-signal-safe: it calls the kernel and strcmp(3) only.
static void answer(int number, siginfo_t *information, void *context) {
  // SYS_SECCOMP, which glibc's headers lack. Any other SIGSYS was sent by somebody.
  if (information->si_code != 1) {
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  int saved = errno;
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#ifdef __x86_64__
  greg_t *registers = machine->gregs;
  const int result = REG_RAX, arguments[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10};
#else
  unsigned long long *registers = machine->regs;
  const int result = 0, arguments[] = {0, 1, 2, 3};
#endif
  long answered = -EPERM;
  switch (information->si_syscall) {
  case SYS_newfstatat:
    answered = status_of_path(
        (int)registers[arguments[0]], (const char *)registers[arguments[1]], (struct stat *)registers[arguments[2]],
        (int)registers[arguments[3]]);
    break;
#ifdef SYS_stat
  case SYS_stat:
    answered = status_of_path(AT_FDCWD, (const char *)registers[arguments[0]], (struct stat *)registers[arguments[1]], 0);
    break;
#endif
  }
  registers[result] = answered;
  errno = saved;
}

int segue_install_stat_handler(void) {
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
  return sigaction(SIGSYS, &action, NULL);
}

#else

int segue_install_stat_handler(void) {
  errno = ENOSYS;
  return -1;
}

#endif
