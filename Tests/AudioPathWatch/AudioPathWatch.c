// A library that is preloaded into `segued`. It counts the calls of the write callback that allocate or may block.
//
// Calls are counted while the callback runs, except those that libpulse makes when the callback calls it. After every
// callback, a line is appended to the file that AUDIO_PATH_WATCH names. It contains the bytes written to the stream and
// the numbers of allocations, releases, locks and waits.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pulse/stream.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The symbolizer of a sanitizer, which segued may start, does not load this library.
__attribute__((constructor)) static void leave_environment(void) { unsetenv("LD_PRELOAD"); }

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

// 1 while this thread runs the callback and is not inside libpulse, otherwise 0.
static __thread int watched;
static __thread unsigned long bytes, allocations, releases, locks, waits;

static pa_stream_request_cb_t callback;
static int report = -1;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void trampoline(pa_stream *stream, size_t wanted, void *context) {
  bytes = allocations = releases = locks = waits = 0;
  watched = 1;
  callback(stream, wanted, context);
  watched = 0;
  dprintf(report, "%lu %lu %lu %lu %lu\n", bytes, allocations, releases, locks, waits);
}

void pa_stream_set_write_callback(pa_stream *stream, pa_stream_request_cb_t wanted, void *context) {
  if (report < 0) {
    const char *path = getenv("AUDIO_PATH_WATCH");
    report = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  }
  // All streams of the daemon have the same callback.
  if (wanted) callback = wanted;
  NEXT(pa_stream_set_write_callback)(stream, wanted ? trampoline : NULL, context);
}

// Functions of libpulse that the callback calls. Their own calls are not counted.
#define LIBPULSE(type, name, parameters, arguments)                                                                    \
  type name parameters {                                                                                               \
    const int before = watched;                                                                                        \
    watched = 0;                                                                                                       \
    type result = NEXT(name) arguments;                                                                                \
    watched = before;                                                                                                  \
    return result;                                                                                                     \
  }

LIBPULSE(int, pa_stream_begin_write, (pa_stream * stream, void **data, size_t *count), (stream, data, count))
LIBPULSE(size_t, pa_stream_writable_size, (const pa_stream *stream), (stream))
LIBPULSE(pa_stream_state_t, pa_stream_get_state, (const pa_stream *stream), (stream))
LIBPULSE(const pa_timing_info *, pa_stream_get_timing_info, (pa_stream * stream), (stream))
LIBPULSE(
    pa_operation *, pa_stream_update_timing_info, (pa_stream * stream, pa_stream_success_cb_t then, void *context),
    (stream, then, context))

int pa_stream_write(
    pa_stream *stream, const void *data, size_t count, pa_free_cb_t release, int64_t offset, pa_seek_mode_t seek) {
  const int before = watched;
  watched = 0;
  const int result = NEXT(pa_stream_write)(stream, data, count, release, offset, seek);
  watched = before;
  bytes += count;
  return result;
}

void pa_operation_unref(pa_operation *operation) {
  const int before = watched;
  watched = 0;
  NEXT(pa_operation_unref)(operation);
  watched = before;
}

void *malloc(size_t size) {
  allocations += watched;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations += watched;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  allocations += watched;
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations += watched;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size) {
  allocations += watched;
  *made = __libc_memalign(alignment, size);
  return *made ? 0 : 12;
}

void free(void *memory) {
  releases += watched && memory;
  __libc_free(memory);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  locks += watched;
  return NEXT(pthread_mutex_lock)(mutex);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  waits += watched;
  return NEXT(pthread_cond_wait)(condition, mutex);
}

int sem_wait(sem_t *semaphore) {
  waits += watched;
  return NEXT(sem_wait)(semaphore);
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
  waits += watched;
  return NEXT(poll)(descriptors, count, timeout);
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
  waits += watched;
  return NEXT(nanosleep)(time, rest);
}

// Swift's `Mutex` uses futex(2) directly and not pthread_mutex_lock(3).
long syscall(long number, ...) {
  locks += watched && number == SYS_futex;
  va_list list;
  va_start(list, number);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  return NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
