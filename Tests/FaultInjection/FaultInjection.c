// A library that is preloaded into `segued`.
//
// LATER_CLOCK is a number of seconds, which is added to the clock of the calendar.
// FAILING_READS is "NAME FIRST COUNT": of the reads from files whose paths end with NAME, COUNT fail with EIO, beginning with number
// FIRST, which is 0 for the first. Only SQLite reads with pread(2).
// SLOW_WRITES is a number of milliseconds, for which every write of SQLite waits.
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The programs that segued starts do not load this library. One of them is the symbolizer of a sanitizer, which ends if it loads
// a library that was built for the sanitizer. The suppressions of reports by the names of functions need it.
__attribute__((constructor)) static void leave_environment(void) { unsetenv("LD_PRELOAD"); }

int clock_gettime(clockid_t clock, struct timespec *now) {
  const int result = (int)syscall(SYS_clock_gettime, clock, now);
  const char *later = getenv("LATER_CLOCK");
  if (result == 0 && clock == CLOCK_REALTIME && later) now->tv_sec += atoll(later);
  return result;
}

static atomic_long reads;

static int fails(int file) {
  const char *failing = getenv("FAILING_READS");
  char name[64], link[64], path[4096];
  long first, count;
  if (!failing || sscanf(failing, "%63s %ld %ld", name, &first, &count) != 3) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  const size_t end = strlen(name);
  if (length < (ssize_t)end || memcmp(path + length - end, name, end)) return 0;
  const long number = reads++;
  return number >= first && number - first < count;
}

ssize_t pread64(int file, void *buffer, size_t size, off64_t offset) {
  if (fails(file)) {
    errno = EIO;
    return -1;
  }
  return syscall(SYS_pread64, file, buffer, size, offset);
}

ssize_t pwrite64(int file, const void *buffer, size_t size, off64_t offset) {
  const char *slow = getenv("SLOW_WRITES");
  if (slow) usleep((useconds_t)atoi(slow) * 1000);
  return syscall(SYS_pwrite64, file, buffer, size, offset);
}
