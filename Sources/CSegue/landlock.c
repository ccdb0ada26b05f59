// System calls of Landlock: glibc has no wrappers, and the headers of a distribution may be older than its kernel.
#define _GNU_SOURCE
#include "CSegue.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers of the system calls, which are equal on all architectures.
#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446

#define VERSION 1u
#define PATH_BENEATH 1

// struct landlock_ruleset_attr as of version 6. An older kernel accepts it if the unknown members are 0.
struct ruleset {
  uint64_t files, network, scopes;
};

struct path_beneath {
  uint64_t rights;
  int32_t parent;
} __attribute__((packed));

int segue_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int segue_landlock_version(void) { return (int)syscall(CREATE_RULESET, NULL, 0, VERSION); }

int segue_landlock_ruleset(uint64_t files, uint64_t network, uint64_t scopes) {
  struct ruleset ruleset = {files, network, scopes};
  return (int)syscall(CREATE_RULESET, &ruleset, sizeof ruleset, 0);
}

int segue_landlock_allow(int ruleset, const char *path, uint64_t rights) {
  struct path_beneath rule = {.rights = rights, .parent = open(path, O_PATH | O_CLOEXEC)};
  if (rule.parent < 0) return -1;
  int result = (int)syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
  close(rule.parent);
  return result;
}

int segue_landlock_restrict(int ruleset) { return (int)syscall(RESTRICT_SELF, ruleset, 0); }
