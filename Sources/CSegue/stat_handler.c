// An emulation of the system calls that return the status of a file by its path. A seccomp filter sees the address of a path
// and not the path, so that it could allow newfstatat(2) only for all files or for none; and before 2.39, glibc implements
// fstat(3) by it. The filter (SegueSandbox) therefore traps these calls by SIGSYS, and the handler returns the status of a
// descriptor: the one in the call, or one of the file if it can be opened. The handler has no right that its process lacks.
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
} cached;

int segue_cache_stat(const char *path) {
  if (strlen(path) >= sizeof cached.path || stat(path, &cached.status) != 0) return -1;
  strcpy(cached.path, path);
  cached.is_known = true;
  return 0;
}

#if defined(__x86_64__) || defined(__aarch64__)

// The system call fstat(2). Returns 0 or a negated errno, as the kernel does.
static long status_of_descriptor(int fd, struct stat *status) {
  return syscall(SYS_fstat, fd, status) == 0 ? 0 : -errno;
}

static long status_of_path(int folder, const char *path, struct stat *status, int flags) {
  if (path == NULL) return -EFAULT;
  if (*path == 0 && flags & AT_EMPTY_PATH) return status_of_descriptor(folder, status);
  int links = flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0;
  int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | links);
  if (fd < 0) {
    if (!cached.is_known || strcmp(path, cached.path) != 0) return -errno;
    *status = cached.status;
    return 0;
  }
  long result = status_of_descriptor(fd, status);
  close(fd);
  return result;
}

// Async-signal-safe: it calls only the kernel and strcmp(3).
static void emulate_call(int number, siginfo_t *information, void *context) {
  // 1 is SYS_SECCOMP, which glibc's headers lack. Another code means that a process sent the signal.
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
  long returned = -EPERM;
  switch (information->si_syscall) {
  case SYS_newfstatat:
    returned = status_of_path(
        (int)registers[arguments[0]], (const char *)registers[arguments[1]], (struct stat *)registers[arguments[2]],
        (int)registers[arguments[3]]);
    break;
#ifdef SYS_stat
  case SYS_stat:
    returned = status_of_path(AT_FDCWD, (const char *)registers[arguments[0]], (struct stat *)registers[arguments[1]], 0);
    break;
#endif
  }
  registers[result] = returned;
  errno = saved;
}

int segue_install_stat_handler(void) {
  struct sigaction action = {.sa_sigaction = emulate_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  return sigaction(SIGSYS, &action, NULL);
}

#else

int segue_install_stat_handler(void) {
  errno = ENOSYS;
  return -1;
}

#endif
