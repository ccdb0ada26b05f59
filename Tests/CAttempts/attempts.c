#define _GNU_SOURCE
#include "CAttempts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <resolv.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int event_counter = -1;
static void *page;
static struct in_addr name_server;

// Returns the first name server of /etc/resolv.conf, read without the resolver; 0.0.0.0 if none has an IPv4 address.
static struct in_addr first_name_server(void) {
  struct in_addr found = {0};
  char line[256], address[64];
  FILE *file = fopen("/etc/resolv.conf", "re");
  if (file == NULL) return found;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "nameserver %63s", address) == 1 && inet_aton(address, &found)) break;
  fclose(file);
  return found;
}

static const char *const query_after_replacement = "query the name server after its file was replaced";

// Starts a process outside the sandbox that replaces /etc/resolv.conf when event_counter is set.
static void start_replacement(void) {
  if (fork() != 0) return;
  struct pollfd counter = {event_counter, POLLIN, 0};
  poll(&counter, 1, 10000);
  rename("/etc/resolv.conf.new", "/etc/resolv.conf");
  _exit(0);
}

void attempt_prepare(const char *name) {
  name_server = first_name_server();
  // This is the descriptor of a worker's socket. The sandbox closes all other descriptors.
  event_counter = dup2(eventfd(0, EFD_NONBLOCK), 3);
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!strcmp(name, query_after_replacement)) start_replacement();
}

static int try_open(const char *path, int flags) {
  int fd = open(path, flags, 0600);
  if (fd >= 0) close(fd);
  return fd;
}

// Calls newfstatat(2) directly, because glibc may implement stat(3), lstat(3) and fstat(3) with other system calls.
static int try_status(int folder, const char *path, int flags) {
  struct stat status;
  return (int)syscall(SYS_newfstatat, folder, path, &status, flags);
}

// Calls stat(2), the oldest of these system calls, on architectures that have it.
static int try_old_status(const char *path) {
#ifdef SYS_stat
  struct stat status;
  return (int)syscall(SYS_stat, path, &status);
#else
  return try_status(AT_FDCWD, path, 0);
#endif
}

static int try_new_status(const char *path) {
  struct statx status;
  return (int)syscall(SYS_statx, AT_FDCWD, path, 0, STATX_BASIC_STATS, &status);
}

static int try_own_status(void) {
  struct stat status;
  return fstat(event_counter, &status);
}

static int try_create(void) {
  char path[64] = "/tmp/segue-sandbox-XXXXXX";
  int fd = mkstemp(path);
  if (fd >= 0) unlink(path);
  return fd;
}

static int try_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child < 0 ? -1 : waitpid(child, NULL, 0) == child ? 0 : -1;
}

static void *idle(void *context) { return context; }

static int try_thread(void) {
  pthread_t thread;
  errno = pthread_create(&thread, NULL, idle, NULL);
  return errno != 0 ? -1 : (pthread_join(thread, NULL), 0);
}

static int try_bind(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  return fd < 0 ? fd : bind(fd, (struct sockaddr *)&address, sizeof address);
}

static int try_map(size_t size, int protection) {
  return mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}

static int try_limits(void) {
  struct rlimit limit = {1024, 1024};
  return setrlimit(RLIMIT_NOFILE, &limit);
}

static int try_read_process(void) {
  char there = 1, here = 0;
  struct iovec local = {&here, 1}, remote = {&there, 1};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1 ? 0 : -1;
}

// Succeeds if the resolver queries the name server of the system. If it cannot read /etc/resolv.conf, it queries this
// machine instead.
static int try_name(void) {
  struct addrinfo hints = {.ai_family = AF_INET}, *found = NULL;
  setenv("RES_OPTIONS", "timeout:1 attempts:1", 1);
  if (getaddrinfo("segue.invalid.", NULL, &hints, &found) == 0) freeaddrinfo(found);
  errno = ENOENT;
  return _res.nscount > 0 && _res.nsaddr_list[0].sin_addr.s_addr == name_server.s_addr ? 0 : -1;
}

// Waits until another process has replaced /etc/resolv.conf by a file that cannot be read, and then does what try_name does.
static int try_name_after_replacement(void) {
  if (eventfd_write(event_counter, 1) != 0) return -1;
  for (int attempts = 0; try_open("/etc/resolv.conf", O_RDONLY) >= 0; attempts++) {
    if (attempts == 10000) return -1;
    poll(NULL, 0, 1);
  }
  return try_name();
}

