// libseccomp, and the macros of it that Swift cannot import.
#pragma once
#include <errno.h>
#include <seccomp.h>

static const uint32_t segue_scmp_allow = SCMP_ACT_ALLOW;
static const uint32_t segue_scmp_kill = SCMP_ACT_KILL_PROCESS;
static const uint32_t segue_scmp_refuse = SCMP_ACT_ERRNO(EPERM);
static const uint32_t segue_scmp_hide = SCMP_ACT_ERRNO(ENOSYS);
static const uint32_t segue_scmp_trap = SCMP_ACT_TRAP;
