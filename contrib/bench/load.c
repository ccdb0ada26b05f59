// Asks a line protocol on a Unix socket the same thing again and again, and says how long that took.
//
//   load SOCKET REQUEST END COUNT DEPTH CONNECTIONS GREETING
//
// REQUEST is sent as it is. END, which ends with a newline, is what an answer ends with. COUNT answers are waited for
// in all; each of CONNECTIONS keeps DEPTH requests under way. GREETING lines are read first. Prints, as JSON: the
// answers a second, the bytes of an answer, and, where one request at a time was sent, the median and the 99th
// percentile of its time in microseconds.
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_END = 32, READ_SIZE = 1 << 18 };

struct connection {
  int socket;
  size_t kept;              // how much of `tail` is in use
  char tail[LONGEST_END];   // the last bytes read: an END may straddle two reads
};

static const char *request, *end;
static size_t request_size, end_size;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static int reach(const char *path, int greeting) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) err(1, "%s", path);
  for (char byte; greeting > 0;) {
    if (read(fd, &byte, 1) != 1) errx(1, "%s: no greeting", path);
    if (byte == '\n') greeting--;
  }
  return fd;
}

// What is under way on a connection fits its socket's buffer, so a blocking write does not wait for the reader.
static void ask(int socket, long times) {
  static char batch[1 << 16];
  size_t size = 0;
  for (; times > 0 && size + request_size <= sizeof batch; times--, size += request_size)
    memcpy(batch + size, request, request_size);
  if (write(socket, batch, size) != (ssize_t)size) err(1, "write");
}

// Reads what is there; how many answers it ends.
static long take(struct connection *from, long *bytes) {
  static char buffer[LONGEST_END + READ_SIZE];
  memcpy(buffer, from->tail, from->kept);
  ssize_t got = read(from->socket, buffer + from->kept, READ_SIZE);
  if (got <= 0) errx(1, "the server hung up");
  *bytes += got;
  char *limit = buffer + from->kept + got;
  long answers = 0;
  for (char *at = buffer + from->kept; (at = memchr(at, '\n', limit - at)); ) {
    at++;
    if ((size_t)(at - buffer) >= end_size && !memcmp(at - end_size, end, end_size)) answers++;
  }
  size_t all = limit - buffer;
  from->kept = all < end_size - 1 ? all : end_size - 1;
  memcpy(from->tail, limit - from->kept, from->kept);
  return answers;
}

static int by_size(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

static void one_at_a_time(struct connection *with, long count) {
  double *times = calloc(count, sizeof *times), begin = now();
  long bytes = 0;
  for (long i = 0; i < count; i++) {
    double sent = now();
    ask(with->socket, 1);
    while (take(with, &bytes) == 0) {}
    times[i] = now() - sent;
  }
  double seconds = now() - begin;
  qsort(times, count, sizeof *times, by_size);
  printf("{\"rate\": %.0f, \"bytes\": %ld, \"median\": %.2f, \"p99\": %.2f}\n", count / seconds, bytes / count,
         times[count / 2] * 1e6, times[count * 99 / 100] * 1e6);
}

static void many(struct connection *all, int connections, long count, long depth) {
  int poll = epoll_create1(0);
  for (int i = 0; i < connections; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].socket, &event) < 0) err(1, "epoll_ctl");
  }
  double begin = now();
  long asked = connections * depth, answered = 0, bytes = 0;
  for (int i = 0; i < connections; i++) ask(all[i].socket, depth);
  while (answered < count) {
    struct epoll_event ready[256];
    int found = epoll_wait(poll, ready, 256, 10000);
    if (found <= 0) errx(1, "no answer within ten seconds, after %ld", answered);
    for (int i = 0; i < found; i++) {
      long answers = take(ready[i].data.ptr, &bytes);
      long again = asked + answers > count ? count - asked : answers;
      answered += answers;
      if (again > 0) ask(((struct connection *)ready[i].data.ptr)->socket, again);
      asked += again > 0 ? again : 0;
    }
  }
  printf("{\"rate\": %.0f, \"bytes\": %ld}\n", count / (now() - begin), bytes / count);
}

int main(int arguments, char **words) {
  if (arguments != 8) errx(2, "usage: load SOCKET REQUEST END COUNT DEPTH CONNECTIONS GREETING");
  request = words[2], end = words[3];
  request_size = strlen(request), end_size = strlen(end);
  long count = atol(words[4]), depth = atol(words[5]);
  int connections = atoi(words[6]), greeting = atoi(words[7]);
  if (end_size < 1 || end_size > LONGEST_END) errx(2, "END is 1 to %d bytes", LONGEST_END);
  if (depth * request_size > 1 << 16 || count < depth * connections) errx(2, "COUNT too small or DEPTH too large");
  struct connection *all = calloc(connections, sizeof *all);
  for (int i = 0; i < connections; i++) all[i].socket = reach(words[1], greeting);
  if (connections == 1 && depth == 1)
    one_at_a_time(all, count);
  else
    many(all, connections, count, depth);
}
