// The terminal of a program that draws screens: its size, the signals that concern it, and its restoration.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
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

void segue_stop_process_group(void) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGTSTP);
  struct sigaction action = {.sa_handler = SIG_DFL}, previous;
  sigaction(SIGTSTP, &action, &previous);
  kill(0, SIGTSTP);
  // The process stops here, when the signal is no longer blocked.
  sigprocmask(SIG_UNBLOCK, &set, &before);
  sigprocmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGTSTP, &previous, NULL);
}

// The guarded terminal. It is written before the handlers are installed, and only read afterwards.
static int guarded = -1;
static struct termios settings;
static char restoring_text[256];

void segue_restore_terminal(void) {
  if (guarded >= 0) tcsetattr(guarded, TCSANOW, &settings);
}

static void crash(int number) {
  int before = errno;
  if (write(guarded, restoring_text, strlen(restoring_text)) < 0) errno = before;
  segue_restore_terminal();
  // The handler was removed when it was called: the signal now ends the process.
  raise(number);
}

int segue_guard_terminal(int fd, const char *text) {
  if (tcgetattr(fd, &settings) != 0) return -1;
  strncpy(restoring_text, text, sizeof restoring_text - 1);
  guarded = fd;
  struct sigaction action = {.sa_handler = crash, .sa_flags = SA_RESETHAND | SA_NODEFER};
  const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++) sigaction(crashes[index], &action, NULL);
  return 0;
}