static int result_of(const char *name) {
  if (!strcmp(name, "read a file")) return try_open("/etc/passwd", O_RDONLY);
  if (!strcmp(name, "read /etc/hosts")) return try_open("/etc/hosts", O_RDONLY);
  if (!strcmp(name, "write to a device")) return try_open("/dev/null", O_WRONLY);
  if (!strcmp(name, "open a folder")) return try_open("/etc", O_RDONLY | O_DIRECTORY);
  if (!strcmp(name, "reopen its executable")) return try_open("/proc/self/exe", O_RDONLY);
  if (!strcmp(name, "stat a file")) return try_status(AT_FDCWD, "/etc/passwd", 0);
  if (!strcmp(name, "stat a file with AT_EMPTY_PATH")) return try_status(AT_FDCWD, "/etc/passwd", AT_EMPTY_PATH);
  if (!strcmp(name, "stat a file with stat(2)")) return try_old_status("/etc/passwd");
  if (!strcmp(name, "stat a file with statx(2)")) return try_new_status("/etc/passwd");
  if (!strcmp(name, "check the access to a file")) return (int)syscall(SYS_faccessat, AT_FDCWD, "/etc/passwd", R_OK);
  if (!strcmp(name, "stat /etc/hosts")) return try_status(AT_FDCWD, "/etc/hosts", 0);
  if (!strcmp(name, "stat a descriptor with fstat(3)")) return try_own_status();
  if (!strcmp(name, "stat a descriptor with newfstatat(2)")) return try_status(event_counter, "", AT_EMPTY_PATH);
  if (!strcmp(name, "read a certificate")) return try_open("/etc/pki/tls/certs/ca-bundle.crt", O_RDONLY);
  if (!strcmp(name, "read a key in /etc/pki")) return try_open("/etc/pki/tls/private/localhost.key", O_RDONLY);
  if (!strcmp(name, "read a key in /etc/ssl")) return try_open("/etc/ssl/private/localhost.key", O_RDONLY);
  if (!strcmp(name, "create a file")) return try_create();
  if (!strcmp(name, "rename a file")) return rename("/", "/") == 0 || errno == EBUSY ? 0 : -1;
  if (!strcmp(name, "run a program")) return execl("/bin/true", "true", (char *)NULL);
  if (!strcmp(name, "fork")) return try_fork();
  if (!strcmp(name, "start a thread")) return try_thread();
  if (!strcmp(name, "open a TCP socket")) return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!strcmp(name, "pair datagram sockets")) return socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){-1, -1});
  if (!strcmp(name, "open a Unix socket")) return socket(AF_UNIX, SOCK_STREAM, 0);
  if (!strcmp(name, "open a netlink socket")) return socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  if (!strcmp(name, "query the name server")) return try_name();
  if (!strcmp(name, query_after_replacement)) return try_name_after_replacement();
  if (!strcmp(name, "bind a TCP port")) return try_bind();
  if (!strcmp(name, "request to be traced")) return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  if (!strcmp(name, "read process memory")) return try_read_process();
  if (!strcmp(name, "signal the daemon")) return kill(getppid(), 0);
  if (!strcmp(name, "signal a thread of the daemon")) return (int)syscall(SYS_tgkill, getppid(), getppid(), 0);
  if (!strcmp(name, "signal itself")) return (int)syscall(SYS_tgkill, getpid(), getpid(), 0);
  if (!strcmp(name, "make an eventfd blocking")) return fcntl(event_counter, F_SETFL, 0);
  if (!strcmp(name, "make an eventfd nonblocking")) return fcntl(event_counter, F_SETFL, O_NONBLOCK);
  if (!strcmp(name, "make an eventfd send signals")) return fcntl(event_counter, F_SETFL, O_NONBLOCK | O_ASYNC);
  if (!strcmp(name, "make an eventfd append")) return fcntl(event_counter, F_SETFL, O_NONBLOCK | O_APPEND);
  if (!strcmp(name, "make the daemon own an eventfd")) return fcntl(event_counter, F_SETOWN, getppid());
  if (!strcmp(name, "remove the parent-death signal")) return prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
  if (!strcmp(name, "load a seccomp filter"))
    return prctl(PR_SET_SECCOMP, 2, NULL, 0, 0) == 0 || errno == EFAULT ? 0 : -1;
  if (!strcmp(name, "map executable memory")) return try_map(4096, PROT_READ | PROT_EXEC);
  if (!strcmp(name, "make memory executable")) return mprotect(page, 4096, PROT_READ | PROT_EXEC);
  if (!strcmp(name, "map memory")) return try_map(1 << 20, PROT_READ | PROT_WRITE);
  if (!strcmp(name, "map a gigabyte")) return try_map(1 << 30, PROT_READ | PROT_WRITE);
  if (!strcmp(name, "create a memory file")) return memfd_create("x", 0);
  if (!strcmp(name, "change a resource limit")) return try_limits();
  errno = -1;
  return -1;
}

int attempt_hide_landlock(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      // landlock_create_ruleset has this number on every architecture.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int attempt_replace_etc(const char *folder) {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return -1;
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -1;
  return mount(folder, "/etc", NULL, MS_BIND, NULL);
}

int attempt(const char *name) { return result_of(name) >= 0 ? 0 : errno; }

int attempt_replace_network(void) { return unshare(CLONE_NEWNET | CLONE_NEWNS); }
