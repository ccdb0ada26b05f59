// The least a server on a Unix socket can do: gives back what it reads. What is left of a player's time for an answer
// after this one's is the player's own.  echo SOCKET
#include <err.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int arguments, char **words) {
  if (arguments != 2) errx(2, "usage: echo SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", words[1]);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), poll = epoll_create1(0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 256) < 0)
    err(1, "%s", words[1]);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  if (epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event) < 0) err(1, "epoll_ctl");
  for (;;) {
    static char buffer[1 << 16];
    struct epoll_event ready[256];
    int found = epoll_wait(poll, ready, 256, -1);
    for (int i = 0; i < found; i++) {
      int fd = ready[i].data.fd;
      if (fd == listener) {
        event.data.fd = accept(listener, NULL, NULL);
        epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
        continue;
      }
      ssize_t got = read(fd, buffer, sizeof buffer);
      if (got <= 0 || write(fd, buffer, got) != got) close(fd);
    }
  }
}
