// The terminal of a program that draws screens: its size, the signals that concern it, and its restoration.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "CSegue.h"
#include "terminal.h"

bool segue_terminal_size(int fd, int *rows, int *columns) {
  struct winsize size;
  if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0) return false;
  *rows = size.ws_row;
  *columns = size.ws_col;
  return true;
}

bool segue_terminal_cell(int fd, int *width, int *height) {
  struct winsize size;
  if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return false;
  // Some terminals count the borders of their windows, which are narrower than a cell.
  *width = size.ws_xpixel / size.ws_col;
  *height = size.ws_ypixel / size.ws_row;
  return *width > 0 && *height > 0;
}

int segue_signal_descriptor(const int *signals) {
  sigset_t set;
  sigemptyset(&set);
  for (; *signals != 0; signals++) sigaddset(&set, *signals);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int segue_next_signal(int fd) {
  struct signalfd_siginfo signal;
  ssize_t count;
  do count = read(fd, &signal, sizeof signal);
  while (count < 0 && errno == EINTR);
  return count == sizeof signal ? (int)signal.ssi_signo : 0;
}

int segue_growing_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

bool segue_is_in_foreground(int fd) {
  pid_t group = tcgetpgrp(fd);
  return group < 0 || group == getpgrp();
}

bool segue_stop_processes(int signal) {
  sigset_t set, before, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGCONT);
  sigprocmask(SIG_BLOCK, &set, &before);
  struct sigaction action = {.sa_handler = SIG_DFL}, previous;
  sigaction(signal, &action, &previous);
  kill(0, signal);
  sigemptyset(&set);
  sigaddset(&set, signal);
  // The process stops here, when the signal is no longer blocked.
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  // A stop signal discards an earlier SIGCONT: the one that is waiting has continued the process.
  bool was_stopped = sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1;
  sigaction(signal, &previous, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return was_stopped;
}

// The terminal and the settings that the guardian restores.
struct guarded {
  int terminal;
  struct termios settings;
  const char *text;
  // The memory file with the errors of the child, or -1 if these are not kept.
  int errors;
};

static void restore_terminal(const struct guarded *guarded) {
  if (!segue_is_in_foreground(guarded->terminal)) return;
  // The guardian must not be stopped if the shell takes the terminal back at this moment.
  signal(SIGTTOU, SIG_IGN);
  // The terminal may not read: its buffer must have room, so that the write does not block.
  tcflush(guarded->terminal, TCOFLUSH);
  if (write(guarded->terminal, guarded->text, strlen(guarded->text)) < 0) return;
  tcsetattr(guarded->terminal, TCSANOW, &guarded->settings);
}

static void print_errors(const struct guarded *guarded) {
  char bytes[4096];
  ssize_t count;
  for (off_t offset = 0; guarded->errors >= 0; offset += count) {
    count = pread(guarded->errors, bytes, sizeof bytes, offset);
    if (count <= 0 || write(2, bytes, (size_t)count) != count) return;
  }
}

// Ends this process by the signal that has ended the child, so that the shell reports it, but without a second core dump.
static void end_by(int number) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
}

// Waits for the end of the child, and returns its exit status.
static int wait_for(pid_t child, const sigset_t *signals, const struct guarded *guarded) {
  while (true) {
    int number, status;
    if (sigwait(signals, &number) != 0) continue;
    if (number != SIGCHLD) {
      kill(child, number);
      continue;
    }
    while (waitpid(child, &status, WNOHANG | WUNTRACED) == child) {
      if (WIFSTOPPED(status)) {
        // The other stop signals go to the whole process group.
        if (WSTOPSIG(status) != SIGSTOP) continue;
        raise(SIGSTOP);
        kill(child, SIGCONT);
      } else {
        if (WIFSIGNALED(status)) restore_terminal(guarded);
        print_errors(guarded);
        if (WIFSIGNALED(status)) end_by(WTERMSIG(status));
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      }
    }
  }
}

int segue_fork_guardian(int fd, const char *text, int *status) {
  struct guarded guarded = {.terminal = fd, .text = text, .errors = -1};
  if (tcgetattr(fd, &guarded.settings) != 0) return -1;
  if (isatty(2)) guarded.errors = memfd_create("segue-errors", MFD_CLOEXEC);
  sigset_t signals, before;
  sigemptyset(&signals);
  const int numbers[] = {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) sigaddset(&signals, numbers[index]);
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &signals, &before);
  pid_t guardian = getpid();
  pid_t child = fork();
  if (child > 0) {
    prctl(PR_SET_NAME, "segue-ui-guard");
    *status = wait_for(child, &signals, &guarded);
    return 1;
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child < 0) {
    close(guarded.errors);
    return -1;
  }
  // A handler of the Swift runtime would wait for keys.
  const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++) signal(crashes[index], SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The guardian may have ended before it was watched.
  if (getppid() != guardian) raise(SIGTERM);
  if (guarded.errors >= 0) dup2(guarded.errors, 2);
  return 0;
}
